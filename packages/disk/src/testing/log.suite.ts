/** What every append-only log keeps, whatever its framing: torn, damaged, killed, opened twice, on a full disk. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { missing } from '@comity/protocol/testing'
import { codeOf } from '../system-error.ts'
import { LogFile, LogUnwritable } from '../log/log-file.ts'
import type { LogFraming } from '../log/log-framing.ts'
import { logSourceOf, readLog } from '../log/log-reader.ts'
import type { LogReading, LogTerms } from '../log/log-reader.ts'

export interface LogSample<Entry> {
  readonly framing: LogFraming<Entry>
  /** The nth entry, as its owner would write it. */
  readonly entry: (n: number) => Entry
  /** A framing that does not say which frames were written together takes a hole in the last write for damage. */
  readonly holesAre: 'torn' | 'damage'
}

const HEADER: Buffer = Buffer.from('a header of somebody\n')
/** How many entries each append has. */
const WRITES = [1, 2, 3]
const TOTAL = 6
/** All but the last write. */
const SYNCED = 3

export function logSuite<Entry>(name: string, sample: LogSample<Entry>): void {
  const { framing, entry } = sample
  const terms = (damage: LogTerms<Entry>['damage'], take: LogTerms<Entry>['take']): LogTerms<Entry> => ({
    framing,
    from: HEADER.length,
    damage,
    take,
  })
  const spelt = (one: Entry): string => Buffer.from(framing.encode(one, true)).toString('latin1')
  const names = new Map(Array.from({ length: TOTAL + 1 }, (_, n) => [spelt(entry(n)), n]))

  /** The numbers of the entries that are read; -1 for one that nobody wrote. */
  function numbersIn(bytes: Buffer, damage: LogTerms<Entry>['damage']): LogReading & { numbers: number[] } {
    const numbers: number[] = []
    const take = (one: Entry): void => void numbers.push(names.get(spelt(one)) ?? -1)
    return { ...readLog(logSourceOf(bytes), terms(damage, take)), numbers }
  }

  function opened(path: string): { log: LogFile<Entry>; numbers: number[]; cutBytes: number } {
    const numbers: number[] = []
    const take = (one: Entry): void => void numbers.push(names.get(spelt(one)) ?? -1)
    const found = LogFile.open(path, HEADER.length, () => terms('refused', take))
    assert.ok(found.kind === 'open', found.kind)
    return { log: found.log, numbers, cutBytes: found.cutBytes }
  }

  const newLog = async (path: string, entries: readonly Entry[] = []): Promise<LogFile<Entry>> =>
    await LogFile.create(path, { framing, entries, headerBytes: HEADER.length, header: () => HEADER })

  /** A log of three writes, where each entry begins, and which may be believed behind what is no entry. */
  async function written(
    t: TestContext,
  ): Promise<{ path: string; bytes: Buffer; starts: number[]; sealed: boolean[] }> {
    const path = join(folder(t), 'log')
    const log = await newLog(path)
    const starts: number[] = [HEADER.length]
    for (const [i, count] of WRITES.entries()) {
      const first = starts.length - 1
      const entries = Array.from({ length: count }, (_, n) => entry(first + n))
      starts.push(...(i % 2 === 0 ? await log.append(entries) : log.appendSync(entries)))
    }
    log.close()
    const bytes = readFileSync(path)
    const sealed = starts.slice(0, -1).map((at) => {
      const frame = framing.decode(bytes, at)
      return frame.kind === 'entry' && frame.isSealed
    })
    return { path, bytes, starts, sealed }
  }

  test(`${name}: torn at any byte, it is read up to its last whole entry, and nothing is damage`, async (t) => {
    const { bytes, starts } = await written(t)
    for (let length = HEADER.length; length <= bytes.length; length++) {
      const whole = wholeIn(starts, length)
      const { numbers, end, cutBytes, damagedAt } = numbersIn(bytes.subarray(0, length), 'refused')
      assert.deepEqual(numbers, upTo(whole), `torn at ${length}`)
      assert.deepEqual([end, cutBytes, damagedAt], [starts[whole], length - starts[whole]!, undefined])
    }
  })

  test(`${name}: its torn end is cut when it is opened to be written, and it goes on`, async (t) => {
    const { path, bytes, starts } = await written(t)
    for (let length = HEADER.length; length <= bytes.length; length += 11) {
      writeFileSync(path, bytes.subarray(0, length))
      const whole = wholeIn(starts, length)
      const { log, numbers, cutBytes } = opened(path)
      assert.deepEqual([numbers, cutBytes], [upTo(whole), length - starts[whole]!])
      await log.append([entry(TOTAL)])
      log.close()
      const again = opened(path)
      assert.deepEqual([again.numbers, again.cutBytes], [[...upTo(whole), TOTAL], 0])
    }
  })

  test(`${name}: a damaged byte anywhere is noticed, and never gives what nobody wrote`, async (t) => {
    const { bytes, starts, sealed } = await written(t)
    for (let at = HEADER.length; at < bytes.length; at++) {
      const spoilt = Buffer.from(bytes)
      spoilt[at]! ^= 0x21
      const hit = wholeIn(starts, at)
      const refused = numbersIn(spoilt, 'refused')
      assert.deepEqual(refused.numbers, upTo(hit), `damaged at ${at}`)
      // Damage to where one entry ends may cost the next one, too.
      if (sealed.slice(hit + 2).includes(true)) assert.equal(refused.damagedAt, starts[hit])
      if (!sealed.slice(hit + 1).includes(true)) assert.equal(refused.damagedAt, undefined)
      const passed = numbersIn(spoilt, 'passed over')
      assert.ok(!passed.numbers.includes(hit) && !passed.numbers.includes(-1))
      assert.deepEqual(passed.numbers.slice(0, hit), upTo(hit))
      assert.equal(passed.lostBytes + passed.cutBytes > 0, true)
      if (sample.holesAre === 'damage') assert.ok(passed.numbers.length >= TOTAL - 2)
    }
  })

  test(`${name}: killed between write and sync, whatever hole is left in the last write, what was durable is there`, async (t) => {
    const { bytes, starts } = await written(t)
    const last = starts[SYNCED]!
    for (let from = last; from < bytes.length; from += 5) {
      for (let to = from + 1; to <= bytes.length; to += 13) {
        const { numbers, damagedAt } = numbersIn(Buffer.from(bytes).fill(0, from, to), 'refused')
        assert.ok(numbers.length >= SYNCED && numbers.every((n, i) => n === i), `a hole at ${from}`)
        if (sample.holesAre === 'torn') assert.equal(damagedAt, undefined)
        else assert.ok((damagedAt ?? Infinity) >= last)
      }
    }
  })

  test(`${name}: who reads beside who writes sees whole entries and changes nothing`, async (t) => {
    const { path, bytes } = await written(t)
    const { log } = opened(path)
    appendFileSync(path, bytes.subarray(HEADER.length, HEADER.length + 5))
    const torn = readFileSync(path)
    assert.deepEqual(numbersIn(torn, 'refused').numbers, upTo(TOTAL))
    assert.deepEqual(readFileSync(path), torn)
    await log.append([entry(TOTAL)])
    assert.deepEqual(opened(path).numbers, upTo(TOTAL + 1))
    assert.deepEqual([opened(path).numbers, opened(path).cutBytes], [upTo(TOTAL + 1), 0])
    log.close()
  })

  test(`${name}: damage is told with its place, and nothing is changed`, async (t) => {
    const { path, bytes, starts } = await written(t)
    const spoilt = Buffer.from(bytes)
    spoilt[starts[0]! + 2]! ^= 0x21
    writeFileSync(path, spoilt)
    const found = LogFile.open(path, HEADER.length, () => terms('refused', () => undefined))
    assert.deepEqual(found, { kind: 'damaged', at: starts[0] })
    assert.deepEqual(readFileSync(path), spoilt)
  })

  test(`${name}: what was durable before the log got its name has no torn end`, async (t) => {
    const path = join(folder(t), 'log')
    ;(await newLog(path, upTo(TOTAL).map(entry))).close()
    const bytes = readFileSync(path)
    const durable = { ...terms('refused', () => undefined), durableTo: bytes.length }
    assert.equal(readLog(logSourceOf(bytes), durable).damagedAt, undefined)
    for (let length = HEADER.length; length < bytes.length; length++)
      assert.notEqual(readLog(logSourceOf(bytes.subarray(0, length)), durable).damagedAt, undefined)
  })

  /** The kernel's own devices fail as disks do: one is always full, the other cannot sync. */
  const failing: [sentence: string, device: string][] = [
    ['a write that can neither be finished nor undone', '/dev/full'],
    ['a sync that failed', '/dev/null'],
  ]
  for (const [sentence, device] of failing) {
    test(`${name}: after ${sentence} it takes no more`, async (t) => {
      if (!existsSync(device)) return missing(t, device, 'it comes with Linux')
      for (const isSync of [false, true]) {
        const path = join(folder(t), 'log')
        symlinkSync(device, path)
        const log = new LogFile(path, framing, HEADER.length)
        const append = async (): Promise<unknown> =>
          isSync ? log.appendSync([entry(0)]) : await log.append([entry(0)])
        for (const _ of [1, 2])
          await assert.rejects(append, (error) => error instanceof LogUnwritable && !error.isUsable)
        assert.equal(log.bytes, HEADER.length)
        log.close()
      }
    })
  }

  test(`${name}: a full disk refuses what finds no room, keeps all before it, and goes on when there is room`, async (t) => {
    const dir = smallDisk(t)
    if (dir === undefined) return missing(t, 'a small disk', 'run as root, so that a tmpfs can be mounted')
    const path = join(dir, 'log')
    const log = await newLog(path)
    await log.append(upTo(TOTAL).map(entry))
    fill(join(dir, 'ballast'))
    const many = Array.from({ length: 10_000 }, () => entry(0))
    await assert.rejects(log.append(many), isFull)
    assert.throws(() => log.appendSync(many), isFull)
    await assert.rejects(newLog(path, many), { code: 'ENOSPC' })
    assert.deepEqual([existsSync(`${path}.new`), opened(path).numbers, opened(path).cutBytes], [false, upTo(TOTAL), 0])
    rmSync(join(dir, 'ballast'))
    await log.append([entry(TOTAL)])
    assert.deepEqual(opened(path).numbers, upTo(TOTAL + 1))
    log.close()
  })
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

const wholeIn = (starts: readonly number[], length: number): number =>
  starts.slice(1).filter((end) => end <= length).length

const isFull = (error: unknown): boolean =>
  error instanceof LogUnwritable && error.isUsable && codeOf(error.cause) === 'ENOSPC'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-log-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function smallDisk(t: TestContext): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'comity-log-'))
  t.after(() => {
    spawnSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true, force: true })
  })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir])
  return mounted.status === 0 ? dir : undefined
}

function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(4_096))
  } catch (error) {
    assert.equal(codeOf(error), 'ENOSPC')
  }
}
