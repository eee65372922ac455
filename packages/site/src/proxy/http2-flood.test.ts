import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Http2Overhead, sessionRefusal } from './http2-flood.ts'
import type { Came } from './http2-flood.ts'

const HEAD = 32 << 10
const came = (more: Partial<Came>): Came => ({ bytes: 0, requests: 0, bodyBytes: 0, sentBytes: 0, ...more })

/** So many seconds of the same. */
function lasts(each: (second: number) => Partial<Came>, seconds: number): boolean {
  const overhead = new Http2Overhead(HEAD, 0)
  return Array.from({ length: seconds }, (_, i) => i + 1).every((i) => !overhead.isFlood(came(each(i)), i * 1_000))
}

// oxfmt-ignore
const cases: [sentence: string, each: (second: number) => Partial<Came>, isLet: boolean][] = [
  ['requests, as many as one likes',            (s) => ({ bytes: s * 3_000_000, requests: s * 1_000 }),        true],
  ['a large body in pieces',                    (s) => ({ bytes: s * 1_100_000, bodyBytes: s * 1_000_000 }),   true],
  ['windows behind a large answer',             (s) => ({ bytes: s * 100_000, sentBytes: s * 1_000_000 }),     true],
  ['a ping now and then',                       (s) => ({ bytes: s * 17 }),                                    true],
  ['a hundred thousand pings a second',         (s) => ({ bytes: s * 1_700_000 }),                             false],
  ['four thousand windows a second, for long',  (s) => ({ bytes: s * 52_000 }),                                false],
]
for (const [sentence, each, isLet] of cases)
  test(`${sentence}: ${isLet ? 'no flood' : 'a flood'}`, () => assert.equal(lasts(each, 60), isLet))

test('requests before it are no leave for a flood', () => {
  const overhead = new Http2Overhead(HEAD, 0)
  assert.equal(overhead.isFlood(came({ bytes: 100_000, requests: 10_000 }), 1_000), false)
  const before = 10_000 * HEAD
  assert.equal(overhead.isFlood(came({ bytes: before, requests: 10_000 }), 2_000), false)
  assert.equal(overhead.isFlood(came({ bytes: before + 2_000_000, requests: 10_000 }), 3_000), true)
})

// oxfmt-ignore
const errors: [code: string, errno: number, resets: number, uselessBytes: number, reason: string | undefined][] = [
  ['ERR_HTTP2_ERROR',                   -505, 1_000, 0,       'http2-resets'],
  ['ERR_HTTP2_ERROR',                   -904, 0,     0,       'http2-flood'],
  ['ERR_HTTP2_ERROR',                   -905, 0,     0,       'http2-continuations'],
  ['ERR_HTTP2_ERROR',                   -505, 0,     100_000, 'http2-flood'],
  ['ERR_HTTP2_ERROR',                   -505, 3,     100,     'http2-malformed'],
  ['ERR_HTTP2_TOO_MANY_INVALID_FRAMES', -902, 0,     0,       'http2-flood'],
  ['ECONNRESET',                        -104, 1_000, 100_000, undefined],
  ['ERR_HTTP2_SESSION_ERROR',           0,    0,     0,       undefined],
]
for (const [code, errno, resets, uselessBytes, reason] of errors)
  test(`${code} ${errno} after ${resets} resets and ${uselessBytes} useless bytes: ${reason ?? 'nobody is refused'}`, () =>
    assert.equal(sessionRefusal(Object.assign(new Error('x'), { code, errno }), { resets, uselessBytes }), reason))
