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
import { amount } from '../../protocol/src/torture.ts'
import { Collection } from './collection.ts'
import { SampleCrawl, testFolder } from './sample-crawl.ts'
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
  assert.match(readFileSync(mark, 'latin1'), /^\d+ \d+ \d+$/)
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
import { Collection } from ${JSON.stringify(new URL('collection.ts', import.meta.url).href)}
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
    ;[...collection.journal()]
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
    const child = spawn(process.execPath, ['--input-type=module', '-e', READER, folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
    assert.deepEqual([code, signal], [0, null], err.join(''))
    const counts = new Map(Object.entries(JSON.parse(out.join('')) as Record<string, number>))
    t.diagnostic(JSON.stringify([...counts]))
    const unnamed = [...counts.keys()].filter((name) => name !== 'read' && name !== 'COLLECTION_DAMAGED')
    assert.deepEqual(unnamed, [])
    assert.ok((counts.get('COLLECTION_DAMAGED') ?? 0) > 0)
  },
)

/** The same every time. */
function lcg(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
