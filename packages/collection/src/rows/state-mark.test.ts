/** A state that was changed since we left it is looked through before LMDB sees it; one that was not is opened at once. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Collection } from '../collection.ts'
import { dropContents } from '../forget/forget.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'
import { isKnown } from './state-mark.ts'

const AT = Date.UTC(2026, 10, 14, 9, 30)
const LIMIT = { timeout: 120_000 }
const PAGE = 4_096

async function collection(t: TestContext): Promise<string> {
  const dir = testFolder(t)
  await using made = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(made)
  for (let n = 0; n < 200; n++) crawl.visit({ page: crawl.offer(`/${n}`), at: AT + n, body: `<p>words of ${n}` })
  await crawl.commit()
  return dir
}

const stateOf = (dir: string): string => join(dir, 'state', 'data-1.mdb')
const changedAt = (path: string): bigint => statSync(path, { bigint: true }).ctimeNs

/** Where the newest of the two heads has the page that the tree of tables begins at. */
function rootField(bytes: Buffer): number {
  return (bytes.readBigUInt64LE(152) > bytes.readBigUInt64LE(PAGE + 152) ? 0 : PAGE) + 136
}

/** Heads that are in order, and a tree outside of the file. */
function leadingOut(path: string): Buffer {
  const bytes = readFileSync(path)
  bytes.writeBigUInt64LE(1_000_000n, rootField(bytes))
  return bytes
}

/** Pages that are in order, and rows that reach gigabytes behind the end of the file. */
function reachingOut(path: string): Buffer {
  const bytes = readFileSync(path)
  for (let page = 2 * PAGE; page < bytes.length; page += PAGE) {
    const rows = bytes.readUInt16LE(page + 18) === 0x02 ? bytes.readUInt16LE(page + 20) >> 1 : 0
    for (let row = 0; row < rows; row++) {
      const node = page + 24 + bytes.readUInt16LE(page + 24 + 2 * row)
      if (bytes.readUInt16LE(node + 4) === 0) bytes.writeUInt32LE(0x7fff_0000, node)
    }
  }
  return bytes
}

/** As `dd conv=notrunc` does. */
function overwrite(path: string, bytes: Buffer, at: number): void {
  const fd = openSync(path, 'r+')
  writeSync(fd, bytes, 0, bytes.length, at)
  closeSync(fd)
}

