import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { amount } from '@comity/protocol/testing'
import { CollectionError } from '../errors.ts'
import { FileInbox } from './file-inbox.ts'
import type { InboxOptions } from './file-inbox.ts'
import { inboxSuite, itemOf, plain } from '../testing/inbox.suite.ts'
import { bodyOf, isInFile, itemOf as killedItem } from '../testing/killed-inbox.ts'
import { testFolder } from '../testing/sample-crawl.ts'

const roomy = { minFreeBytes: 0 }

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(dir, { recursive: true })
  return dir
}

const open = (dir: string, after = 0, options: Partial<InboxOptions> = {}): Promise<FileInbox> =>
  FileInbox.open(dir, after, { ...roomy, ...options })

inboxSuite('file inbox', (t, after, limits) => open(folder(t), after, { ...limits, segmentBytes: 2_000 }))

test('what was kept is there when it is opened again, and numbers go on', async (t) => {
  const dir = folder(t)
  for (let round = 0; round < 4; round++) {
    await using inbox = await open(dir, 0, { segmentBytes: 1_500 })
    assert.equal(inbox.depth.items, round * 5)
    for (let i = 1; i <= 5; i++) await inbox.append(itemOf(round * 5 + i))
    const all = await inbox.read(0, 100)
    assert.deepEqual(
      all.map(plain),
      Array.from({ length: (round + 1) * 5 }, (_, i) => plain({ ...itemOf(i + 1), number: i + 1 })),
    )
  }
  assert.ok(readdirSync(join(dir, 'inbox')).filter((name) => name.startsWith('segment-')).length > 3)
})

test('what a reader has acknowledged is deleted, but for the file that says where numbers go on', async (t) => {
  const dir = folder(t)
  {
    await using inbox = await open(dir, 0, { segmentBytes: 1_500 })
    for (let i = 1; i <= 40; i++) await inbox.append(itemOf(i))
    await inbox.acknowledged(40)
    assert.equal(readdirSync(join(dir, 'inbox')).filter((name) => name.startsWith('segment-')).length, 1)
  }
  await using inbox = await open(dir, 40)
  assert.equal(inbox.depth.items, 0)
  assert.deepEqual(await inbox.append(itemOf(41)), { kind: 'kept', number: 41 })
})

test('many who append at once share few syncs', async (t) => {
  await using inbox = await open(folder(t))
  await Promise.all(Array.from({ length: 2_000 }, (_, i) => inbox.append(itemOf(i + 1))))
  assert.equal(inbox.figures.appended, 2_000)
  assert.ok(inbox.figures.syncs <= 3, `${inbox.figures.syncs} syncs`)
})

test('a large body stands in a file of its own until it is acknowledged', async (t) => {
  const dir = folder(t)
  await using inbox = await open(dir)
  const spool = await inbox.spool()
  for (let i = 0; i < 10; i++) await spool.write(Buffer.alloc(100_000, i))
  const file = await spool.finish()
  assert.deepEqual(await inbox.append({ ...itemOf(1), body: new Uint8Array(), file }), { kind: 'kept', number: 1 })
  assert.equal(existsSync(file.path), false)
  const [item] = await inbox.read(0, 1)
  assert.equal(item?.file?.bytes, 1_000_000)
  assert.equal(readFileSync(item.file.path)[950_000], 9)
  assert.ok(inbox.depth.bytes > 1_000_000)
  await inbox.acknowledged(1)
  assert.equal(existsSync(item.file.path), false)
  assert.ok(inbox.depth.bytes < 10_000)
})

test('a body that finds no room stays with who sent it', async (t) => {
  await using inbox = await open(folder(t), 0, { maxBytes: 50_000 })
  const spool = await inbox.spool()
  await spool.write(Buffer.alloc(60_000))
  const file = await spool.finish()
  assert.deepEqual(await inbox.append({ ...itemOf(1), file }), { kind: 'full', what: 'bytes' })
  assert.ok(existsSync(file.path))
  await spool.discard()
  assert.equal(existsSync(file.path), false)
})

test('nothing is taken in when the disk has hardly any room, and it goes on when there is', async (t) => {
  const dir = folder(t)
  {
    await using inbox = await open(dir, 0, { minFreeBytes: Number.MAX_SAFE_INTEGER })
    assert.deepEqual(await inbox.append(itemOf(1)), { kind: 'full', what: 'disk' })
  }
  await using inbox = await open(dir)
  assert.deepEqual(await inbox.append(itemOf(1)), { kind: 'kept', number: 1 })
})

