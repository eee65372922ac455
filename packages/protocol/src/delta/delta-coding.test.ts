import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { headerOf, type HeaderList } from '../capture.ts'
import { applyDelta, deltaAnswer, deltaRequest, parseDeltaWish } from './delta-coding.ts'
import type { AppliedDelta, DeltaAnswer, DeltaFault, DeltaWish } from './delta-coding.ts'
import { editedPairs } from '../testing/edited-pair-fixture.ts'
import { writeDigestField } from '../archive/repr-digest.ts'

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, place) => `word ${((from + place) * 7_919) % 10_007}`).join(' ')
const old = Buffer.from(words(0, 500))
const instance = { etag: '"new"', body: Buffer.from(`${words(0, 250)} and ${words(5_000, 100)} so ${words(250, 250)}`) }
const offered = new Map([['"old"', old]])
const baseOf = (etag: string): Uint8Array | undefined => offered.get(etag)
const wish: DeltaWish = { bases: ['"old"'], mayGzip: true }
const limits = { maxBytes: 100_000 }

const wishes: [aim: string | undefined, tags: string | undefined, expected: DeltaWish | undefined][] = [
  ['vcdiff, gzip', '"a"', { bases: ['"a"'], mayGzip: true }],
  ['gzip, vcdiff', '"a", W/"b", "c"', { bases: ['"a"', '"c"'], mayGzip: false }],
  ['vcdiff;q=0.2, gzip;q=0', '"a"', { bases: ['"a"'], mayGzip: false }],
  ['VCDIFF', '"a"', { bases: ['"a"'], mayGzip: false }],
  ['vcdiff;q=0', '"a"', undefined],
  ['diffe, gdiff', '"a"', undefined],
  ['*', '"a"', undefined],
  [undefined, '"a"', undefined],
  ['vcdiff', undefined, undefined],
  ['vcdiff', 'W/"a"', undefined],
  ['vcdiff', '*', undefined],
]
for (const [aim, tags, expected] of wishes) {
  test(`A-IM: ${aim} with ${tags} wishes ${JSON.stringify(expected)}`, () => {
    const headers: [string, string][] = []
    if (aim !== undefined) headers.push(['A-IM', aim])
    if (tags !== undefined) headers.push(['If-None-Match', tags])
    assert.deepEqual(parseDeltaWish(headers), expected)
  })
}

test('a client that has versions asks for a delta from them, and is understood', () => {
  assert.deepEqual(parseDeltaWish(deltaRequest(['"a"', 'W/"b"', '"c"'])), { bases: ['"a"', '"c"'], mayGzip: true })
  assert.deepEqual(deltaRequest(['W/"b"', 'unquoted']), [])
})

test('an answer names version, base and manipulation, and keeps caches away', () => {
  const { status, headers, base } = deltaAnswer(wish, instance, baseOf, { retainSeconds: 86_400 })!
  assert.deepEqual([status, base], [226, '"old"'])
  assert.deepEqual(headers, [
    ['IM', 'vcdiff, gzip'],
    ['ETag', '"new"'],
    ['Delta-Base', '"old"'],
    ['Cache-Control', 'no-store, im, retain=86400'],
    ['Repr-Digest', writeDigestField(instance.body)],
  ])
})

const im = (made: DeltaAnswer | undefined): string | undefined => made && headerOf(made.headers, 'im')

test('gzip is used only where it was asked for and helps', () => {
  assert.equal(im(deltaAnswer({ ...wish, mayGzip: false }, instance, baseOf)), 'vcdiff')
  assert.equal(im(deltaAnswer(wish, { etag: '"new"', body: old }, baseOf)), 'vcdiff')
})

test('there is no delta where none can be or none is worth it', () => {
  assert.equal(deltaAnswer({ bases: ['"older"'], mayGzip: true }, instance, baseOf), undefined)
  assert.equal(deltaAnswer(wish, { ...instance, etag: 'W/"new"' }, baseOf), undefined)
  assert.equal(deltaAnswer(wish, { etag: '"new"', body: Buffer.from('short') }, baseOf), undefined)
  assert.equal(deltaAnswer(wish, instance, baseOf, { otherwiseBytes: 100 }), undefined)
})

test('of several bases the first that is known is taken', () => {
  assert.equal(deltaAnswer({ bases: ['"older"', '"old"'], mayGzip: true }, instance, baseOf)?.base, '"old"')
})

