/** A collection that somebody else made: whatever its rows say, nothing outside of it is read, cut or removed. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import { Collection } from './collection.ts'
import { FACTS, factOf } from './rows/facts.ts'
import { forgetPages } from './forget/forget.ts'
import { filesWith } from './testing/forget-sample.ts'
import { SampleCrawl, testFolder } from './testing/sample-crawl.ts'
import { openState } from './rows/state.ts'

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
  await state.meta.put('warc', { ...factOf(state, FACTS.warc), names: [name] })
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
  await isRefused(stranger, stranger.warc)
})

/** Every file that any command makes, opens or cuts in a collection. */
// oxfmt-ignore
const OWN_FILES = [
  'collection.json', 'collection.json.new', 'serve.token', 'crawl.sock', 'crawl.sock.path', 'attempts-crawl.log',
  'attempts-index.log', 'attempts-import.log', 'writer-1.lock',
  'state/data-1.mdb', 'state/data-1.mdb-lock', 'state/data-2.mdb', 'state/next.mdb',
  'index/index.json', 'index/index.json.new', 'index/s1.seg', 'index/importance.values', 'index/anchors.notes.new', 'index/read-pages',
  'inbox/segment-000000000001.log', 'inbox/body-000000000001.bin', 'inbox/subscriptions.json', 'inbox/signed.json.new',
  'gateway-inbox/segment-000000000001.log', `uploads/${'a'.repeat(43)}.json`, `uploads/${'a'.repeat(43)}.bin`,
  'dead-letters/crawl-000000000001.letter', 'dead-letters/crawl-000000000001.retry',
]

/** Every file below, by its path, but for locks, which say who was there. */
function bytesOf(dir: string): Map<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith('-lock'))
  return new Map(paths.map((path) => [path, readFileSync(path).toString('base64')]))
}

/** As `tar` would put it there. */
function put(dir: string, name: string, make: (path: string) => void): void {
  const path = join(dir, name)
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true, recursive: true })
  make(path)
}

async function isRefused({ dir, secrets }: Sample, name: string): Promise<void> {
  assert.throws(() => Collection.openReadOnly(dir), damaged)
  await assert.rejects(Collection.open(dir, AT), (error: Error) => {
    assert.equal((error as { code?: string }).code, 'COLLECTION_DAMAGED')
    assert.match(error.message, new RegExp(name.split('/').at(-1)!))
    return true
  })
  for (const path of secrets) assert.equal(readFileSync(path, 'utf8'), SECRET)
}

for (const name of OWN_FILES) {
  test(`a collection whose ${name} is a link to somewhere else is damaged, and nothing there is touched`, async (t) => {
    const stranger = await sample(t)
    put(stranger.dir, name, (path) => symlinkSync(stranger.secrets[0]!, path))
    await isRefused(stranger, name)
  })

  test(`a collection whose ${name} is a pipe is damaged, and nobody waits for it`, async (t) => {
    const stranger = await sample(t)
    put(stranger.dir, name, (path) => execFileSync('mkfifo', [path]))
    await isRefused(stranger, name)
  })
}

for (const name of ['inbox', 'pending', 'uploads', 'dead-letters', 'gateway-inbox']) {
  test(`a collection whose folder ${name} is somewhere else is damaged`, async (t) => {
    const stranger = await sample(t)
    put(stranger.dir, name, (path) => symlinkSync(dirname(stranger.dir), path))
    await isRefused(stranger, name)
  })
}

const LARGE = ['state', 'warc', 'index']
const linked = { name: 'CollectionError', code: 'COLLECTION_LINKED' }

