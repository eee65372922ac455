import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  connectionPages,
  nextConnectionAt,
  nextConnectionToAddressAt,
  nextRequestAt,
  politeDefaults,
} from './politeness.ts'
import type { Answer, Politeness } from './politeness.ts'

const politeness: Politeness = { ...politeDefaults, delayMs: 1_000, backoffMs: 2_000 }
const still = (): number => 0

const rests: [sentence: string, slowestMs: number, delayMs: number, expected: number][] = [
  ['a fast site rests for the minimum delay', 20, 1_000, 1_000],
  ['a slow site rests in proportion to its slowness', 400, 1_000, 4_000],
  ['a server of our own is not rested at all', 400, 0, 0],
]
for (const [sentence, slowestMs, delayMs, expected] of rests) {
  test(sentence, () => assert.equal(nextConnectionAt(0, slowestMs, { ...politeness, delayMs }), expected))
}

const addressRests: [sentence: string, addressDelayMs: number | undefined, expected: number][] = [
  ['an address rests as its site when nothing is said of it', undefined, 4_000],
  ['an address with a rest of its own has that, however slow one of its sites was', 500, 500],
  ['it may rest longer than its sites', 9_000, 9_000],
  ['and not at all', 0, 0],
]
for (const [sentence, addressDelayMs, expected] of addressRests) {
  test(sentence, () => assert.equal(nextConnectionToAddressAt(0, 400, { ...politeness, addressDelayMs }), expected))
}

// oxfmt-ignore
const kept: [sentence: string, given: number | undefined, delayMs: number, pages: number][] = [
  ['a connection has one page',                                 undefined, 1_000, 1],
  ['a connection that saves nobody a rest has pages without end', undefined, 0,     Infinity],
  ['a number that was given holds with a delay',                8,         1_000, 8],
  ['a number that was given holds without one',                 1,         0,     1],
]
for (const [sentence, pagesPerConnection, delayMs, pages] of kept) {
  test(sentence, () => assert.equal(connectionPages({ ...politeness, delayMs, pagesPerConnection }), pages))
}

const fine: Answer = { endedAt: 0, tookMs: 20, overloaded: false }
const busy: Answer = { endedAt: 0, tookMs: 20, overloaded: true }
const floors: [sentence: string, answer: Answer, crawlDelayMs: number, strikes: number, expected: number][] = [
  ['a site that asks for nothing may be asked again at once on the same connection', fine, 0, 0, 0],
  ['Crawl-delay holds between requests', fine, 5_000, 0, 5_000],
  ['the first overloaded answer backs off once', busy, 0, 1, 2_000],
  ['each further one doubles it', busy, 0, 4, 16_000],
  ['the back-off has a ceiling', busy, 0, 60, 3_600_000],
  ['a later Retry-After wins', { ...busy, retryAt: 60_000 }, 0, 1, 60_000],
  ['an earlier Retry-After never shortens the rest', { ...busy, retryAt: 5 }, 0, 1, 2_000],
  ['a Retry-After of a thousand years is cut to a week', { ...busy, retryAt: 3e13 }, 0, 1, 7 * 86_400_000],
  ['a longer Crawl-delay wins over the back-off', busy, 9_000, 1, 9_000],
]
for (const [sentence, answer, crawlDelayMs, strikes, expected] of floors) {
  test(sentence, () => assert.equal(nextRequestAt(answer, crawlDelayMs, strikes, politeness, still), expected))
}

test('no answer, however odd, is followed sooner than what the site asked for', () => {
  const answers = fc.record({ endedAt: fc.nat(), tookMs: fc.nat(), overloaded: fc.boolean(), retryAt: fc.nat() })
  fc.assert(
    fc.property(answers, fc.nat(100_000), fc.nat(40), fc.double({ min: 0, max: 1, noNaN: true }), (a, delay, n, r) => {
      const at = nextRequestAt(a, delay, n, politeness, () => r)
      return at - a.endedAt >= delay && (!a.overloaded || at >= Math.min(a.retryAt, a.endedAt + 7 * 86_400_000))
    }),
  )
})
