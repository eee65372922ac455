import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import fc from 'fast-check'
import { observeAnswer } from './answer-digest.ts'
import type { AnswerOptions, SeenAnswer } from './answer-digest.ts'
import type { JournaledPage } from '../journal/journal.ts'
import { AT } from '../testing/journal-sample.ts'
import type { PrivateReason } from '../privacy/private-reason.ts'
import { publicRules } from '../privacy/public-rules.ts'
import { digestOf } from '../journal/version-store.ts'
import { commonMasks, maskedBody } from './volatile-mask.ts'

const rules = publicRules()
const see = (
  body: string | Uint8Array,
  more: {
    headers?: HeaderList
    status?: number
    known?: JournaledPage
    options?: Partial<AnswerOptions>
    at?: number
  } = {},
): SeenAnswer => {
  const headers: HeaderList = [['Content-Type', 'Text/HTML; charset=utf-8'], ...(more.headers ?? [])]
  const answer = { status: more.status ?? 200, headers, body: Buffer.from(body) }
  return observeAnswer({ path: '/page' }, answer, { rules, ...more.options }, more.known, more.at ?? AT)
}
const pageIn = (seen: SeenAnswer): JournaledPage & { body?: Uint8Array | undefined } => {
  assert.ok(seen.kind === 'observed' && !('gone' in seen.observation), JSON.stringify(seen))
  return seen.observation
}

test('an answer is a page with the digest and size of its body, its type, and its body', () => {
  const body = Buffer.from('<p>words')
  const expected = { path: '/page', digest: digestOf(body), bytes: 8, type: 'text/html', modifiedAt: AT, body }
  assert.deepEqual(pageIn(see(body)), expected)
})

test('content codings are undone first', () => {
  const body = Buffer.from('<p>words')
  const page = pageIn(see(gzipSync(body), { headers: [['Content-Encoding', 'gzip']] }))
  assert.deepEqual([page.digest, page.bytes], [digestOf(body), 8])
})

test('a page changed when its digest did: the same answer later keeps its date', () => {
  const first = pageIn(see('<p>words'))
  assert.equal(pageIn(see('<p>words', { known: first, at: AT + 5_000 })).modifiedAt, AT)
  assert.equal(pageIn(see('<p>other', { known: first, at: AT + 5_000 })).modifiedAt, AT + 5_000)
})

const dates: [sentence: string, lastModified: string, expected: number][] = [
  ['a Last-Modified that can be true is believed', 'Sat, 31 Oct 2026 00:00:00 GMT', Date.UTC(2026, 9, 31)],
  ['one in the future is not', 'Sat, 31 Oct 2037 00:00:00 GMT', AT],
  ['one that is no date is not', 'yesterday', AT],
]
for (const [sentence, value, expected] of dates) {
  test(sentence, () => assert.equal(pageIn(see('x', { headers: [['Last-Modified', value]] })).modifiedAt, expected))
}

test('a Last-Modified before the version it replaces is not believed', () => {
  const known = pageIn(see('<p>words'))
  const headers: HeaderList = [['Last-Modified', 'Sat, 31 Oct 2026 00:00:00 GMT']]
  assert.equal(pageIn(see('other', { headers, known, at: AT + 9 })).modifiedAt, AT + 9)
})

const volatile: [sentence: string, make: (token: string) => string][] = [
  [
    'a hidden field against forged requests',
    (token) => `<form><input type="hidden" name="csrfmiddlewaretoken" value="${token}"></form>`,
  ],
  ['the same, its attributes the other way round', (token) => `<input value='${token}' name='authenticity_token'/>`],
  ['a meta element with a token', (token) => `<meta name="csrf-token" content="${token}">`],
  ['a nonce of a script', (token) => `<script nonce="${token}">run()</script>`],
  ['a token in a script', (token) => `<script>var a = {"csrfToken": "${token}"}</script>`],
  ['a comment with the time of making', (token) => `<!-- Page generated in ${token} seconds -->`],
]
for (const [sentence, make] of volatile) {
  test(`${sentence} does not make a page another, but the rest of it does`, () => {
    const [first, again, other] = [
      ['0.123', 'words'],
      ['9.876', 'words'],
      ['0.123', 'other'],
    ].map(([token = '', words = '']) => pageIn(see(`<p>${words}${make(token)}<p>more`)))
    assert.equal(first?.digest, again?.digest)
    assert.notEqual(first?.digest, other?.digest)
    assert.deepEqual([first?.masked, first?.body], [true, undefined])
  })
}

