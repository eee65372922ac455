/** A collection that somebody else made: whatever its rows say, nothing outside of it is read, cut or removed. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import { Collection } from './collection.ts'
import { factOf } from './facts.ts'
import { SampleCrawl, testFolder } from './sample-crawl.ts'
import { openState } from './state.ts'

const AT = Date.UTC(2026, 10, 14, 9, 30)
const damaged = { name: 'CollectionError', code: 'COLLECTION_DAMAGED' }
const SECRET = 'nothing of yours '.repeat(1_000)

interface Sample {
  readonly dir: string
  /** The one WARC file of the collection. */
  readonly warc: string
  /** Files of somebody else, beside and above the collection. */
  readonly secrets: readonly string[]
}

async function sample(t: TestContext): Promise<Sample> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  crawl.visit({ page: crawl.offer('/'), at: AT, body: '<p>words' })
  await crawl.commit()
  const [warc = ''] = collection.warcPaths
  await collection.close()
  const secrets = [dirname(dir), dir, join(dir, 'warc')].map((folder) => join(folder, 'secret'))
  for (const path of secrets) writeFileSync(path, SECRET)
  return { dir, warc, secrets }
}

async function renameInRows(dir: string, name: string): Promise<void> {
  const state = openState(dir)
  await state.meta.put('warc', { ...factOf(state, 'warc'), names: [name] })
  await state.root.close()
}

async function isLeftAlone({ dir, secrets }: Sample): Promise<void> {
  const position = { file: 0, offset: 0, length: 10 }
  const collection = Collection.openReadOnly(dir)
  assert.throws(() => collection.readMessage(position), damaged)
  assert.throws(() => collection.warcPaths, damaged)
  await collection.close()
  await assert.rejects(Collection.open(dir, AT), damaged)
  for (const path of secrets) assert.equal(readFileSync(path, 'utf8'), SECRET)
}

for (const name of [...HOSTILE_NAMES, 'secret', '../state/data-1.mdb', '../../secret']) {
  test(`a collection whose WARC file is called ${JSON.stringify(name.slice(0, 40))} is damaged`, async (t) => {
    const stranger = await sample(t)
    await renameInRows(stranger.dir, name)
    await isLeftAlone(stranger)
  })
}

test('a WARC file that is a link to somewhere else is neither read nor cut', async (t) => {
  const stranger = await sample(t)
  renameSync(stranger.warc, `${stranger.warc}.away`)
  symlinkSync(join('..', '..', 'secret'), stranger.warc)
  await isLeftAlone(stranger)
})

test('in a folder of WARC files that is a link, nothing is removed that no row names', async (t) => {
  const { dir } = await sample(t)
  const other = join(dirname(dir), 'mine')
  renameSync(join(dir, 'warc'), other)
  symlinkSync(other, join(dir, 'warc'))
  const mine = join(other, 'comity-20200101000000-00007.warc.gz')
  writeFileSync(mine, SECRET)
  const collection = await Collection.open(dir, AT)
  assert.equal(Buffer.from(collection.readBody(collection.page(0)!.body!)).toString(), '<p>words')
  await collection.close()
  assert.ok(existsSync(mine))
})
