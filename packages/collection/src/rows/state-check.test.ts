/** An LMDB file that is cut, damaged or made by a stranger: it is named, and LMDB never sees it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { open } from 'lmdb'
import { amount } from '@comity/protocol/testing'
import { Collection } from '../collection.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'
import { stateDamage } from './state-check.ts'

const AT = Date.UTC(2026, 10, 14, 9, 30)
const LIMIT = { timeout: 120_000 }

async function collection(t: TestContext): Promise<string> {
  const dir = testFolder(t)
  await using made = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(made)
  for (let n = 0; n < 100; n++) crawl.visit({ page: crawl.offer(`/${n}`), at: AT + n, body: `<p>words of ${n}` })
  await crawl.commit()
  return dir
}

const stateOf = (dir: string): string => join(dir, 'state', 'data-1.mdb')

test(
  'a file of every shape that LMDB writes is sound: deep trees, long values, many values of a key',
  LIMIT,
  async (t) => {
    const path = join(testFolder(t), 'x.mdb')
    const root = open({ path, noSync: true, maxDbs: 5 })
    const [rows, many] = [root.openDB({ name: 'rows' }), root.openDB({ name: 'many', dupSort: true })]
    assert.equal(stateDamage(path), undefined, 'with nothing in it')
    await root.batch(() => {
      for (let n = 0; n < 5_000; n++) {
        void rows.put(`row ${n}`, 'value '.repeat(n % 100 === 0 ? 5_000 : 10))
        void many.put(n % 3, `${n} of many`)
        void many.put(n, n)
      }
    })
    for (let n = 0; n < 5_000; n += 7) void rows.remove(`row ${n}`)
    await root.flushed
    await root.close()
    assert.equal(stateDamage(path), undefined)
  },
)

const DAMAGED: [what: string, damage: (bytes: Buffer) => Buffer, says: RegExp][] = [
  ['is empty', () => Buffer.alloc(0), /cut off/],
  ['is something else', (bytes) => bytes.fill('no state '), /it is none/],
  ['is all zeros', (bytes) => bytes.fill(0), /it is none/],
  ['is half of itself', (bytes) => bytes.subarray(0, bytes.length >> 1), /leads to page/],
  ['says that its pages are huge', (bytes) => (bytes.writeUInt32LE(2 ** 31, 48), bytes), /pages have/],
  ['leads to itself', (bytes) => (bytes.copy(bytes, 8_192, mainRoot(bytes)), loop(bytes)), /another one|two ways/],
]
/** Where the tree of tables begins. */
const mainRoot = (bytes: Buffer): number => {
  const newest = bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(4_096 + 152) ? 0 : 4_096
  return Number(bytes.readBigUInt64LE(newest + 136)) * 4_096
}
/** The first table of it is the tree of tables. */
function loop(bytes: Buffer): Buffer {
  const at = mainRoot(bytes)
  const node = at + 24 + bytes.readUInt16LE(at + 24)
  bytes.writeBigUInt64LE(BigInt(at / 4_096), node + 8 + bytes.readUInt16LE(node + 6) + 40)
  return bytes
}

for (const [what, damage, says] of DAMAGED) {
  test(`a collection whose state ${what} is damaged, and says so`, LIMIT, async (t) => {
    const dir = await collection(t)
    const other = join(dir, '..', 'other')
    cpSync(dir, other, { recursive: true })
    writeFileSync(stateOf(other), damage(readFileSync(stateOf(dir))))
    const named = { name: 'CollectionError', code: 'COLLECTION_DAMAGED', message: says }
    assert.throws(() => Collection.openReadOnly(other), named)
    await assert.rejects(Collection.open(other, AT), named)
  })
}

test('a state of ours is not looked through again, unless it was cut off since, or is a copy', LIMIT, async (t) => {
  const dir = await collection(t)
  const mark = join(dir, 'state', 'known')
  assert.match(readFileSync(mark, 'latin1'), /^\d+( \d+){4}$/)
  const { size } = statSync(stateOf(dir))
  truncateSync(stateOf(dir), size >> 1)
  assert.throws(() => Collection.openReadOnly(dir), { code: 'COLLECTION_DAMAGED' })
  const copy = join(dir, '..', 'copy')
  cpSync(dir, copy, { recursive: true })
  assert.throws(() => Collection.openReadOnly(copy), { code: 'COLLECTION_DAMAGED' })
})