test('masks of the owner: an expression, and what stands between two markers', () => {
  const masks = [{ pattern: /\d+ visitors/ }, { from: '<!--ad-->', to: '<!--/ad-->' }]
  const digest = (body: string): string => pageIn(see(body, { options: { masks } })).digest
  assert.equal(
    digest('7 visitors <!--ad-->a<!--/ad--> <!--ad-->b<!--/ad--> 8 visitors'),
    digest('17 visitors <!--ad--><!--/ad--> <!--ad-->c<!--/ad--> 9 visitors'),
  )
  assert.notEqual(digest('<!--ad-->a without an end'), digest('<!--ad-->b without an end'))
  assert.equal(pageIn(see('nothing of the kind', { options: { masks } })).masked, undefined)
})

test('what is no text is not masked', () => {
  assert.equal(maskedBody(Buffer.from('nonce="abc"'), 'image/png', commonMasks), undefined)
  assert.notEqual(maskedBody(Buffer.from('caf\xe9 nonce="abc"', 'latin1'), 'text/html', commonMasks), undefined)
})

test('masks take time in proportion to the page, whatever it holds', () => {
  for (const piece of [
    '<input ',
    '<input name=',
    '<!-- generated ',
    'nonce="',
    '<meta name=csrf-token ',
    '"csrftoken":"',
  ]) {
    const body = Buffer.from(piece.repeat(Math.floor(1_000_000 / piece.length)))
    const started = process.cpuUsage()
    maskedBody(body, 'text/html', commonMasks)
    assert.ok(process.cpuUsage(started).user < 5_000_000, piece)
  }
})

const refusals: [sentence: string, seen: () => SeenAnswer, kind: SeenAnswer['kind'], reason: PrivateReason][] = [
  ['a page that says noindex is withdrawn', () => see('<meta name=robots content=noindex>'), 'observed', 'noindex'],
  [
    'a page that sets a cookie is withdrawn',
    () => see('x', { headers: [['Set-Cookie', 'a']] }),
    'observed',
    'cookie-set',
  ],
  ['a page that is gone is withdrawn', () => see('x', { status: 410 }), 'observed', 'missing'],
  ['a fault of the server is ignored', () => see('x', { status: 500 }), 'ignored', 'status'],
  [
    'a body that is too large is ignored',
    () => see('x'.repeat(11), { options: { maxBytes: 10 } }),
    'ignored',
    'too-large',
  ],
  [
    'a body that is cut is ignored',
    () => see(gzipSync('x'.repeat(99)).subarray(0, 20), { headers: [['Content-Encoding', 'gzip']] }),
    'ignored',
    'unreadable',
  ],
  [
    'a coding that nobody knows is ignored',
    () => see('x', { headers: [['Content-Encoding', 'dcz']] }),
    'ignored',
    'unreadable',
  ],
]
for (const [sentence, seen, kind, reason] of refusals) {
  test(sentence, () => {
    const { verdict, ...rest } = seen()
    assert.deepEqual([rest.kind, verdict.public || verdict.reason], [kind, reason])
    if (rest.kind === 'observed') assert.deepEqual(rest.observation, { path: '/page', gone: true })
  })
}

test('a type that is none becomes nothing in particular, and whatever is answered can be recorded', async () => {
  const { MemoryJournal } = await import('../journal/memory-journal.ts')
  const journal = new MemoryJournal()
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.uint8Array(), fc.string(), async (type, body, path) => {
      const seen = observeAnswer(
        { path: `/${path}` },
        { status: 200, headers: [['Content-Type', type]], body },
        { rules },
        undefined,
        AT,
      )
      if (seen.kind === 'observed') await journal.record([seen.observation], AT)
    }),
  )
})