function copyOver(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.evil`, bytes)
  copyFileSync(`${path}.evil`, path)
}

const TAMPERINGS: [what: string, tamper: (path: string) => void][] = [
  ['was replaced in place by one that leads out of itself', (path) => copyOver(path, leadingOut(path))],
  ['was replaced in place by one whose rows reach out of it', (path) => copyOver(path, reachingOut(path))],
  [
    'was replaced in place by garbage behind its heads',
    (path) => {
      const bytes = readFileSync(path)
      copyOver(path, bytes.fill(0xa7, 2 * PAGE))
    },
  ],
  ['was cut off in place', (path) => truncateSync(path, statSync(path).size >> 1)],
  [
    'has one page written over',
    (path) => {
      const bytes = readFileSync(path)
      overwrite(path, Buffer.alloc(PAGE, 0xff), Number(bytes.readBigUInt64LE(rootField(bytes))) * PAGE)
    },
  ],
  [
    'was replaced in place, and its time set back',
    (path) => {
      const { atime, mtime } = statSync(path)
      copyOver(path, leadingOut(path))
      utimesSync(path, atime, mtime)
    },
  ],
  [
    'was replaced in place, under another mode',
    (path) => {
      copyOver(path, leadingOut(path))
      chmodSync(path, 0o640)
    },
  ],
]

const CHILD = `
import { Collection } from ${JSON.stringify(new URL('../collection.ts', import.meta.url).href)}
const [dir, how] = process.argv.slice(1)
try {
  await using collection = how === 'read' ? Collection.openReadOnly(dir) : await Collection.open(dir, Date.now())
  for (const { key } of collection.pages()) {
    collection.url(key)
    ;[...collection.captures(key)]
  }
  console.log('read')
} catch (error) {
  console.log(error.code ?? error.stack)
}
`

/** In a process of its own, which LMDB may end. */
async function opened(
  dir: string,
  how: 'read' | 'write',
): Promise<[code: number | null, signal: unknown, said: string]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, dir, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const out: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return [code, signal, out.join('').trim()]
}

for (const [what, tamper] of TAMPERINGS) {
  test(`a state that ${what} is named to whoever reads or writes, and ends no process`, LIMIT, async (t) => {
    const dir = await collection(t)
    const before = changedAt(stateOf(dir))
    // A clock may be as coarse as a few milliseconds.
    do tamper(stateOf(dir))
    while (changedAt(stateOf(dir)) === before)
    assert.deepEqual(await opened(dir, 'read'), [0, null, 'COLLECTION_DAMAGED'])
    assert.deepEqual(await opened(dir, 'write'), [0, null, 'COLLECTION_DAMAGED'])
  })
}

const markOf = (dir: string): string => join(dir, 'state', 'known')

test('a state that was closed is known to readers and writers, however often it was read since', LIMIT, async (t) => {
  const dir = await collection(t)
  for (let time = 0; time < 3; time++) {
    assert.deepEqual([isKnown(stateOf(dir), true), isKnown(stateOf(dir), false)], [true, true])
    await using again = Collection.openReadOnly(dir)
    assert.equal([...again.pages()].length, 200)
  }
})

test('so is one that was written to again, and one that forgetting has put in its place', LIMIT, async (t) => {
  const dir = await collection(t)
  await using again = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(again, undefined, 200)
  crawl.visit({ page: crawl.offer('/more'), at: AT, body: '<p>more' })
  await crawl.commit()
  await again.close()
  assert.ok(isKnown(stateOf(dir), false))
  await using last = await Collection.open(dir, AT)
  await dropContents(last, [3], AT)
  const successor = join(dir, 'state', 'data-2.mdb')
  assert.ok(isKnown(successor, true), 'beside its writer')
  await last.close()
  assert.deepEqual([isKnown(successor, true), isKnown(successor, false)], [true, true])
})

test(
  'while it is written, a reader takes the living writer at its word, and another writer would not',
  LIMIT,
  async (t) => {
    const dir = await collection(t)
    await using writer = await Collection.open(dir, AT)
    const crawl = new SampleCrawl(writer, undefined, 200)
    crawl.visit({ page: crawl.offer('/more'), at: AT, body: '<p>more' })
    await crawl.commit()
    assert.deepEqual([isKnown(stateOf(dir), true), isKnown(stateOf(dir), false)], [true, false])
  },
)

test('a mark that a writer takes away while it is read is none', LIMIT, async (t) => {
  const dir = await collection(t)
  // What a writer does as it begins and as it ends, over and over.
  const script = `
    const { rmSync, writeFileSync } = require('node:fs')
    const { parentPort, workerData: [path, left] } = require('node:worker_threads')
    parentPort.postMessage('begun')
    for (let time = 0; time < 4_000; time++) {
      rmSync(path, { force: true })
      writeFileSync(path, 'of another file')
    }
    rmSync(path, { force: true })
    writeFileSync(path, left)`
  const writer = new Worker(script, { eval: true, workerData: [markOf(dir), readFileSync(markOf(dir), 'latin1')] })
  const ended = once(writer, 'exit').then(() => true)
  await once(writer, 'message')
  for (let isOver = false; !isOver; isOver = await Promise.race([ended, setImmediate(false)]))
    for (let look = 0; look < 100; look++) isKnown(stateOf(dir), true)
  assert.ok(isKnown(stateOf(dir), true), 'the last mark is what it was')
})

/** Each leaves a state that is sound, and that nobody has vouched for. */
const UNKNOWN: [what: string, change: (dir: string) => string | Promise<string>][] = [
  ['whose writer was killed', killWriter],
  ['that is a copy', copied],
  ['whose mark is of a version that did not say how it left the file', shortMark],
  ['that stands under another mode', (dir) => (chmodSync(stateOf(dir), 0o640), dir)],
]

async function killWriter(dir: string): Promise<string> {
  const script = `
    import { Collection } from ${JSON.stringify(new URL('../collection.ts', import.meta.url).href)}
    await Collection.open(process.argv[1], Date.now())
    process.kill(process.pid, 'SIGKILL')`
  await once(spawn(process.execPath, ['--input-type=module', '-e', script, dir], { stdio: 'ignore' }), 'close')
  return dir
}

function copied(dir: string): string {
  const copy = join(dir, '..', 'copy')
  cpSync(dir, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

function shortMark(dir: string): string {
  writeFileSync(markOf(dir), readFileSync(markOf(dir), 'latin1').split(' ').slice(0, 3).join(' '))
  return dir
}

for (const [what, change] of UNKNOWN) {
  test(`a state ${what} is looked through once, by whoever writes it next`, LIMIT, async (t) => {
    const dir = await change(await collection(t))
    assert.deepEqual([isKnown(stateOf(dir), true), isKnown(stateOf(dir), false)], [false, false])
    await using again = await Collection.open(dir, AT)
    assert.equal([...again.pages()].length, 200)
    await again.close()
    assert.deepEqual([isKnown(stateOf(dir), true), isKnown(stateOf(dir), false)], [true, true])
  })
}

test('a file that came in the place of an open one is not vouched for by whoever closes that one', LIMIT, async (t) => {
  const dir = await collection(t)
  const other = `${stateOf(dir)}.other`
  copyFileSync(stateOf(dir), other)
  const writer = await Collection.open(dir, AT)
  renameSync(other, stateOf(dir))
  await writer.close()
  assert.equal(isKnown(stateOf(dir), false), false)
})
