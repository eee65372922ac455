import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { amount, missing } from '@comity/protocol/testing'
import { FileJournal } from './file-journal.ts'
import { HEADER_BYTES } from './header.ts'
import { AT, bodyOf, failsAs, gone, pageOf, testFolder, withBody } from '../testing/journal-sample.ts'
import { PAGES, pathOfChange, versionOfChange } from '../testing/killed-recorder.ts'

const KILLS = amount(6, 200)
const RECORDER = join(import.meta.dirname, '../testing/killed-recorder.ts')

/** Let the recorder run, kill it after so many records, and return the last change it called durable. */
async function runAndKill(dir: string, records: number, moreMs: number): Promise<number> {
  const child = spawn(process.execPath, [RECORDER, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  let [recorded, seen] = [0, 0]
  const lines = createInterface(child.stdout)
  const enough = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (line.startsWith('recorded ')) recorded = Number(line.slice(9))
      if (seen++ === records) resolve()
    })
  })
  await Promise.race([enough, once(child, 'exit')])
  // Not a wait for something to happen, but the moment of the kill: anywhere within the next records.
  await sleep(moreMs)
  child.kill('SIGKILL')
  await Promise.all([once(child, 'exit'), once(lines, 'close')])
  return recorded
}

test(`after ${KILLS} kills at random moments everything that was recorded is there`, async (t) => {
  const dir = testFolder(t)
  let cuts = 0
  let last = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const recorded = await runAndKill(dir, Math.floor(Math.random() * 60), Math.random() * 12)
    await using journal = await FileJournal.open(dir, { limits: { changes: 300 } })
    cuts += Number(journal.cutBytes > 0)
    assert.ok(journal.last >= recorded && journal.last >= last, `${journal.last} of ${recorded} recorded`)
    last = journal.last
    for (let number = Math.max(1, last - PAGES + 1); number <= last; number++) {
      const page = pageOf(pathOfChange(number), versionOfChange(number))
      assert.deepEqual(journal.page(page.path), page, `change ${number} of ${last}`)
      const body = journal.version(page.digest)
      if (body !== undefined) assert.deepEqual(Buffer.from(body), bodyOf(page.path, versionOfChange(number)))
    }
    const changes = journal.changesAfter(journal.since) ?? []
    assert.deepEqual(
      changes.map(({ number }) => number),
      Array.from(changes, (_, i) => journal.since + 1 + i),
    )
    for (const { number, path } of changes) assert.equal(path, pathOfChange(number))
  }
  assert.ok(last > KILLS, `${last} changes: too few to mean anything`)
  t.diagnostic(`${last} changes, ${cuts} torn ends cut`)
})

/** A journal of a snapshot (/s), two writes of their own, and one write of three records; and where each begins. */
async function written(dir: string): Promise<{ file: string; bytes: Buffer; starts: number[] }> {
  await using journal = await FileJournal.open(dir, { limits: { changes: 100 } })
  await journal.record([pageOf('/s'), pageOf('/s', 2)], AT)
  await journal.compact(AT)
  const starts = [journal.bytes]
  for (const batch of [[pageOf('/a')], [pageOf('/b'), gone('/s')], [pageOf('/c'), pageOf('/a', 2), gone('/b')]]) {
    await journal.record(batch, AT)
    starts.push(journal.bytes)
  }
  const file = join(dir, 'journal.log')
  return { file, bytes: readFileSync(file), starts }
}

test('a file cut at any byte behind its snapshot opens with all whole records, and goes on', async (t) => {
  const { bytes, starts } = await written(testFolder(t))
  const root = testFolder(t)
  for (let length = starts[0]!; length <= bytes.length; length += 7) {
    const dir = join(root, String(length))
    mkdirSync(dir)
    writeFileSync(join(dir, 'journal.log'), bytes.subarray(0, length))
    await using journal = await FileJournal.open(dir)
    const least = length >= starts[3]! ? 8 : length >= starts[2]! ? 5 : length >= starts[1]! ? 3 : 2
    assert.ok(journal.last >= least, `${journal.last} changes of ${least} in ${length} bytes`)
    assert.equal(journal.bytes + journal.cutBytes, length)
    const [next] = await journal.record([pageOf('/next')], AT)
    assert.equal(next?.number, journal.last)
    assert.equal(next.number, (journal.changesAfter(0) ?? []).length)
  }
})

