import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { gaps, overlaps, violations } from './politeness-audit.ts'
import type { Floors, ViolatedRule } from './politeness-audit.ts'
import { foldEvents } from './request-log.ts'
import type { LogEvent, RequestLog } from './request-log.ts'

/** One visit: one connection with one request in the middle of it. */
interface Visit {
  readonly from: number
  readonly until: number
  readonly site?: string
  readonly address?: string
  readonly path?: string
  readonly retryAt?: number
}

function logOf(visits: readonly Visit[]): RequestLog {
  return foldEvents(
    visits.flatMap(({ from, until, site = 'river', address = '127.0.1.1', path = '/', retryAt }, index): LogEvent[] => {
      const at = { connectionId: index + 1, address, port: 80 }
      const asked = {
        method: 'GET',
        path,
        userAgent: 'test',
        status: 200,
        ...(retryAt === undefined ? {} : { retryAt }),
      }
      return [
        { event: 'opened', ...at, at: from },
        { event: 'request', ...at, connectionOpenedAt: from, site, startedAt: from, endedAt: until, ...asked },
        { event: 'closed', connectionId: index + 1, at: until },
      ]
    }),
  )
}

test('connections that touch do not overlap, connections that share a moment do', () => {
  assert.equal(
    overlaps(
      logOf([
        { from: 0, until: 10 },
        { from: 10, until: 20 },
      ]),
      'address',
    ).length,
    0,
  )
  const [pair] = overlaps(
    logOf([
      { from: 0, until: 10 },
      { from: 4, until: 20 },
    ]),
    'address',
  )
  assert.deepEqual(
    [pair?.key, pair?.first.connectionId, pair?.second.connectionId, pair?.overlapMs],
    ['127.0.1.1', 1, 2, 6],
  )
})

test('two sites on one address overlap by address and not by site', () => {
  const log = logOf([
    { from: 0, until: 10 },
    { from: 5, until: 15, site: 'lake' },
  ])
  assert.equal(overlaps(log, 'address').length, 1)
  assert.equal(overlaps(log, 'site').length, 0)
})

test('a gap runs from the latest end so far, so a short connection inside a long one hides nothing', () => {
  const log = logOf([
    { from: 0, until: 100 },
    { from: 10, until: 20 },
    { from: 130, until: 140 },
  ])
  assert.deepEqual(
    gaps(log, 'connections', 'address').map(({ gapMs }) => gapMs),
    [-90, 30],
  )
})

const floors: Floors = {
  connectionGapMs: 100,
  crawlDelayMs: { slow: 500 },
  disallowed: (_, path) => path.startsWith('/drafts/'),
}
const cases: [sentence: string, visits: Visit[], expected: ViolatedRule[]][] = [
  ['a log with nothing in it breaks nothing', [], []],
  [
    'a rest of exactly the floor is polite',
    [
      { from: 0, until: 10 },
      { from: 110, until: 120 },
    ],
    [],
  ],
  [
    'one millisecond less is not, for the address and for the site',
    [
      { from: 0, until: 10 },
      { from: 109, until: 120 },
    ],
    ['connection-too-soon-for-address', 'connection-too-soon-for-site'],
  ],
  [
    'another site on the same address owes the address its rest',
    [
      { from: 0, until: 10 },
      { from: 50, until: 60, site: 'lake' },
    ],
    ['connection-too-soon-for-address'],
  ],
  [
    'a site on two addresses owes the site its rest',
    [
      { from: 0, until: 10 },
      { from: 50, until: 60, address: '127.0.1.2' },
    ],
    ['connection-too-soon-for-site'],
  ],
  [
    'two at once are named once as two at once',
    [
      { from: 0, until: 90 },
      { from: 50, until: 60, site: 'lake' },
    ],
    ['two-connections-to-address'],
  ],
  [
    'strangers owe each other nothing',
    [
      { from: 0, until: 10 },
      { from: 5, until: 9, site: 'lake', address: '127.0.1.2' },
    ],
    [],
  ],
  [
    'a Crawl-delay is a floor for its site',
    [
      { from: 0, until: 10, site: 'slow' },
      { from: 400, until: 410, site: 'slow' },
    ],
    ['request-before-crawl-delay'],
  ],
  [
    'Retry-After closes the site until its instant',
    [
      { from: 0, until: 10, retryAt: 1_000 },
      { from: 999, until: 1_001 },
    ],
    ['request-before-retry-after'],
  ],
  [
    'at that instant the site is open again',
    [
      { from: 0, until: 10, retryAt: 1_000 },
      { from: 1_000, until: 1_001 },
    ],
    [],
  ],
  [
    'Retry-After of one site does not close another',
    [
      { from: 0, until: 10, retryAt: 1_000 },
      { from: 500, until: 501, site: 'lake' },
    ],
    [],
  ],
  ['a forbidden path is named', [{ from: 0, until: 10, path: '/drafts/1' }], ['disallowed-path']],
]
for (const [sentence, visits, expected] of cases) {
  test(sentence, () =>
    assert.deepEqual(
      violations(logOf(visits), floors).map(({ rule }) => rule),
      expected,
    ),
  )
}

test('tolerance forgives that much and no more', () => {
  const log = logOf([
    { from: 0, until: 10 },
    { from: 100, until: 120 },
  ])
  assert.equal(violations(log, { connectionGapMs: 100, toleranceMs: 10 }).length, 0)
  assert.equal(violations(log, { connectionGapMs: 100, toleranceMs: 9 }).length, 2)
})

test('a schedule built with the floor kept is never blamed', () => {
  const schedules = fc.array(fc.record({ rest: fc.nat(500), length: fc.nat(50) }), { maxLength: 30 })
  fc.assert(
    fc.property(schedules, (schedule) => {
      let now = 0
      const visits = schedule.map(({ rest, length }) => {
        const from = now + 100 + rest
        now = from + length
        return { from, until: now }
      })
      assert.deepEqual(violations(logOf(visits), { connectionGapMs: 100 }), [])
    }),
  )
})
