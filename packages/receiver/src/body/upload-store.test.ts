import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { randomBytes } from 'node:crypto'
import { UploadStore } from './upload-store.ts'
import type { Upload } from './upload-store.ts'
import { readUploadRecord, writeUploadRecord } from './upload-record.ts'
import type { UploadFacts } from './upload-record.ts'
import fc from 'fast-check'

const AT = Date.UTC(2026, 10, 1)
const DAY = 86_400_000
const limits = { uploadBytes: 1_000, uploadsPerSite: 2, uploadsBytes: 3_500, uploadIdleMs: DAY }
const facts: UploadFacts = {
  origin: 'https://a.example',
  door: 'push',
  scheme: 'site',
  type: 'application/zip',
  topic: 'https://a.example/push/site',
  length: 1_000,
}
const terms = { maxBytes: 1_000, now: () => AT + 5, keeps: () => true }

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-uploads-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const open = (dir: string, now = AT): UploadStore => UploadStore.open(dir, now, { limits, random: randomBytes })

async function begun(store: UploadStore, more: Partial<UploadFacts> = {}): Promise<Upload> {
  const upload = await store.begin({ ...facts, ...more }, AT)
  assert.ok(typeof upload !== 'string')
  return upload
}

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const [i, size] of sizes.entries()) yield Buffer.alloc(size, i + 1)
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield* chunks(100)
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

test('parts are added one behind the other, and outlive a restart', async (t) => {
  const dir = folder(t)
  const store = open(dir)
  const { id } = await begun(store)
  assert.equal(await store.append(id, chunks(100, 200), terms), 'whole')
  assert.equal((await store.find(id))?.offset, 300)
  const again = open(dir)
  const { offset, origin, length } = (await again.find(id))!
  assert.deepEqual([offset, origin, length], [300, facts.origin, 1_000])
  assert.equal(await again.append(id, chunks(50), terms), 'whole')
  const { path, bytes } = again.file(id)
  assert.deepEqual([bytes, readFileSync(path).length, statSync(path).mode & 0o077], [350, 350, 0])
})

test('a source that breaks off leaves what had come', async (t) => {
  const store = open(folder(t))
  const { id } = await begun(store)
  assert.equal(await store.append(id, broken(), terms), 'cut')
  assert.equal((await store.find(id))?.offset, 100)
})

test('whoever asks ends a part that hangs, and learns what had come', async (t) => {
  const store = open(folder(t))
  const { id } = await begun(store)
  const hang = Promise.withResolvers<never>()
  const started = Promise.withResolvers<void>()
  async function* hanging(): AsyncGenerator<Uint8Array> {
    yield* chunks(70)
    started.resolve()
    yield await hang.promise
  }
  const appending = store.append(id, hanging(), terms)
  await started.promise
  assert.equal((await store.find(id))?.offset, 70)
  assert.equal(await appending, 'cut')
})

test('no more is taken than was said, or than there may be', async (t) => {
  const store = open(folder(t))
  const one = await begun(store, { length: 250 })
  assert.equal(await store.append(one.id, chunks(200, 100), terms), 'too-large')
  const two = await begun(store, { length: undefined })
  assert.equal(await store.append(two.id, chunks(900, 200), terms), 'too-large')
  assert.equal((await store.find(two.id))?.offset, 900)
})

test('uploads are bounded each, by site and in all', async (t) => {
  const store = open(folder(t))
  assert.equal(await store.begin({ ...facts, length: 1_001 }, AT), 'too-large')
  for (let n = 0; n < 2; n++) await begun(store, { length: 100 })
  assert.equal(await store.begin({ ...facts, length: 100 }, AT), 'too-many')
  await begun(store, { origin: 'https://b.example' })
  await begun(store, { origin: 'https://c.example' })
  // More than a half of what is left, and more than is left at all.
  assert.equal(await store.begin({ ...facts, length: 800, origin: 'https://d.example' }, AT), 'too-many')
  await begun(store, { length: 600, origin: 'https://d.example' })
  assert.equal(await store.begin({ ...facts, length: 800, origin: 'https://e.example' }, AT), 'full')
  assert.deepEqual([store.count, store.bytes], [5, 2_800])
})