test('a mark that is a link to the state itself is replaced, and not written through', LIMIT, async (t) => {
  const dir = await collection(t)
  const mark = join(dir, 'state', 'known')
  rmSync(mark)
  symlinkSync('data-1.mdb', mark)
  await using again = await Collection.open(dir, AT)
  assert.ok(!lstatSync(mark).isSymbolicLink())
  assert.equal([...again.pages()].length, 100)
})

test('a collection whose making was cut short before its state had a word in it is made anew', LIMIT, async (t) => {
  const dir = testFolder(t)
  mkdirSync(join(dir, 'state'), { recursive: true })
  writeFileSync(stateOf(dir), '')
  await using made = await Collection.open(dir, AT)
  assert.deepEqual([...made.pages()], [])
})

const READER = `
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Collection } from ${JSON.stringify(new URL('../collection.ts', import.meta.url).href)}
const folder = process.argv[1]
const counts = {}
for (const name of readdirSync(folder)) {
  let outcome = 'read'
  try {
    await using collection = Collection.openReadOnly(join(folder, name))
    for (const { key, value } of collection.pages()) {
      collection.url(key)
      ;[...collection.captures(key)]
      if (value.body !== undefined) collection.readBody(value.body)
    }
    ;[...collection.pageLog()]
    ;[...collection.sites()]
  } catch (error) {
    outcome = error.code ?? String(error)
  }
  counts[outcome] = (counts[outcome] ?? 0) + 1
}
console.log(JSON.stringify(counts))
`

test(
  'whatever bits of it are others, reading ends with what is there or with a name, and in one piece',
  LIMIT,
  async (t) => {
    const dir = await collection(t)
    const state = readFileSync(stateOf(dir))
    const folder = join(dir, '..', 'many')
    mkdirSync(folder)
    const seeds = amount(40, 1_000)
    const random = lcg(7)
    for (let seed = 0; seed < seeds; seed++) {
      const bytes = Buffer.from(state)
      for (let flips = [1, 4, 40, 400][seed % 4]!; flips > 0; flips--) bytes[random(bytes.length)]! ^= 1 << random(8)
      cpSync(dir, join(folder, String(seed)), { recursive: true })
      writeFileSync(stateOf(join(folder, String(seed))), bytes)
      if (seed % 10 === 9) truncateSync(stateOf(join(folder, String(seed))), random(bytes.length))
    }
    const [code, signal, out] = await child(READER, folder)
    assert.deepEqual([code, signal], [0, null], out)
    const counts = new Map(Object.entries(JSON.parse(out) as Record<string, number>))
    t.diagnostic(JSON.stringify([...counts]))
    const unnamed = [...counts.keys()].filter((name) => name !== 'read' && name !== 'COLLECTION_DAMAGED')
    assert.deepEqual(unnamed, [])
    assert.ok((counts.get('COLLECTION_DAMAGED') ?? 0) > 0)
  },
)

/** What a writer believes, and a reader does not look at. */
const FOR_WRITERS: [what: string, damage: (bytes: Buffer, at: Places) => void][] = [
  ['free tree outside', (bytes, { head }) => bytes.writeBigUInt64LE(5_000n, head + 88)],
  ['free tree garbage', (bytes, { free }) => bytes.fill(0xa7, free, free + 4_096)],
  ['free list without end', (bytes, { list }) => bytes.writeBigUInt64LE(0x7fff_ffffn, list)],
  ['free pages outside', (bytes, { list }) => bytes.writeBigUInt64LE(0x7f_ffff_ffffn, list + 8)],
  ['a head is free', (bytes, { list }) => bytes.writeBigUInt64LE(1n, list + 8)],
  ['a page in use is free', (bytes, { list }) => bytes.writeBigUInt64LE(BigInt(mainRoot(bytes) / 4_096), list + 8)],
  ['a run of pages in use is free', (bytes, { list }) => void bytes.writeBigInt64LE(-50n, list + 8)],
  ['free pages of no commit', (bytes, { list }) => bytes.writeBigUInt64LE(0n, list - 8)],
  ['last page far outside', (bytes, { head }) => bytes.writeBigUInt64LE(1n << 34n, head + 144)],
  ['last page before others', (bytes, { head }) => bytes.writeBigUInt64LE(5n, head + 144)],
  ['flags of the file', (bytes, { head }) => bytes.writeUInt16LE(0xffff, head + 52)],
  ['flags of the tree of tables', (bytes, { head }) => bytes.writeUInt16LE(0x04, head + 100)],
  ['commits without end', (bytes, { head }) => bytes.writeBigUInt64LE((1n << 64n) - 1n, head + 152)],
  ['rows with many values where there is one', (bytes) => markRows(bytes, 0x04)],
  ['rows that are tables', (bytes) => markRows(bytes, 0x02)],
  ['rows with trees of values', (bytes) => markRows(bytes, 0x06)],
]