test('a body larger than a record may be is a bug of the caller', async (t) => {
  await using inbox = await open(folder(t))
  await assert.rejects(inbox.append({ ...itemOf(1), body: Buffer.alloc(300_000) }), RangeError)
})

test('two cannot write one inbox', async (t) => {
  const dir = folder(t)
  await using inbox = await open(dir)
  await assert.rejects(open(dir), (error) => error instanceof CollectionError && error.code === 'COLLECTION_HELD')
  assert.equal(inbox.last, 0)
})

test('an inbox of a newer format is refused and left alone', async (t) => {
  const dir = folder(t)
  await (await open(dir)).close()
  const { crc32 } = await import('node:zlib')
  const header = Buffer.alloc(36)
  header.write('comity inbox 9\n')
  header.writeUInt32LE(crc32(header.subarray(0, 32)), 32)
  const path = join(dir, 'inbox', 'segment-000000000001.log')
  writeFileSync(path, header)
  await assert.rejects(open(dir), (error) => error instanceof CollectionError && error.code === 'INBOX_FORMAT')
  assert.deepEqual(readFileSync(path), header)
})

test('a folder that cannot be made is told by name', async (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'inbox'), 'a file')
  await assert.rejects(open(dir), (error) => error instanceof CollectionError && error.code === 'INBOX_UNWRITABLE')
})

const KILLS = amount(5, 100)
const WRITER = join(import.meta.dirname, '../testing/killed-inbox.ts')

interface Said {
  readonly kept: Map<number, number>
  done: number
}

/** Let the writer run, kill it some moments after so many items, and return the last count that was kept. */
async function runAndKill(dir: string, said: Said, from: number, items: number): Promise<number> {
  const args = [WRITER, dir, String(said.done), String(from)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let [highest, seen] = [from, 0]
  const lines = createInterface(child.stdout)
  const enough = Promise.withResolvers<void>()
  lines.on('line', (line) => {
    const [word, first = '', second = ''] = line.split(' ')
    if (word === 'done') said.done = Number(first)
    if (word !== 'kept') return
    assert.ok(!said.kept.has(Number(second)), `number ${second} was given twice`)
    said.kept.set(Number(second), Number(first))
    highest = Math.max(highest, Number(first))
    if (seen++ === items) enough.resolve()
  })
  await enough.promise
  // Not a wait for something to happen, but the moment of the kill.
  await sleep(Math.random() * 12)
  child.kill('SIGKILL')
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
  return highest
}

test(`after ${KILLS} kills at random moments everything that was kept is there, once, and nothing else of ours`, async (t) => {
  const dir = folder(t)
  const said: Said = { kept: new Map(), done: 0 }
  let [count, cuts] = [0, 0]
  for (let kill = 0; kill < KILLS; kill++) {
    // Counts that were written and not answered are not used again.
    count = (await runAndKill(dir, said, count, Math.floor(Math.random() * 120))) + 100
    await using inbox = await open(dir, said.done, { segmentBytes: 40_000 })
    cuts += Number(inbox.figures.cutBytes > 0)
    assert.equal(inbox.figures.lostBytes, 0)
    const items = []
    for (let more = await inbox.read(said.done, 50); more.length > 0; more = await inbox.read(items.at(-1)!.number, 50))
      items.push(...more)
    const numbers = new Set(items.map(({ number }) => number))
    assert.equal(numbers.size, items.length)
    for (const [number] of said.kept) assert.ok(number <= said.done || numbers.has(number), `item ${number} is lost`)
    for (const item of items) {
      const n = item.at - killedItem(0).at
      const body = isInFile(n) ? readFileSync(item.file?.path ?? '') : Buffer.from(item.body)
      assert.deepEqual(body, bodyOf(n), `item ${item.number}`)
      assert.equal(said.kept.get(item.number) ?? n, n)
    }
    const files = readdirSync(join(dir, 'inbox'))
    assert.deepEqual(
      files.filter((name) => name.endsWith('.part') || name.endsWith('.new')),
      [],
    )
    assert.equal(
      files.filter((name) => name.startsWith('body-')).length,
      items.filter(({ file }) => file !== undefined).length,
    )
  }
  assert.ok(said.kept.size > KILLS, `${said.kept.size} items: too few to mean anything`)
  t.diagnostic(`${said.kept.size} items kept, ${cuts} torn ends cut`)
})

/** An inbox of 12 items in one segment, and where each record begins. */
async function written(dir: string): Promise<{ path: string; bytes: Buffer; ends: number[] }> {
  const ends: number[] = []
  await using inbox = await open(dir)
  for (let i = 1; i <= 12; i++) {
    await inbox.append(itemOf(i))
    ends.push(inbox.depth.bytes)
  }
  const path = join(dir, 'inbox', 'segment-000000000001.log')
  return { path, bytes: readFileSync(path), ends }
}

test('a file that was cut anywhere gives all records before the cut, and goes on behind them', async (t) => {
  const dir = folder(t)
  const { path, bytes, ends } = await written(dir)
  for (let cut = 36; cut < bytes.length; cut += 7) {
    writeFileSync(path, bytes.subarray(0, cut))
    await using inbox = await open(dir)
    const whole = ends.filter((end) => end <= cut).length
    assert.equal(inbox.depth.items, whole, `cut at ${cut}`)
    assert.equal(inbox.figures.cutBytes, cut - (ends[whole - 1] ?? 36))
    const appended = await inbox.append(itemOf(99))
    assert.ok(appended.kind === 'kept' && appended.number > whole)
    assert.equal((await inbox.read(whole, 5)).length, 1)
  }
})

test('whatever is done to a file, every item that is read is one that was written, and no number is given twice', async (t) => {
  const dir = folder(t)
  const { path, bytes, ends } = await written(dir)
  const damages = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
    minLength: 1,
    maxLength: 4,
  })
  const isWhole = (record: number, places: readonly number[]): boolean =>
    !places.some((at) => at < 36 || (at >= (ends[record - 2] ?? 36) && at < ends[record - 1]!))
  await fc.assert(
    fc.asyncProperty(damages, async (all) => {
      for (const name of readdirSync(join(dir, 'inbox'))) rmSync(join(dir, 'inbox', name))
      const damaged = Buffer.from(bytes)
      for (const [at, flip] of all) damaged[at]! ^= flip
      const places = all.map(([at]) => at).filter((at) => damaged[at] !== bytes[at])
      writeFileSync(path, damaged)
      await using inbox = await open(dir)
      const items = await inbox.read(0, 100)
      const expected = Array.from({ length: 12 }, (_, i) => i + 1).filter((n) => isWhole(n, places))
      assert.deepEqual(
        items.map(plain),
        expected.map((n) => plain({ ...itemOf(n), number: n })),
      )
      const next = await inbox.append(itemOf(1))
      assert.ok(next.kind === 'kept' && next.number > 12, JSON.stringify(next))
    }),
    { numRuns: 300 },
  )
})

