/** What is one page, by real crawls: pages that differ in a parameter are two, sessions are none, and what a site's owner knows is a setting. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { crawl } from '@comity/crawler'
import type { CrawlControl } from '@comity/crawler'
import { openRepository } from '@comity/repository'
import { defaultUrlRules } from '@comity/protocol'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { newDirectory, quick, quickCrawl } from '../crawl/quick-crawl.ts'
import { found, repository, UNI } from '../gateway/gateway-watch.ts'
import { heldOf, page, nextSecond, until } from '../push/push-watch.ts'
import { openTalksSite, TALKS } from './talks-site.ts'

const LIMIT = { timeout: 60_000 }
const [FIRST, SECOND] = TALKS

async function urlsIn(dir: string): Promise<string[]> {
  await using collection = Collection.openReadOnly(dir)
  return [...collection.pages()]
    .map(({ key }) => new URL(collection.url(key)!))
    .map(({ pathname, search }) => pathname + search)
    .toSorted()
}

const inquiries = ['/search?s=0123456789abcdef', '/search?s=fedcba9876543210']
const stories = ['/story?sid=0123456789abcdef0123456789abcde0', '/story?sid=0123456789abcdef0123456789abcdef']
const others = ['/', '/cart?id=7', '/news', ...inquiries, '/shop?id=7', ...stories]
const talks = TALKS.map((id) => `/talk?session=${id}`)

test('two talks are two pages, and two sessions are one, which is asked for once and without them', LIMIT, async () => {
  await using site = await openTalksSite()
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/?utm_medium=x`])
  assert.deepEqual(await urlsIn(into), [...others, ...talks].toSorted())
  assert.deepEqual(site.asked(), [...others, ...talks].toSorted())
})

test('where a site says so they are one, and other hosts are as they were', LIMIT, async () => {
  await using site = await openTalksSite()
  const into = newDirectory()
  const sites = [
    { host: '*.example', dropParameters: ['s'] },
    { host: '127.0.0.1', dropParameters: ['Session', 'si*'], keepParameters: ['utm_source', 'PHPSESSID'] },
  ]
  await quickCrawl(into, [`${site.origin}/`], { sites })
  const kept = ['/cart?PHPSESSID=a1&id=7', '/cart?id=7&PHPSESSID=b2', '/news?utm_source=mail']
  const expected = ['/', ...kept, '/news', ...inquiries, '/shop?id=7', '/story', '/talk'].toSorted()
  assert.deepEqual(await urlsIn(into), expected)
  assert.deepEqual(site.asked(), expected)
})

/** A crawl of the site by the command, with a config file that says what makes two of its URLs one page. */
async function crawled(
  origin: string,
  settings: object,
  into = newDirectory(),
): Promise<{ into: string; words: string[]; code: number | null; stderr: string }> {
  const config = `${into}-${++configs}.json`
  writeFileSync(config, JSON.stringify(settings))
  const words = [
    '--allow-private',
    '--delay',
    '0',
    '--threads',
    '0',
    '--no-index',
    '--user-agent',
    'comity-test/1.0',
    '--config',
    config,
  ]
  const { code, stderr } = await comityHere(['crawl', `${origin}/`, '--into', into, ...words])
  return { into, words, code, stderr }
}
let configs = 0

const oneTalk = { sites: [{ host: '127.0.0.1', dropParameters: ['session'] }] }

test('whoever asks for a page asks by the settings of its collection', LIMIT, async () => {
  await using site = await openTalksSite()
  const { into, code, stderr } = await crawled(site.origin, oneTalk)
  assert.equal(code, 0, stderr)
  const typed = `${site.origin}/talk?session=${SECOND}`
  const story = lastJson(await comityHere(['inspect', into, typed, '--json']))
  assert.equal(story['url'], `${site.origin}/talk`)
  const facts = lastJson(await comityHere(['inspect', into, '--json']))
  assert.deepEqual(facts['urlRules'], { ...defaultUrlRules, ...oneTalk })
  assert.match((await comityHere(['inspect', into])).stdout, /URL rules\n {2}127\.0\.0\.1 without session\n/)
  const estimated = await comityHere(['crawl', `${site.origin}/`, '--estimate', '--into', into, '--allow-private'])
  assert.doesNotMatch(estimated.stderr, /URL settings/)
  const gone = await comityHere(['forget', into, typed, '--json'])
  assert.equal(gone.code, 0, gone.stderr)
  assert.deepEqual([lastJson(gone)['page'], lastJson(gone)['pages']], [`${site.origin}/talk`, 1])
  // It stays out, in whatever session somebody links to it.
  await quickCrawl(into, [`${site.origin}/`, `${site.origin}/talk?session=abc`], { revisitAfterMs: 0 })
  assert.ok(!(await urlsIn(into)).some((url) => url.startsWith('/talk')))
})