test('one that nothing is added to for a day is gone, with its bytes', async (t) => {
  const dir = folder(t)
  const store = open(dir)
  const old = await begun(store, { length: 100 })
  const young = await begun(store, { length: 100 })
  await store.append(young.id, chunks(10), { ...terms, now: () => AT + DAY })
  store.sweepSync(AT + DAY)
  assert.equal(await store.find(old.id), undefined)
  assert.ok(await store.find(young.id))
  open(dir, AT + 3 * DAY)
  assert.deepEqual(readdirSync(join(dir, 'uploads')), [])
})

test('one that is done keeps its record for a day, and takes no room', async (t) => {
  const dir = folder(t)
  const store = open(dir)
  const { id } = await begun(store, { length: 100 })
  await store.append(id, chunks(100), terms)
  rmSync(store.file(id).path)
  await store.done(id, AT)
  assert.deepEqual([store.bytes, store.count], [0, 0])
  const { isDone, offset } = (await open(dir).find(id))!
  assert.deepEqual([isDone, offset], [true, 100])
})

test('what is not believed is as if it had not come; what is removed is gone', async (t) => {
  const store = open(folder(t))
  const { id } = await begun(store)
  await store.append(id, chunks(120), terms)
  assert.equal(await store.append(id, chunks(300), { ...terms, keeps: (end) => end !== 'whole' }), 'whole')
  assert.deepEqual([(await store.find(id))?.offset, statSync(store.file(id).path).size], [120, 120])
  await store.remove(id)
  assert.equal(await store.find(id), undefined)
  assert.equal(await store.append(id, chunks(1), terms), 'cut')
})

test('files that belong to no upload are removed, and bad records never a crash', async (t) => {
  const dir = folder(t)
  const store = open(dir)
  const { id } = await begun(store)
  const name = (n: number, ending: string): string => join(dir, 'uploads', `${String(n).repeat(43)}.${ending}`)
  writeFileSync(name(1, 'bin'), 'orphan')
  writeFileSync(name(2, 'json'), '{"id":')
  writeFileSync(name(2, 'bin'), 'x')
  writeFileSync(name(3, 'json'), writeUploadRecord({ ...facts, id: '3'.repeat(43), touchedAt: AT }))
  const again = open(dir)
  assert.ok(await again.find(id))
  assert.equal(again.count, 1)
  assert.deepEqual(readdirSync(join(dir, 'uploads')).toSorted(), [`${id}.bin`, `${id}.json`].toSorted())
})

test('a record is read as it was written, and no text makes reading throw', () => {
  const record = { ...facts, id: 'x', touchedAt: AT, token: 't', hubSignature: 's', digest: 'd', isDone: true }
  assert.deepEqual(readUploadRecord(writeUploadRecord(record)), record)
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.equal(readUploadRecord(text), undefined)
    }),
  )
})

test('uploads that do not say how long they will be take no more than there is, whoever begins them', async (t) => {
  const store = open(folder(t))
  const ends = []
  for (let n = 0; n < 20; n++) {
    const upload = await store.begin({ ...facts, length: undefined, origin: `https://${n}.example` }, AT)
    if (typeof upload !== 'string') ends.push(await store.append(upload.id, chunks(500, 400), terms))
  }
  assert.ok(store.bytes <= limits.uploadsBytes, String(store.bytes))
  assert.ok(ends.includes('whole') && ends.includes('full'), ends.join(' '))
})

test('one site that leaves its uploads open takes a third of the room, and others begin theirs', async (t) => {
  const store = open(folder(t))
  await begun(store)
  assert.equal(await store.begin(facts, AT), 'too-many')
  await begun(store, { origin: 'https://b.example' })
  assert.equal(store.bytes, 2_000)
})

test('of uploads that are done a few of each site are remembered', async (t) => {
  const dir = folder(t)
  const store = open(dir)
  const ids: string[] = []
  for (let n = 0; n < 30; n++) {
    const { id } = await begun(store, { length: 0 })
    await store.done(id, AT + n)
    ids.push(id)
  }
  assert.ok(readdirSync(join(dir, 'uploads')).length <= 2 * 10)
  assert.equal(await store.find(ids[0]!), undefined)
  assert.equal((await store.find(ids.at(-1)!))?.isDone, true)
})
