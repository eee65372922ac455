import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { createLivingWeb } from '@comity/testbed'
import type { LivingWeb } from '@comity/testbed'
import { comity, comityHere, lastJson, mainPath, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
const calm = { odd: false, latencyMs: 1, bytesPerSecond: Infinity, changeEveryMs: Infinity }
let web: LivingWeb

before(async () => {
  web = await createLivingWeb({
    seed: 7,
    sites: [
      { ...calm, pages: 40, robots: 'allow', sitemap: true },
      { ...calm, pages: 15, robots: 'disallow-directory', sitemap: false },
    ],
  })
})
after(async () => {
  await web[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** Flags for a server of one's own, as fast as it goes. */
const fast = ['--allow-private', '--delay', '0', '--pages-per-connection', '100', '--threads', '0']
const homes = (): string[] => web.sites.map(({ origin }) => `${origin}/`)
const lines = (text: string): string[] => text.trimEnd().split(/\r?\n/)

test('what was crawled is what inspect tells and export writes', async () => {
  const dir = folder.at('whole')
  const { urls, links } = web.reachable()
  const crawled = await comityHere(['crawl', ...homes(), '--into', dir, '--json', ...fast])
  assert.equal(crawled.code, 0, crawled.stderr)
  const summary = lastJson(crawled)
  for (const name of ['bytes', 'seconds', 'pagesPerSecond', 'failed', 'skipped', 'links', 'sites']) {
    assert.equal(typeof summary[name], 'number', name)
  }
  assert.equal(summary['pages'], urls.size)
  assert.equal(summary['collection'], dir)
  assert.deepEqual(
    summary['seeds'],
    homes().map((url) => ({ url, done: true, waiting: 0 })),
  )

  const facts = lastJson(await comityHere(['inspect', dir, '--json']))
  assert.equal(facts['pages'], urls.size)
  assert.deepEqual(facts['statuses'], { 200: urls.size })
  const [page = ''] = [...urls].slice(-1)
  const story = lastJson(await comityHere(['inspect', dir, page, '--json', '--links', '1000']))
  const into = links.filter(({ from, to }) => to === page && from !== page).map(({ from }) => from)
  assert.equal(story['state'], 'done')
  assert.equal(story['linksInCount'], into.length)

  const files = ['--jsonl', folder.at('p.jsonl'), '--csv', folder.at('p.csv'), '--graph', folder.at('g.tsv')]
  const exported = await comityHere(['export', dir, ...files, '--nodes', folder.at('n.tsv'), '--json'])
  assert.equal(exported.code, 0, exported.stderr)
  const records = lines(readFileSync(folder.at('p.jsonl'), 'utf8')).map((line): { url: string } => JSON.parse(line))
  assert.deepEqual(new Set(records.map(({ url }) => url)), urls)
  assert.equal(lines(readFileSync(folder.at('p.csv'), 'utf8')).length, urls.size + 1)
  const pairs = new Set(
    lines(readFileSync(folder.at('g.tsv'), 'utf8')).map((line) => line.split('\t').slice(0, 2).join(' ')),
  )
  for (const { from, to } of links.filter((link) => link.from !== link.to))
    assert.ok(pairs.has(`${from} ${to}`), `${from} ${to}`)
  const nodes = new Set(lines(readFileSync(folder.at('n.tsv'), 'utf8')).map((line) => line.split('\t')[0]))
  for (const url of urls) assert.ok(nodes.has(url), url)
})

test('people read a summary, and without a terminal it has no colours', async () => {
  const told = await comityHere(['crawl', ...homes(), '--into', folder.at('told'), '--max-pages', '5', ...fast])
  assert.equal(told.code, 0)
  assert.match(told.stdout, /^5 pages from \d sites? in .*\n.* links; \d+ known pages still to fetch/m)
  assert.match(told.stdout, /ok +5 +the page came whole/)
  assert.match(told.stdout, /not done .*\n +\d+ pages wait: --max-pages 5 is reached/)
  assert.match(told.stdout, /npx comity inspect \S+told/)
  assert.ok(!told.stdout.includes('\u001b'))
})

test('the same command goes on, also without start pages, and fetches nothing twice', async () => {
  await using own = await createLivingWeb({ seed: 8, sites: [{ ...calm, pages: 25, robots: 'allow', sitemap: false }] })
  const dir = folder.at('again')
  const first = lastJson(await comityHere(['crawl', own.home, '--into', dir, '--max-pages', '9', '--json', ...fast]))
  assert.equal(first['pages'], 9)
  const second = lastJson(await comityHere(['crawl', '--into', dir, '--json', ...fast]))
  assert.equal(second['pages'], 25)
  const paths = own.log.read().requests.map(({ path }) => path)
  const pages = paths.filter((path) => path !== '/robots.txt')
  assert.equal(new Set(pages).size, pages.length)
})

test('a flag wins over a variable, and a variable over the config file', async () => {
  const config = folder.at('comity.json')
  writeFileSync(
    config,
    JSON.stringify({ maxPages: 2, json: true, delay: 0, allowPrivate: ['127.0.1.0/24'], threads: 0 }),
  )
  const pagesOf = async (name: string, words: string[], env: Record<string, string>): Promise<unknown> => {
    const ended = await comity(['crawl', web.home, '--into', folder.at(name), '--config', config, ...words], { env })
    return lastJson(ended)['pages']
  }
  assert.equal(await pagesOf('file', [], {}), 2)
  assert.equal(await pagesOf('variable', [], { COMITY_MAX_PAGES: '3' }), 3)
  assert.equal(await pagesOf('flag', ['--max-pages', '4'], { COMITY_MAX_PAGES: '3' }), 4)
})

test('start pages come from standard input, a hook steers and sees', async () => {
  const [hook, seen] = [folder.at('hook.ts'), folder.at('seen.txt')]
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
     export const scope = (url: string, depth: number): boolean => depth === 0 || url.endsWith('/')
     export const onCapture = ({ url }: { url: string }): void => appendFileSync(${JSON.stringify(seen)}, url + '\\n')
     export const order = { rankPage: ({ depth }: { depth: number }) => -depth, rankSite: () => 0 }`,
  )
  const words = [
    'crawl',
    '--seeds',
    '-',
    '--into',
    folder.at('hooked'),
    '--hook',
    hook,
    '--json',
    '--no-sitemaps',
    ...fast,
  ]
  const ended = await comity(words, { input: `# the first\n${web.home}\n\n` })
  assert.equal(ended.code, 0, ended.stderr)
  const captured = lines(readFileSync(seen, 'utf8'))
  assert.equal(captured.length, lastJson(ended)['pages'])
  assert.ok(captured.length > 1 && captured.every((url) => url.endsWith('/')))
})

test('a hook reads what it sees with what it is given, and imports nothing', async () => {
  const hook = folder.at('reading.js')
  writeFileSync(
    hook,
    `export function onCapture({ url, header, text, page }) {
      console.error('seen', new URL(url).pathname, header('content-type'), page().title.length > 0, text().includes('<title'), page().links.length > 0)
    }`,
  )
  const words = ['crawl', web.home, '--into', folder.at('reading'), '--hook', hook, '--max-pages', '2', ...fast]
  const ended = await comity(words)
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(ended.stderr, /^seen \S+ text\/html; charset=utf-8 true true true$/m)
})

test('a hook that fails ends the crawl with its name and exit code 2', async () => {
  const hook = folder.at('failing.ts')
  writeFileSync(hook, `export const onCapture = (): void => { throw new Error('no more') }`)
  const ended = await comityHere(['crawl', web.home, '--into', folder.at('failing'), '--hook', hook, ...fast])
  assert.equal(ended.code, 2)
  assert.match(ended.stderr, /The hook .*failing\.ts failed in onCapture: Error: no more/)
})

test('a reader that goes away is no failure', () => {
  const script = 'set -o pipefail; "$0" "$1" export "$2" --jsonl - --text | head -1 | wc -l'
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, process.execPath, mainPath, folder.at('whole')], {
    encoding: 'utf8',
  })
  assert.deepEqual([stdout.trim(), stderr, status], ['1', '', 0])
})

test('what is forgotten is gone from inspect and export, and is not fetched again', async () => {
  await using own = await createLivingWeb({ seed: 9, sites: [{ ...calm, pages: 12, robots: 'allow', sitemap: false }] })
  const dir = folder.at('forgetful')
  const gone = [...own.reachable().urls].find((url) => url !== own.home) ?? ''
  await comityHere(['crawl', own.home, '--into', dir, ...fast])
  const dry = await comityHere(['forget', dir, gone, '--dry-run'])
  assert.equal(dry.stdout, `${gone}: 1 page would be forgotten\n`)
  const forgotten = await comityHere(['forget', dir, gone])
  assert.equal(forgotten.code, 0, forgotten.stderr)
  const edges = lines((await comityHere(['export', dir, '--graph', '-'])).stdout)
  assert.ok(edges.length > 1 && edges.every((edge) => !edge.split('\t').includes(gone)))
  assert.match((await comityHere(['inspect', dir, gone])).stdout, /forgotten on request and stays out/)
  const { length } = own.log.read().requests
  const resumed = await comityHere(['crawl', own.home, '--into', dir, '--revisit', '0', '--json', ...fast])
  assert.equal(lastJson(resumed)['pages'], own.reachable().urls.size - 1)
  const asked = own.log.read().requests.slice(length)
  assert.ok(asked.length > 1 && asked.every(({ path }) => path !== new URL(gone).pathname))
  const site = await comityHere(['forget', dir, new URL(own.home).origin])
  assert.equal(site.code, 0, site.stderr)
  const { length: asLong } = own.log.read().requests
  const empty = await comityHere(['crawl', own.home, '--into', dir, '--json', ...fast])
  assert.deepEqual([lastJson(empty)['pages'], own.log.read().requests.length], [0, asLong])
  const unknown = await comityHere(['forget', dir, `${own.home}never-seen`])
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /is not known here, so there is nothing to forget/)
})
