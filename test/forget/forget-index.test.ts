/** Forgotten in the index: no word of a page, and none that its links said, is left in any file of it. */
import assert from 'node:assert/strict'
import { cpSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { IndexUpdater } from '@comity/search'
import { readIndexManifest } from '@comity/index'
import { restoredFrontier } from '../../packages/cli/src/collection/collection-view.ts'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { indexContents, pathsFound } from '../../packages/search/src/testing/index-fixture.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const link = (path: string, words: string): string => `<a href="${path}">${words}</a> `

/** `/secret` says things, and calls two others by names that nobody else uses. */
function createSecrets(address: string): Promise<SmallSite> {
  return createSmallSite(
    {
      '/': `<title>Home</title>${link('/secret', 'whispered')}${link('/friend', 'a friend')}${link('/other', 'another')}`,
      '/secret': `<title>Clandestine</title>confidentialities ${link('/friend', 'accomplice')}${link('/only', 'hideaway')}`,
      '/friend': `<title>Friend</title>companionable words ${link('/', 'back')}`,
      '/only': '<title>Only</title>onlooker words',
      '/other': '<title>Other</title>other words',
    },
    address,
  )
}

/** Terms that only the page, its URL and its links brought. What others say about it is theirs and stays. */
const secrets = ['clandestin', 'confidential', 'accomplic', 'hideaway', 'secret']

/** Every file of the index is opened and listed; files that nobody names would not be. */
function checkForgotten(dir: string): void {
  const folder = join(dir, 'index')
  const { postings, documents } = indexContents(dir, { withGone: true })
  for (const secret of secrets) {
    assert.deepEqual(
      postings.filter((posting) => posting.startsWith(secret)),
      [],
      secret,
    )
  }
  assert.ok([...documents.values()].every((facts) => !facts.includes('/secret')))
  const { segments } = readIndexManifest(folder)
  const files = readdirSync(folder)
  assert.deepEqual(
    files.filter((name) => name.endsWith('.seg')).toSorted(),
    segments.map(({ name }) => `${name}.seg`).toSorted(),
  )
  for (const name of files) {
    const bytes = readFileSync(join(folder, name)).toString('latin1').toLowerCase()
    for (const secret of secrets) assert.ok(!bytes.includes(secret), `${secret} in ${name}`)
  }
}

async function checkTheRest(dir: string): Promise<void> {
  assert.deepEqual(await pathsFound(dir, 'confidentialities'), [])
  assert.deepEqual(await pathsFound(dir, 'companionable'), ['/friend'])
  assert.deepEqual(await pathsFound(dir, 'anchor:friend'), ['/friend'], 'what others call it stays')
  assert.deepEqual(await pathsFound(dir, 'onlooker'), ['/only'], 'a page that only it linked to is still there')
  assert.deepEqual((await pathsFound(dir, 'words')).toSorted(), ['/friend', '/only', '/other'])
}

test('a page that is forgotten leaves no word in the index, and those it linked to only lose what it called them', async () => {
  await using site = await createSecrets('127.0.58.1')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { index: true })
  for (const query of ['anchor:accomplice', 'anchor:friend'])
    assert.deepEqual(await pathsFound(into, query), ['/friend'])
  const { code, stderr } = await comityHere(['forget', into, `${site.origin}/secret`])
  assert.equal(code, 0, stderr)
  checkForgotten(into)
  await checkTheRest(into)
  const left = indexContents(into)
  assert.equal((await comityHere(['index', into, '--anew'])).code, 0)
  assert.deepEqual(indexContents(into), left, 'as if it had never been there')
})

test('after a whole site is forgotten nothing is found, and a crawl begins again', async () => {
  await using site = await createSecrets('127.0.59.1')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { index: true })
  assert.equal((await comityHere(['forget', into, site.origin])).code, 0)
  assert.deepEqual(indexContents(into, { withGone: true }), { documents: new Map(), postings: [] })
  const crawled = await quickCrawl(into, [`${site.origin}/`], { index: true })
  assert.deepEqual([crawled.pages, crawled.index?.problem], [0, undefined])
})

test('killed between any two steps, the words come back or stay away, and the command can be given again', async () => {
  await using site = await createSecrets('127.0.60.1')
  const original = newDirectory()
  await quickCrawl(original, [`${site.origin}/`], { index: true })
  // After the words left the index, and before the collection forgot the page: as the command does it.
  const halfway = newDirectory()
  cpSync(original, halfway, { recursive: true })
  {
    await using collection = await Collection.open(halfway, Date.now())
    const concerned = [...collection.pages()].filter(({ key }) =>
      /\/(?:secret|friend|only)$/.test(collection.url(key) ?? ''),
    )
    for (const { key } of concerned) collection.touch(key)
    await collection.commit(restoredFrontier(collection, Date.now(), collection.wasClosed).drain())
    await using feed = new IndexUpdater(collection)
    feed.purge(concerned.map(({ key }) => key))
  }
  assert.deepEqual(await pathsFound(halfway, 'companionable OR confidentialities'), [])
  const again = newDirectory()
  cpSync(halfway, again, { recursive: true })
  // Whatever indexes next finds that the pages are still there …
  assert.equal((await comityHere(['index', again])).code, 0)
  assert.deepEqual(await pathsFound(again, 'confidentialities'), ['/secret'])
  assert.deepEqual(indexContents(again).postings, indexContents(original).postings)
  // … and the same command, given again, ends what it began.
  const { code, stderr } = await comityHere(['forget', halfway, `${site.origin}/secret`])
  assert.equal(code, 0, stderr)
  checkForgotten(halfway)
  await checkTheRest(halfway)
})

test('where there is no index, forgetting makes none', async () => {
  await using site = await createSecrets('127.0.61.1')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const forgotten = await comityHere(['forget', into, `${site.origin}/secret`, '--json'])
  assert.equal(lastJson(forgotten)['forgotten'], true)
  assert.equal(readIndexManifest(join(into, 'index')).generation, 0)
})
