import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { crc32 } from 'node:zlib'
import { LogFile } from './log-file.ts'
import { hasMark, nextMark, NO_FRAME_HERE, SHORT_FRAME } from './log-framing.ts'
import type { LogFraming } from './log-framing.ts'
import { logSuite } from '../testing/log.suite.ts'

/** As small as a framing can be: a mark, a length, a sum, a text. */
const MARK = Buffer.from('\xf0>', 'latin1')
const texts: LogFraming<string> = {
  encode: (text) => {
    const body = Buffer.from(text)
    const head = Buffer.concat([MARK, Buffer.alloc(8)])
    head.writeUInt32LE(body.length, 2)
    head.writeUInt32LE(crc32(body), 6)
    return Buffer.concat([head, body])
  },
  decode: (bytes, at) => {
    if (bytes.length - at < 10) return SHORT_FRAME
    if (!hasMark(bytes, MARK, at)) return NO_FRAME_HERE
    const end = at + 10 + bytes.readUInt32LE(at + 2)
    if (end > bytes.length) return SHORT_FRAME
    const body = bytes.subarray(at + 10, end)
    if (crc32(body) !== bytes.readUInt32LE(at + 6)) return NO_FRAME_HERE
    return { kind: 'entry', entry: body.toString(), end, isSealed: true }
  },
  next: (bytes, at) => nextMark(bytes, MARK, at),
}

logSuite('texts', { framing: texts, entry: (n) => `entry ${n} `.repeat(n + 1), holesAre: 'damage' })

function place(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-log-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return join(dir, 'log')
}

const HEADER = Buffer.from('log')
const terms = (entries: readonly string[]): Parameters<typeof LogFile.createSync<string>>[1] => ({
  framing: texts,
  entries,
  headerBytes: HEADER.length,
  header: () => HEADER,
})
const entriesOf = (path: string): { kind: string; entries: string[] } => {
  const entries: string[] = []
  const take = (text: string): void => void entries.push(text)
  const { kind } = LogFile.open(path, HEADER.length, (header) =>
    header.equals(HEADER) ? { framing: texts, from: HEADER.length, damage: 'refused', take } : undefined,
  )
  return { kind, entries }
}

test('a log that is not there is missing, and one with another header is left as it is', (t) => {
  const path = place(t)
  assert.equal(entriesOf(path).kind, 'missing')
  writeFileSync(path, 'not a log')
  assert.equal(entriesOf(path).kind, 'headless')
  assert.equal(readFileSync(path, 'utf8'), 'not a log')
})

test('entries longer than any piece that is read at a time are whole, and so are those behind them', async (t) => {
  const path = place(t)
  const long = ['a'.repeat(5_000_000), 'b', 'c'.repeat(1 << 20), 'd']
  const log = await LogFile.create(path, terms(long.slice(0, 2)))
  await log.append(long.slice(2))
  log.close()
  assert.deepEqual(entriesOf(path), { kind: 'open', entries: long })
})

test('a mark that lies across two pieces is found behind damage', (t) => {
  const path = place(t)
  for (let more = 0; more < 12; more++) {
    const log = LogFile.createSync(path, terms(['x'.repeat((1 << 20) - 20 + more), 'whole']))
    log.close()
    const bytes = readFileSync(path)
    bytes[20]! ^= 1
    writeFileSync(path, bytes)
    const opened = LogFile.open(path, HEADER.length, () => ({
      framing: texts,
      from: HEADER.length,
      damage: 'refused',
      take: () => undefined,
    }))
    assert.deepEqual(opened, { kind: 'damaged', at: HEADER.length })
  }
})

test('a new log takes the place of the old one, for its owner alone, and follows no link that stands there', (t) => {
  const path = place(t)
  writeFileSync(`${path}.other`, 'of somebody')
  symlinkSync(`${path}.other`, `${path}.new`)
  const first = LogFile.createSync(path, terms(['one']))
  const second = LogFile.createSync(path, terms(['two']))
  second.appendSync(['three'])
  assert.deepEqual(entriesOf(path).entries, ['two', 'three'])
  assert.equal(statSync(path).mode & 0o077, 0)
  assert.equal(readFileSync(`${path}.other`, 'utf8'), 'of somebody')
  for (const log of [first, second]) log.close()
})