interface Places {
  readonly head: number
  /** The one page of the free tree, and the first list in it. */
  readonly free: number
  readonly list: number
}

function placesIn(bytes: Buffer): Places {
  const head = bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(4_096 + 152) ? 0 : 4_096
  assert.equal(bytes.readUInt16LE(head + 54), 1, 'the free tree is one page')
  const free = Number(bytes.readBigUInt64LE(head + 88)) * 4_096
  return { head, free, list: free + 24 + bytes.readUInt16LE(free + 24) + 16 }
}

/** On every leaf but those of tables and of free pages. */
function markRows(bytes: Buffer, flags: number): void {
  const { free } = placesIn(bytes)
  for (let page = 8_192; page < bytes.length; page += 4_096) {
    const isRows = bytes.readUInt16LE(page + 18) === 0x02 && page !== free && page !== mainRoot(bytes)
    for (let row = (isRows ? bytes.readUInt16LE(page + 20) >> 1 : 0) - 1; row >= 0; row--)
      bytes.writeUInt16LE(flags, page + 24 + bytes.readUInt16LE(page + 24 + 2 * row) + 4)
  }
}

const WRITER = `
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Collection } from ${JSON.stringify(new URL('../collection.ts', import.meta.url).href)}
import { SampleCrawl } from ${JSON.stringify(new URL('../testing/sample-crawl.ts', import.meta.url).href)}
const folder = process.argv[1]
for (const name of readdirSync(folder).toSorted()) {
  process.stdout.write(name + ': ')
  try {
    await using collection = await Collection.open(join(folder, name), ${AT})
    const crawl = new SampleCrawl(collection, undefined, 1_000)
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 60; n++) crawl.visit({ page: crawl.offer('/' + round + n), at: ${AT} + n, body: '<p>' + n + round })
      await crawl.commit()
    }
    console.log('written')
  } catch (error) {
    console.log(error.code)
  }
}
`

test('what only a writer would believe is looked at too: heads, free pages, what kind a row is', LIMIT, async (t) => {
  const dir = await collection(t)
  for (let life = 0; life < 3; life++) {
    await using again = await Collection.open(dir, AT)
    const crawl = new SampleCrawl(again, undefined, 100 * (life + 1))
    for (let n = 0; n < 100; n++)
      crawl.visit({ page: crawl.offer(`/${life}/${n}`), at: AT + n, body: `<p>${life} ${n}` })
    await crawl.commit()
  }
  const folder = join(dir, '..', 'many')
  cpSync(dir, join(folder, 'as it is'), { recursive: true })
  for (const [what, damage] of FOR_WRITERS) {
    cpSync(dir, join(folder, what), { recursive: true })
    const bytes = readFileSync(stateOf(dir))
    damage(bytes, placesIn(bytes))
    writeFileSync(stateOf(join(folder, what)), bytes)
  }
  const [code, signal, out] = await child(WRITER, folder)
  assert.deepEqual([code, signal], [0, null], out)
  const expected = FOR_WRITERS.map(([what]) => `${what}: COLLECTION_DAMAGED`)
  assert.deepEqual(out.trim().split('\n').toSorted(), [...expected, 'as it is: written'].toSorted())
})

/** In a process of its own, which LMDB may end. */
async function child(script: string, folder: string): Promise<[code: number | null, signal: unknown, out: string]> {
  const started = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: string[] = []
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => out.push(text))
  const [code, signal] = (await once(started, 'close')) as [number | null, string | null]
  return [code, signal, out.join('')]
}

/** The same every time. */
function lcg(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
