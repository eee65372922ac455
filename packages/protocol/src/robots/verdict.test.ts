import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowed } from './robots.ts'
import { robotsExpiresAt, robotsVerdict } from './verdict.ts'
import type { RobotsOutcome, RobotsVerdict } from './verdict.ts'

const answered = (status: number): RobotsOutcome => ({
  kind: 'answered',
  status,
  body: 'User-agent: *\nDisallow: /closed',
})

const cases: [
  sentence: string,
  outcome: RobotsOutcome,
  state: RobotsVerdict['state'],
  open: boolean,
  closed: boolean,
][] = [
  ['a file is parsed (§2.3.1.1)', answered(200), 'parsed', true, false],
  ['so is any other success', answered(203), 'parsed', true, false],
  ['a redirect too many is no file (§2.3.1.2)', answered(302), 'unavailable', true, true],
  ['no file, no rules (§2.3.1.3)', answered(404), 'unavailable', true, true],
  ['a forbidden file holds no rules either (§2.3.1.3)', answered(403), 'unavailable', true, true],
  ['too many requests means stay away', answered(429), 'unreachable', false, false],
  ['a broken server means stay away (§2.3.1.4)', answered(500), 'unreachable', false, false],
  ['an overloaded one too', answered(503), 'unreachable', false, false],
  ['a status outside of HTTP too', answered(999), 'unreachable', false, false],
  ['no answer means stay away (§2.3.1.4)', { kind: 'failed', reason: 'timeout' }, 'unreachable', false, false],
]
for (const [sentence, outcome, state, open, closed] of cases) {
  test(sentence, () => {
    const verdict = robotsVerdict(outcome)
    assert.equal(verdict.state, state)
    assert.equal(isAllowed(verdict.robots, 'comity', 'https://a.example/open').allowed, open)
    assert.equal(isAllowed(verdict.robots, 'comity', 'https://a.example/closed').allowed, closed)
  })
}

const hour = 3_600_000
const expiries: [sentence: string, maxAge: number | undefined, expected: number][] = [
  ['a copy lasts 24 hours', undefined, 24 * hour],
  ['less when the site says so', 3_600, hour],
  ['but never more (§2.4)', 7 * 86_400, 24 * hour],
  ['nor endlessly', Infinity, 24 * hour],
  ['nor so little that each page costs two visits', 0, hour / 6],
  ['a number that is none says nothing', Number.NaN, 24 * hour],
]
for (const [sentence, maxAge, expected] of expiries) {
  test(sentence, () => assert.equal(robotsExpiresAt(1_000, maxAge), 1_000 + expected))
}
