import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLogRecorder, foldEvents, parseLogLines, retryInstant } from './request-log.ts'
import type { LogEvent, RequestServed } from './request-log.ts'

const request = (connectionId: number, startedAt: number, more: Partial<RequestServed> = {}): RequestServed => ({
  event: 'request',
  connectionId,
  connectionOpenedAt: startedAt - 1,
  site: 'river',
  address: '127.0.1.1',
  port: 80,
  method: 'GET',
  path: '/',
  userAgent: 'test',
  startedAt,
  endedAt: startedAt + 5,
  status: 200,
  ...more,
})
const opened = (connectionId: number, at: number): LogEvent => ({
  event: 'opened',
  connectionId,
  address: '127.0.1.1',
  port: 80,
  at,
})
const closed = (connectionId: number, at: number): LogEvent => ({ event: 'closed', connectionId, at })

test('events fold into connections and requests', () => {
  const log = foldEvents([opened(1, 10), request(1, 12), request(1, 20, { site: 'lake' }), closed(1, 30)])
  assert.deepEqual(log.connections, [
    { connectionId: 1, address: '127.0.1.1', port: 80, sites: ['river', 'lake'], openedAt: 10, closedAt: 30 },
  ])
  assert.deepEqual(
    log.requests.map(({ startedAt, connectionClosedAt }) => [startedAt, connectionClosedAt]),
    [
      [12, 30],
      [20, 30],
    ],
  )
})

test('a connection that never asked anything is in the log, and an open one is open for ever', () => {
  const log = foldEvents([opened(1, 10), opened(2, 20), closed(2, 21)])
  assert.deepEqual(
    log.connections.map(({ closedAt }) => closedAt),
    [Infinity, 21],
  )
})

test('memory is capped: the oldest events are dropped and counted', () => {
  const recorder = createLogRecorder({ maxEvents: 10 })
  for (let id = 1; id <= 35; id += 1) recorder.record(request(id, id))
  const { requests, connections } = recorder.read()
  assert.equal(requests.length, 10)
  assert.equal(connections.length, 10)
  assert.equal(requests[0]?.startedAt, 26)
  assert.equal(recorder.dropped, 25)
})

test('a file of events reads back as the same log, without a line that was cut short', () => {
  const directory = mkdtempSync(join(tmpdir(), 'comity-log-'))
  try {
    const file = join(directory, 'requests.jsonl')
    const recorder = createLogRecorder({ file })
    for (const event of [opened(1, 1), request(1, 2), closed(1, 9)]) recorder.record(event)
    const text = readFileSync(file, 'utf8')
    assert.deepEqual(parseLogLines(text), recorder.read())
    assert.deepEqual(parseLogLines(`${text}{"event":"opened","conn`), recorder.read())
  } finally {
    rmSync(directory, { recursive: true })
  }
})

const retries: [sentence: string, value: string | undefined, expected: number | undefined][] = [
  ['seconds count from now', '120', 121_000],
  ['a date is itself', 'Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
  ['rubbish says nothing', 'soon', undefined],
  ['no header says nothing', undefined, undefined],
]
for (const [sentence, value, expected] of retries) {
  test(`Retry-After: ${sentence}`, () => assert.equal(retryInstant(value, 1_000), expected))
}
