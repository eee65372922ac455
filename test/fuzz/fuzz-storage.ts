/** Fuzz targets: what lies on disk, where a crash, a bad sector or another version may have written it. */
import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import {
  CollectionError,
  decodeReading,
  encodeLinks,
  encodeReading,
  packAnchors,
  unpackAnchors,
} from '@comity/collection'
import { logSourceOf, readLog } from '@comity/disk'
import { FrontierError, readPageLog } from '@comity/frontier'
import { readLedger, SiteError } from '@comity/site'
import { FrameReader, QUESTIONS, readQuestion } from '../../packages/agent/src/sandbox/wire.ts'
import { readRecord } from '../../packages/agent/src/bundle/record.ts'
import { decodeChanges, encodeChanges } from '../../packages/collection/src/rows/change-list.ts'
import { decodeRecord, encodeRecord } from '../../packages/collection/src/inbox/record.ts'
import { decodeSegmentHeader, encodeSegmentHeader, segmentTerms } from '../../packages/collection/src/inbox/segment.ts'
import { decodeLinks, decodeTargets } from '../../packages/collection/src/rows/link-list.ts'
import { readSubscriptions } from '../../packages/collection/src/inbox/subscription.ts'
import { decodePages } from '../../packages/follow/src/offers/named-pages.ts'
import { decodeRevisitRecord, encodeRevisitRecord } from '../../packages/frontier/src/revisit/revisit-record.ts'
import { readUploadRecord } from '../../packages/receiver/src/body/upload-record.ts'
import { readCrawlerDays } from '../../packages/site/src/ledger/crawler-week.ts'
import { readMemoryRow } from '../../packages/site/src/deliver/delivery-worker-memory.ts'
import { readDeliveryWorkerRow } from '../../packages/site/src/deliver/delivery-worker-row.ts'
import { readDeadLetter } from '../../packages/site/src/deliver/dead-letters.ts'
import { decodeHeader, encodeHeader } from '../../packages/site/src/journal/header.ts'
import { decodeFrame, encodeFrame } from '../../packages/site/src/journal/record.ts'
import { readSubscriber } from '../../packages/site/src/hub/subscriber-file.ts'
import { readToken, writeToken } from '../../packages/site/src/sync-token.ts'
import { isPlainObject } from '../../packages/cli/src/config-file.ts'
import { jsonIn, unlessRefused } from './fuzz-target.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const AT = Date.UTC(2026, 0, 2)
const MARK = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
const DIGEST = `sha-256:${'0'.repeat(64)}`
const item = {
  number: 1,
  origin: 'http://a.example',
  scheme: 'pages',
  door: 'push',
  proof: 'signature',
  type: 'application/warc',
  at: AT,
  body: Buffer.from('body'),
} as const
const change = {
  number: 1,
  change: 'updated',
  at: AT,
  path: '/1',
  modifiedAt: AT,
  digest: DIGEST,
  bytes: 4,
  type: 'text/html',
  importance: 0.5,
} as const

/** A damaged record would stop at its sum: with the right one the reader behind it is reached. */
function summed(bytes: Buffer, from: number, sumAt: number): Buffer {
  const copy = Buffer.from(bytes)
  if (copy.length >= Math.max(from, sumAt + 4)) copy.writeUInt32LE(crc32(copy.subarray(from)), sumAt)
  return copy
}

function checkSegment(bytes: Buffer): void {
  const header = decodeSegmentHeader(bytes)
  const offsets: number[] = []
  const terms = segmentTerms(header.kind === 'header' ? header.header : { mark: MARK, first: 0 }, (_, at) =>
    offsets.push(at),
  )
  assert.ok(readLog(logSourceOf(bytes), terms).end <= Math.max(bytes.length, 36))
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  )
}

const unheard = (): void => undefined

function checkRecords(bytes: Buffer): void {
  checkSegment(bytes)
  const record = summed(bytes, 16, 12)
  if (record.length > 16) record.writeUInt32LE(record.length - 16, 8)
  record.set(MARK.subarray(0, Math.min(8, record.length)))
  const read = decodeRecord(summed(record, 16, 12), 0, MARK)
  if (read.kind === 'entry') assert.ok(read.end <= record.length && typeof read.entry.origin === 'string')
  for (const frame of [bytes, summed(bytes, 12, 8)]) {
    const decoded = decodeFrame(frame, 0)
    if (decoded.kind === 'entry')
      assert.deepEqual(decodeFrame(encodeFrame(decoded.entry, decoded.isSealed), 0), decoded)
  }
  for (const one of [bytes, summed(bytes.subarray(0, 64), 16, 12)])
    unlessRefused(SiteError, () => decodeHeader(one, 'journal'))
  unlessRefused(FrontierError, () => readPageLog(bytes, { begins: unheard, added: unheard, changed: unheard }))
  const revisit = decodeRevisitRecord(bytes)
  if (revisit !== undefined) assert.ok(encodeRevisitRecord(revisit).length <= bytes.length)
  const reading = decodeReading(bytes)
  if (reading !== undefined) assert.deepEqual(Buffer.from(encodeReading(reading)), bytes)
  assert.ok(decodeChanges(bytes).length <= bytes.length)
  unlessRefused(RangeError, () => decodePages(bytes))
  unlessRefused(CollectionError, () => decodeLinks(bytes, 100_000))
  unlessRefused(CollectionError, () => decodeTargets(bytes))
  unlessRefused(CollectionError, () => unpackAnchors(bytes, 100_000))
  checkFrames(bytes)
}