for (const name of LARGE) {
  test(`the folder ${name}, which is large, may stand on another disk, where that is said there`, async (t) => {
    const { dir } = await sample(t)
    const other = join(dirname(dir), `other-${name}`)
    renameSync(join(dir, name), other)
    symlinkSync(other, join(dir, name))
    await Collection.openReadOnly(dir).close()
    await assert.rejects(Collection.open(dir, AT), { ...linked, message: /put a file called linked-from there/ })
    writeFileSync(join(other, 'linked-from'), `${dir}\n`)
    const collection = await Collection.open(dir, AT)
    assert.equal(collection.page(0)?.status, 200)
    await collection.close()
  })

  test(`a collection whose ${name} is that of another one is not written, and the other stays as it is`, async (t) => {
    const [stranger, mine] = [await sample(t), await sample(t)]
    const before = bytesOf(mine.dir)
    put(stranger.dir, name, (path) => symlinkSync(join(mine.dir, name), path))
    await assert.rejects(Collection.open(stranger.dir, AT), linked)
    assert.deepEqual(bytesOf(mine.dir), before)
    // Also where mine stands on another disk, and says so.
    const other = join(dirname(mine.dir), 'mine-elsewhere')
    renameSync(join(mine.dir, name), other)
    symlinkSync(other, join(mine.dir, name))
    writeFileSync(join(other, 'linked-from'), mine.dir)
    put(stranger.dir, name, (path) => symlinkSync(other, path))
    const elsewhere = bytesOf(other)
    await assert.rejects(Collection.open(stranger.dir, AT), linked)
    assert.deepEqual(bytesOf(other), elsewhere)
    const collection = await Collection.open(mine.dir, AT)
    assert.equal(collection.page(0)?.status, 200)
    await collection.close()
  })

  test(`a new collection may have its ${name} on another disk from the beginning`, async (t) => {
    const dir = testFolder(t)
    const other = `${dir}-${name}`
    for (const folder of [dir, other]) mkdirSync(folder, { recursive: true })
    symlinkSync(other, join(dir, name))
    await assert.rejects(Collection.open(dir, AT), linked)
    assert.deepEqual([readdirSync(dir), readdirSync(other)], [[name], []])
    writeFileSync(join(other, 'linked-from'), dir)
    await (await Collection.open(dir, AT)).close()
    await (await Collection.open(dir, AT)).close()
  })
}

test('a link that leads nowhere is said to, and nothing is made there', async (t) => {
  const { dir } = await sample(t)
  const nowhere = join(dirname(dir), 'nowhere')
  put(dir, 'index', (path) => symlinkSync(nowhere, path))
  await assert.rejects(Collection.open(dir, AT), { ...linked, message: /leads nowhere/ })
  assert.ok(!existsSync(nowhere))
})

test('what is forgotten is gone from folders on another disk, too', async (t) => {
  const { dir, secrets } = await sample(t)
  for (const path of secrets) rmSync(path)
  const above = dirname(dir)
  for (const name of LARGE) {
    renameSync(join(dir, name), join(above, name))
    symlinkSync(join(above, name), join(dir, name))
    writeFileSync(join(above, name, 'linked-from'), dir)
  }
  assert.notDeepEqual(filesWith(above, '<p>words'), [])
  const collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  await forgetPages(collection, [0], AT)
  await collection.close()
  assert.deepEqual(filesWith(above, '<p>words'), [])
})

for (const name of ['state/data-1.mdb', 'attempts-crawl.log', 'inbox/segment-000000000001.log', 'index/s1.seg']) {
  test(`a collection whose ${name} is a file of another one by a second name is not written`, async (t) => {
    const { dir, secrets } = await sample(t)
    put(dir, name, (path) => linkSync(secrets[0]!, path))
    await assert.rejects(Collection.open(dir, AT), { ...linked, message: /has another name somewhere/ })
    assert.equal(readFileSync(secrets[0]!, 'utf8'), SECRET)
  })
}

test('an archive may have a second name, as people publish them', async (t) => {
  const { dir, warc } = await sample(t)
  linkSync(warc, join(dirname(dir), 'published.warc.gz'))
  await using collection = await Collection.open(dir, AT)
  assert.ok(collection.warcPaths.includes(warc))
})

test('a folder that is none yet, with a link for a draft, is refused before anything is written', async (t) => {
  const { dir, secrets } = await sample(t)
  const fresh = join(dirname(dir), 'fresh')
  mkdirSync(fresh)
  symlinkSync(secrets[0]!, join(fresh, 'collection.json.new'))
  await assert.rejects(Collection.open(fresh, AT), damaged)
  assert.equal(readFileSync(secrets[0]!, 'utf8'), SECRET)
})