const answer = deltaAnswer(wish, instance, baseOf)!
const plain = deltaAnswer({ ...wish, mayGzip: false }, instance, baseOf)!
const without = (name: string, headers: HeaderList = answer.headers): HeaderList =>
  headers.filter(([key]) => key !== name)
const replaced = (name: string, value: string): HeaderList => [...without(name), [name, value]]

test('the new version comes out, verified', () => {
  for (const received of [answer, plain]) {
    const applied = applyDelta(received, offered, limits)
    assert.ok(applied.kind === 'ok' && applied.isVerified && applied.etag === '"new"')
    assert.deepEqual(Buffer.from(applied.body), instance.body)
  }
})

test('with one version offered, Delta-Base may be missing; without a digest the caller is told', () => {
  const headers = without('Delta-Base', without('Repr-Digest'))
  const applied = applyDelta({ ...answer, headers }, offered, limits)
  assert.ok(applied.kind === 'ok' && !applied.isVerified)
})

const wrongBase = new Map([['"old"', Buffer.from(old.toString().replace('word 7919', 'WORD 7919'))]])
const two = new Map([...offered, ['"older"', Buffer.from('x')]] as const)
const faults: [fault: DeltaFault, sentence: string, apply: () => AppliedDelta][] = [
  ['not-a-delta', 'a plain 200', () => applyDelta({ ...answer, status: 200 }, offered, limits)],
  ['unknown-manipulation', 'IM taken away', () => applyDelta({ ...answer, headers: without('IM') }, offered, limits)],
  [
    'unknown-manipulation',
    'another IM',
    () => applyDelta({ ...answer, headers: replaced('IM', 'diffe') }, offered, limits),
  ],
  [
    'unknown-manipulation',
    'the wrong order',
    () => applyDelta({ ...answer, headers: replaced('IM', 'gzip, vcdiff') }, offered, limits),
  ],
  [
    'unexpected-coding',
    'a content coding',
    () => applyDelta({ ...answer, headers: [...answer.headers, ['Content-Encoding', 'br']] }, offered, limits),
  ],
  ['no-etag', 'ETag taken away', () => applyDelta({ ...answer, headers: without('ETag') }, offered, limits)],
  ['unknown-base', 'a base never offered', () => applyDelta(answer, new Map([['"other"', old]]), limits)],
  [
    'unknown-base',
    'no base named of two',
    () => applyDelta({ ...answer, headers: without('Delta-Base') }, two, limits),
  ],
  ['too-large', 'a version above the cap', () => applyDelta(answer, offered, { maxBytes: instance.body.length - 1 })],
  [
    'too-large',
    'a delta that unpacks to a bomb',
    () => applyDelta({ ...answer, body: gzipSync(Buffer.alloc(1_000_000)) }, offered, limits),
  ],
  ['bad-delta', 'a page in place of a delta', () => applyDelta({ ...plain, body: instance.body }, offered, limits)],
  [
    'bad-delta',
    'a delta cut short',
    () => applyDelta({ ...answer, body: answer.body.subarray(0, 60) }, offered, limits),
  ],
  ['digest-differs', 'a base with other bytes', () => applyDelta(answer, wrongBase, limits)],
]
for (const [fault, sentence, apply] of faults) test(`${sentence}: ${fault}`, () => assert.equal(apply().kind, fault))

test('the delta itself is plain VCDIFF, zipped or not', () => {
  assert.deepEqual(gunzipSync(answer.body), Buffer.from(plain.body))
})

test('whatever is edited comes through, and no damage gives a wrong page', () => {
  const damage = fc.option(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })))
  fc.assert(
    fc.property(editedPairs, damage, ({ source, target }, hit) => {
      const made = deltaAnswer(wish, { etag: '"new"', body: target }, () => source, { otherwiseBytes: Infinity })!
      const body = Uint8Array.from(made.body)
      if (hit !== null) body[hit[0] % body.length]! ^= hit[1]
      const applied = applyDelta({ ...made, body }, new Map([['"old"', source]]), limits)
      if (hit === null) assert.equal(applied.kind, 'ok')
      if (applied.kind === 'ok') assert.ok(Buffer.from(target).equals(applied.body))
    }),
    { numRuns: 300 },
  )
})