function checkFrames(bytes: Buffer): void {
  const reader = new FrameReader(1_000)
  for (let at = 0; at < bytes.length; at += 50) {
    const frames = reader.push(bytes.subarray(at, at + 50))
    if (frames === undefined) return
    for (const frame of frames) {
      assert.ok(frame.length <= 1_000)
      const question = readQuestion(frame)
      if (question !== undefined) assert.ok(QUESTIONS.includes(question.name))
    }
  }
}

const revisit = {
  flags: 1,
  visits: 2,
  visitedAt: AT,
  lastEventAt: AT,
  ourMark: 1,
  lastMark: 2,
  events: 3,
  heard: 1,
  lastChannel: 1,
  importance: 0.5,
  bytes: 4,
  intervalDays: 1,
  quietDays: 1,
  dated: 1,
  changed: 1,
  logDays: 1,
  logSquares: 1,
  changeRate: 1,
}

export const recordsTarget: FuzzTarget = {
  name: 'records',
  samples: [
    Buffer.concat([
      encodeSegmentHeader({ mark: MARK, first: 1 }),
      encodeRecord(item, MARK),
      encodeRecord({ ...item, number: 2 }, MARK),
    ]),
    encodeRecord(item, MARK),
    encodeFrame(change, true),
    encodeHeader({ id: '00000000-0000-4000-8000-000000000000', since: 0, last: 1, lastAt: AT, snapshotBytes: 0 }),
    encodeRevisitRecord(revisit),
    encodeReading({ asOf: AT, lastAt: AT, people: 1, robots: 2, hours: [{ hour: 1, people: 1, robots: 2 }] }),
    encodeChanges([1, 2, 3]),
    encodeLinks([1, 5, 3], packAnchors(['one', '', 'three'])),
    encodeLinks([1], packAnchors(['long '.repeat(2_000)])),
    Buffer.concat([Buffer.of(8, 0, 0, 0), Buffer.from('pages\n12'), Buffer.of(5, 0, 0, 0), Buffer.from('end\n{')]),
  ],
  words: ['comity inbox ', 'comityj\n', 'CJs\n', 'CJj\n', '"scheme":"', '"number":', '\x28\xb5\x2f\xfd', 'pages\n'],
  check: checkRecords,
}

function checkRows(bytes: Buffer): void {
  const text = bytes.toString()
  readSubscriptions(text)
  const ledger = readLedger(text)
  if (ledger !== undefined) for (const row of ledger.rows) assert.ok(row.requests >= 0)
  readUploadRecord(text)
  readRecord(text)
  const token = readToken(text)
  if (token !== undefined) assert.equal(readToken(writeToken(token))?.number, token.number)
  const json = jsonIn(text)
  const days = readCrawlerDays(json)
  assert.deepEqual(readCrawlerDays(JSON.parse(JSON.stringify(days))), days)
  readMemoryRow(json)
  readSubscriber(json)
  if (!isPlainObject(json)) return
  readDeliveryWorkerRow(json)
  readDeadLetter(json)
}

export const rowsTarget: FuzzTarget = {
  name: 'rows',
  samples: [
    JSON.stringify({
      format: 1,
      subscriptions: [
        {
          origin: 'http://a.example',
          topic: 't',
          hub: 'h',
          token: 't',
          secret: 's',
          scheme: 'pages',
          state: 'active',
          askedAt: AT,
        },
      ],
    }),
    JSON.stringify({
      version: 1,
      since: AT,
      rows: [{ crawler: 'c', scheme: 'pages', requests: 1, bytes: 1, cpuMs: 1, wholeRequests: 1, wholeBytes: 1 }],
    }),
    JSON.stringify({ id: 'i', origin: 'o', type: 't', topic: 't', door: 'push', scheme: 'pages', touchedAt: AT }),
    JSON.stringify({
      kind: 'row',
      id: 'i',
      position: { journal: 'j', feed: 'f', cursor: 1 },
      failures: 0,
      nextTryAt: 0,
      paceMs: 0,
      halvings: 0,
      delivered: 0,
    }),
    JSON.stringify({
      kind: 'dead',
      subscriber: 's',
      at: AT,
      reason: 'refused',
      status: 400,
      message: 'm',
      path: '/1',
      change: 'updated',
      number: 1,
    }),
    JSON.stringify({ id: 'i', scheme: 'pages', by: 'push', address: 'http://a.example/', begins: AT }),
    JSON.stringify({ kind: 'postings', url: 'http://a.example/', words: ['two'], line: [0], headings: [] }),
    writeToken({ edition: '0123456789abcdef', number: 5, after: '/p' }),
    JSON.stringify([
      {
        day: 20_000,
        crawler: 'a',
        requests: 3,
        bytes: 9,
        repeats: 1,
        repeatBytes: 3,
        hours: 1,
        wholeRequests: 3,
        wholeBytes: 9,
      },
    ]),
  ],
  words: [
    '"kind":"row"',
    '"position":',
    '"rows":[',
    '"state":"active"',
    '"at":',
    '":null',
    '":{',
    '":[',
    '.',
    '{"',
    '"}',
  ],
  check: checkRows,
}
