import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeRevisitRecord, encodeRevisitRecord } from './revisit-record.ts'
import type { RevisitRecord } from './revisit-record.ts'

const amount = fc.float({ min: 0, max: 1e9, noNaN: true }).map((value) => Math.abs(value))
const u32 = fc.nat(0xffffffff)
const record: fc.Arbitrary<RevisitRecord> = fc.record({
  flags: fc.nat(255),
  visits: fc.nat(65_535),
  visitedAt: fc.double({ min: -1e15, max: 1e15, noNaN: true }),
  lastEventAt: fc.oneof(fc.constant(-Infinity), fc.double({ min: -1e15, max: 1e15, noNaN: true })),
  ourMark: u32,
  lastMark: u32,
  events: u32,
  heard: fc.nat(65_535),
  lastChannel: fc.nat(65_535),
  importance: amount,
  bytes: amount,
  intervalDays: amount,
  quietDays: amount,
  dated: amount,
  changed: amount,
  logDays: fc.float({ min: -1e9, max: 1e9, noNaN: true }),
  logSquares: amount,
  changeRate: amount,
})

test('what is written is read', () => {
  fc.assert(
    fc.property(record, (given) => assert.deepEqual(decodeRevisitRecord(encodeRevisitRecord(given)), { ...given })),
  )
})

test('a record takes 72 bytes', () => {
  fc.assert(fc.property(record, (given) => encodeRevisitRecord(given).byteLength === 72))
})

test('bytes that no encoder wrote are no record, and never an error', () => {
  const spoiled = fc.tuple(record, fc.nat(71), fc.nat(255)).map(([given, at, byte]) => {
    const bytes = encodeRevisitRecord(given)
    bytes[at] = byte
    return bytes
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), spoiled), (bytes) => {
      const decoded = decodeRevisitRecord(bytes)
      if (decoded !== undefined) assert.ok(decoded.changeRate >= 0 && Number.isFinite(decoded.visitedAt))
    }),
  )
  assert.equal(decodeRevisitRecord(new Uint8Array(72).fill(255)), undefined)
})