const endings: [sentence: string, spoil: (bytes: Buffer, starts: number[]) => Buffer, last: number][] = [
  ['zeros behind the last record', (bytes) => Buffer.concat([bytes, Buffer.alloc(5_000)]), 8],
  [
    'noise behind the last record',
    (bytes) => Buffer.concat([bytes, Buffer.from('CJs\nCJj\n\xff\xff\0\0CJs\n', 'latin1')]),
    8,
  ],
  [
    'a hole in the last write, with whole records of it behind',
    (bytes, starts) => bytes.fill(0, starts[2], starts[2]! + 50),
    5,
  ],
]
for (const [sentence, spoil, last] of endings) {
  test(`${sentence}: cut off, because nobody was told that they are durable`, async (t) => {
    const dir = testFolder(t)
    const { file, bytes, starts } = await written(dir)
    writeFileSync(file, spoil(Buffer.from(bytes), starts))
    await using journal = await FileJournal.open(dir)
    assert.equal(journal.last, last)
    assert.ok(journal.cutBytes > 0)
  })
}

const damages: [sentence: string, spoil: (bytes: Buffer, starts: number[]) => Buffer][] = [
  ['a record of an earlier write', (bytes, starts) => bytes.fill(0, starts[0], starts[0]! + 20)],
  ['one bit of an earlier write', (bytes, starts) => flip(bytes, starts[1]! + 30)],
  ['the length of an earlier record', (bytes, starts) => flip(bytes, starts[1]! + 5)],
  ['the snapshot', (bytes) => flip(bytes, HEADER_BYTES + 40)],
  [
    'the last record of the snapshot, with nothing behind it',
    (bytes, starts) => flip(bytes.subarray(0, starts[0]), starts[0]! - 1),
  ],
  ['a snapshot that was cut', (bytes, starts) => bytes.subarray(0, starts[0]! - 3)],
  [
    'a write that is missing',
    (bytes, starts) => Buffer.concat([bytes.subarray(0, starts[0]), bytes.subarray(starts[1])]),
  ],
  ['a write that stands twice', (bytes, starts) => Buffer.concat([bytes, bytes.subarray(starts[2])])],
]
const flip = (bytes: Buffer, at: number): Buffer => (bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at), bytes)
for (const [sentence, spoil] of damages) {
  test(`damage is refused by name and place, and nothing is changed: ${sentence}`, async (t) => {
    const dir = testFolder(t)
    const { file, bytes, starts } = await written(dir)
    const spoilt = Buffer.from(spoil(Buffer.from(bytes), starts))
    writeFileSync(file, spoilt)
    await assert.rejects(FileJournal.open(dir), failsAs('JOURNAL_DAMAGED', /byte \d+.*[Rr]estore/s))
    assert.deepEqual(readFileSync(file), spoilt)
  })
}

test('whichever bits are flipped, a journal opens with a beginning of what it held or not at all', async (t) => {
  const { bytes } = await written(testFolder(t))
  const clean = testFolder(t)
  writeFileSync(join(clean, 'journal.log'), bytes)
  await using full = await FileJournal.open(clean)
  const changes = full.changesAfter(0) ?? []
  const dir = testFolder(t)
  let opened = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { minLength: 1, maxLength: 3 }),
      async (flips) => {
        const spoilt = Buffer.from(bytes)
        for (const [at, bit] of flips) spoilt[at]! ^= 1 << bit
        writeFileSync(join(dir, 'journal.log'), spoilt)
        try {
          await using journal = await FileJournal.open(dir)
          assert.deepEqual(journal.changesAfter(0), changes.slice(0, journal.last))
          opened++
        } catch (error) {
          assert.ok(failsAs('JOURNAL_DAMAGED', /./)(error) || failsAs('JOURNAL_FORMAT', /./)(error), String(error))
        }
      },
    ),
    { numRuns: 300 },
  )
  assert.ok(opened > 10, `${opened} opened`)
})

test('a full disk refuses what finds no room, keeps what was recorded, and goes on when there is room', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-disk-'))
  t.after(() => {
    spawnSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true, force: true })
  })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,nr_inodes=2k', 'tmpfs', dir]).status !== 0)
    return missing(t, 'a small disk', 'run as root, so that a tmpfs can be mounted')
  appendFileSync(join(dir, 'ballast'), Buffer.alloc(2_500_000))
  const site = join(dir, 'site')
  const journal = await FileJournal.open(site)
  let [recorded, failure]: [number, unknown] = [0, undefined]
  while (failure === undefined) {
    const batch = Array.from({ length: 500 }, (_, i) => withBody(`/${recorded + i}`))
    try {
      recorded += (await journal.record(batch, AT)).length
    } catch (error) {
      failure = error
    }
  }
  assert.ok(failsAs('JOURNAL_UNWRITABLE', /Everything recorded before is safe/)(failure), inspect(failure))
  assert.equal(journal.last, recorded)
  rmSync(join(dir, 'ballast'))
  recorded += (await journal.record([pageOf('/more')], AT)).length
  await journal.close()
  await using again = await FileJournal.open(site)
  assert.deepEqual([again.last, again.pageCount, again.cutBytes], [recorded, recorded, 0])
})