test('random files in the folder are never a crash', async (t) => {
  const dir = folder(t)
  await (await open(dir)).close()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.nat(99), async (bytes, first) => {
      writeFileSync(join(dir, 'inbox', `segment-${String(first).padStart(12, '0')}.log`), bytes)
      await using inbox = await open(dir)
      assert.deepEqual(await inbox.read(0, 10), [])
    }),
    { numRuns: 50 },
  )
})

test('a body that holds a whole record cannot be taken for one when its own record is torn', async (t) => {
  const [dir, other] = [folder(t), folder(t)]
  // The attacker has an inbox too, and knows all about the format but the mark of ours.
  const { bytes } = await written(other)
  {
    await using inbox = await open(dir)
    await inbox.append({ ...itemOf(1), body: bytes.subarray(36) })
  }
  const path = join(dir, 'inbox', 'segment-000000000001.log')
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, whole.length - 10))
  await using inbox = await open(dir)
  assert.deepEqual(await inbox.read(0, 10), [])
})

test('bodies in files that are lost or cut are counted', async (t) => {
  const dir = folder(t)
  {
    await using inbox = await open(dir)
    const spool = await inbox.spool()
    await spool.write(Buffer.alloc(5_000))
    await inbox.append({ ...itemOf(1), body: new Uint8Array(), file: await spool.finish() })
  }
  rmSync(join(dir, 'inbox', 'body-000000000001.bin'))
  await using inbox = await open(dir)
  assert.equal(inbox.figures.lostBytes, 5_000)
  assert.equal(inbox.depth.items, 1)
})

test('files of the inbox are for their owner alone', async (t) => {
  const dir = folder(t)
  const { path } = await written(dir)
  assert.equal(statSync(path).mode & 0o077, 0)
})
