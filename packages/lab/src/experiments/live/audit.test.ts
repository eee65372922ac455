// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditOf } from './audit.ts'
import { foldEvents } from '@comity/testbed/testing'
import type { LogEvent } from '@comity/testbed/testing'
import type { RequestLog } from '@comity/testbed'

/** Visits to one site: opened, answered, and when its server heard of the close. */
function logOf(...visits: readonly (readonly [openedAt: number, endedAt: number, closedAt: number])[]): RequestLog {
  const events = visits.flatMap(([openedAt, endedAt, closedAt], connectionId): LogEvent[] => {
    const place = { connectionId, address: '127.0.1.1', port: 1 }
    const times = { connectionOpenedAt: openedAt, startedAt: openedAt, endedAt }
    const request = { site: '127.0.1.1', method: 'GET', path: '/', userAgent: '', status: 200 }
    return [
      { event: 'opened', ...place, at: openedAt },
      { event: 'request', ...place, ...times, ...request },
      { event: 'closed', connectionId, at: closedAt },
    ]
  })
  return foldEvents(events)
}

const cases: [sentence: string, log: RequestLog, broken: readonly string[], shortestRestMs: number][] = [
  ['a rest that was kept is no violation', logOf([0, 10, 11], [60, 70, 71]), [], 50],
  ['a close that was heard of late is none either', logOf([0, 10, 55], [60, 70, 71]), [], 50],
  [
    'a rest that was cut short is one, however late the close',
    logOf([0, 10, 35], [40, 50, 51]),
    ['connection-too-soon'],
    30,
  ],
  [
    'a second connection before the answer of the first is one',
    logOf([0, 30, 31], [10, 40, 41]),
    ['two-connections'],
    -20,
  ],
  ['a single visit has no rest', logOf([0, 10, 11]), [], Infinity],
]
for (const [sentence, log, broken, shortestRestMs] of cases) {
  test(sentence, () => {
    const audit = auditOf(log, 50)
    const rules = new Set(audit.violations.map(({ rule }) => rule.replace(/-(for|to)-(address|site)$/, '')))
    assert.deepEqual([[...rules], audit.shortestRestMs], [broken, shortestRestMs])
  })
}