test(
  'a run goes on with the settings of its collection and says so, and one that states others is refused',
  LIMIT,
  async () => {
    await using site = await openTalksSite()
    const { into, code, stderr } = await crawled(site.origin, oneTalk)
    assert.equal(code, 0, stderr)
    const before = await urlsIn(into)
    const ends: [sentence: string, settings: object, code: number, says: RegExp | undefined][] = [
      ['the same again', oneTalk, 0, undefined],
      ['none', {}, 0, /^note: URLs go by the settings that .* was made with: 127\.0\.0\.1 without session\.$/m],
      [
        'some for a site that is not known',
        { sites: [...oneTalk.sites, { host: 'shop.example', dropParameters: ['x'] }] },
        0,
        undefined,
      ],
      [
        'others for this one',
        { sites: [{ host: '127.0.0.1', dropParameters: ['s'] }] },
        1,
        /knows the pages of http:\/\/127\.0\.0\.1:\d+ by other URL settings than this run has/,
      ],
      [
        'none for this one, in so many words',
        { urls: { dropSessionIds: true } },
        1,
        /Leave the URL settings out, or as they were/,
      ],
    ]
    for (const [sentence, settings, expected, says] of ends) {
      const run = await crawled(site.origin, settings, into)
      assert.equal(run.code, expected, `${sentence}: ${run.stderr}`)
      if (says === undefined) assert.doesNotMatch(run.stderr, /URL/, sentence)
      else assert.match(run.stderr, says, sentence)
      assert.deepEqual(await urlsIn(into), before, sentence)
    }
  },
)

test(
  'an archive is taken in by the settings of its collection, and by those that are stated for a new one',
  LIMIT,
  async () => {
    await using site = await openTalksSite()
    const from = newDirectory()
    await quickCrawl(from, [`${site.origin}/`])
    const archive = `${from}.wacz`
    assert.equal((await comityHere(['export', from, '--wacz', archive])).code, 0)
    const [plain, stated] = [newDirectory(), newDirectory()]
    const config = `${from}.json`
    writeFileSync(config, JSON.stringify(oneTalk))
    assert.equal((await comityHere(['import', archive, '--into', plain, '--no-index'])).code, 0)
    assert.deepEqual(await urlsIn(plain), [...others, ...talks].toSorted())
    for (const words of [['--config', config], []]) {
      const told = await comityHere(['import', archive, '--into', stated, '--no-index', ...words])
      assert.equal(told.code, 0, told.stderr)
      assert.equal(
        /^note: URLs go by the settings that .* was made with/m.test(told.stderr),
        words.length === 0,
        told.stderr,
      )
      assert.deepEqual(await urlsIn(stated), [...others, '/talk'].toSorted())
    }
    const other = await comityHere(['import', archive, '--into', plain, '--config', config])
    assert.deepEqual([other.code, /by other URL settings than this run has/.test(other.stderr)], [1, true])
  },
)

test('what gateways send is filed by the settings of their repository', LIMIT, async () => {
  const into = newDirectory()
  const sites = [{ host: '*.uni.example', dropParameters: ['session'] }]
  {
    await using repo = await repository({ into, crawl: { sites } })
    const passed = TALKS.map((id, i) => ({
      url: `${UNI}/talk?session=${id}`,
      html: page(`Talk ${i}`, '/'),
      at: Date.now() - 1_000 + i,
    }))
    await repo.north.send({ words: passed, hits: passed.map(({ url }) => ({ url, readers: 2, robots: 0 })) })
    await repo.dealtWith('north', 1)
  }
  assert.deepEqual(await urlsIn(into), ['/talk'])
  assert.ok((await heldOf(into, `${UNI}/talk`)) !== undefined)
  // The next one is started without a config file.
  await using again = await repository({ into })
  // What was signed in the second of a start may have been heard before it.
  await nextSecond()
  await again.north.send({
    words: [{ url: `${UNI}/talk?session=${FIRST}&session=x`, html: page('Talk of today', '/'), at: Date.now() }],
  })
  await again.dealtWith('north', 2)
  assert.deepEqual(await urlsIn(into), ['/talk'])
  await until('the words of today are found', async () => (await found(into, 'today'))[0] === `${UNI}/talk`)
})

test('a start page that is added to a running crawl goes by its settings, whoever adds it', LIMIT, async () => {
  await using site = await openTalksSite()
  const into = newDirectory()
  const sites = [{ host: '127.0.0.1', dropSessionIds: false, keepParameters: ['utm_source'] }]
  const own = `${site.origin}/own?PHPSESSID=1&utm_source=a`
  const stop = new AbortController()
  const added = Promise.withResolvers<unknown>()
  const onControl = (control: CrawlControl): void => added.resolve(control.addSeed(`${own}&gclid=2`))
  const options = { ...quick, seeds: [`${site.origin}/`], sites, stayOpen: true }
  const run = crawl({ into, options, signal: stop.signal, onControl })
  try {
    await added.promise
    // What `comity serve` hands to the crawl.
    await using opened = openRepository(into, {
      search: () => ({
        search: () => Promise.reject(new Error('nobody searches')),
        statistics: () => ({ documents: 0, segments: 0, bytes: 0, refused: [] }),
      }),
      now: Date.now,
    })
    assert.equal(opened.repository.pageUrl(`${own}&gclid=3`), own)
    assert.equal((await opened.repository.page({ url: `${own}&gclid=4` })).url, own)
  } finally {
    stop.abort()
    await run
  }
  assert.ok((await urlsIn(into)).includes('/own?PHPSESSID=1&utm_source=a'))
})
