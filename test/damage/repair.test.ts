/** Repair: a collection whose files are damaged is whole again by `comity repair`, as far as its archive goes, and says what is lost. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { Collection, FACTS } from '@comity/collection'
import { restoredFrontier } from '../../packages/cli/src/collection/collection-view.ts'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const whole = newDirectory()
let site: SmallSite
const WORDS = ['lantern', 'harbour', 'keeper', 'anchor', 'beacon', 'tide']

before(async () => {
  const routes = Object.fromEntries(WORDS.map((word) => [`/${word}`, page(`About the ${word}`, '/')]))
  site = await createSmallSite({ '/': page('About home', ...WORDS.map((word) => `/${word}`)), ...routes })
  await quickCrawl(whole, [`${site.origin}/`], { index: true })
})

after(async () => await site[Symbol.asyncDispose]())

function copied(): string {
  const dir = join(newDirectory(), 'col')
  cpSync(whole, dir, { recursive: true })
  return dir
}

/** The middle of the only file of a kind. */
function spoil(dir: string, folder: string, name: RegExp, from = 0.5): void {
  const path = join(
    dir,
    folder,
    readdirSync(join(dir, folder)).find((one) => name.test(one))!,
  )
  const bytes = readFileSync(path)
  const start = Math.floor(statSync(path).size * from)
  writeFileSync(path, bytes.fill(0xa5, start, start + 64))
}

const foundIn = async (dir: string): Promise<string[]> => {
  const { results } = lastJson(await comityHere(['search', dir, 'about', '--json', '--limit', '100'])) as {
    results: { url: string }[]
  }
  return results.map(({ url }) => new URL(url).pathname).toSorted()
}
const ALL = ['/', ...WORDS.map((word) => `/${word}`)].toSorted()

test('nothing is damaged in a collection that was left alone, and nothing is done to it', async () => {
  const dir = copied()
  const { code, stdout } = await comityHere(['repair', dir])
  assert.deepEqual([code, stdout.trim()], [0, `${dir}: nothing is damaged.`])
})

test('an index that cannot be read is made again; a dry run only says so', async () => {
  const dir = copied()
  spoil(dir, 'index', /\.seg$/)
  const dry = await comityHere(['repair', dir, '--dry-run', '--json'])
  assert.equal(dry.code, 1)
  assert.match(String(lastJson(dry)['found']), /the index cannot be read/)
  const { code, stderr } = await comityHere(['repair', dir])
  assert.equal(code, 0, stderr)
  assert.deepEqual(await foundIn(dir), ALL)
})

test('a state that cannot be read is made again from the archive, with its start pages, and the damaged one is kept', async () => {
  const dir = copied()
  spoil(dir, 'state', /\.mdb$/, 0)
  assert.match((await comityHere(['search', dir, 'about'])).stderr, /comity repair/)
  const ended = await comityHere(['repair', dir, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const { keptAs } = lastJson(ended) as { keptAs: string }
  assert.ok(existsSync(join(keptAs, 'state')) && dirname(keptAs) === dirname(dir))
  assert.deepEqual(await foundIn(dir), ALL)
  const again = await quickCrawl(dir, [`${site.origin}/`], { revisitAfterMs: 0 })
  assert.equal(again.pages, ALL.length)
})

test('rows that cannot be read are taken in again from the archive, and the queue stays', async () => {
  const dir = copied()
  const collection = await Collection.open(dir, Date.now())
  const first = [...collection.pages()].find(({ key }) => collection.url(key)?.endsWith('/tide'))
  collection.amend(first!.key, { visits: 'many' as never })
  await collection.commit(restoredFrontier(collection, 0, true).drain())
  await collection.close()
  const beside = lastJson(await comityHere(['inspect', dir, '--json']))
  assert.equal(beside['pages'], ALL.length - 1, 'it is stepped over')
  const ended = await comityHere(['repair', dir, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(String(lastJson(ended)['found']), /1 of pages/)
  await using mended = Collection.openReadOnly(dir)
  assert.equal(mended.page(first!.key)?.visits, 1)
  assert.deepEqual(mended.fact(FACTS.seeds), [`${site.origin}/`])
})

test('a copy that cannot be read is named, and the next visit brings it whole', async () => {
  const dir = copied()
  spoil(dir, 'warc', /gz$/)
  const ended = await comityHere(['repair', dir, '--json'])
  assert.equal(ended.code, 1)
  const { lost } = lastJson(ended) as { lost: { pages: number; examples: string[] } }
  assert.equal(lost.pages, 1)
  assert.deepEqual(await foundIn(dir), ALL, 'its words are still there')
  await quickCrawl(dir, [], { revisitAfterMs: 0 })
  assert.equal((await comityHere(['repair', dir])).stdout.trim(), `${dir}: nothing is damaged.`)
})
