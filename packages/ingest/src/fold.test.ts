/** One more capture of a page: what its row becomes, and that the way by which it came does not matter. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { HeaderList } from '@comity/protocol'
import { contentVersion, knownAs } from '@comity/collection'
import type { PageRow, WarcPosition } from '@comity/collection'
import fc from 'fast-check'
import { fold } from './fold.ts'
import type { Observed, Ending, Folded } from './fold.ts'
import { readingOptions as options } from './testing/reading-fixture.ts'
import { read } from './read/reading.ts'

const URL = 'https://a.example/x'
const DATE = Date.parse('2026-03-01T12:00:00Z')
const place = (offset: number): WarcPosition => ({ file: 1, offset, length: 9 })

interface Came {
  readonly at?: number
  readonly status?: number
  readonly headers?: HeaderList
  readonly isPacked?: boolean
  readonly outcome?: Ending['outcome']
  readonly isOlder?: boolean
  readonly timings?: Observed['timings']
}

/** An answer with this text, read as any is, and stored at its instant. */
function answer(before: PageRow | undefined, text: string, came: Came = {}): Folded {
  const { at = 1, status = 200, headers = [], isPacked = false, outcome = 'ok', ...more } = came
  const plain = Buffer.from(`<title>${text}</title><p>${text}`)
  const type: HeaderList = [['Content-Type', 'text/html']]
  const fields = [...type, ...headers, ...(isPacked ? ([['Content-Encoding', 'gzip']] as const) : [])]
  const body = Uint8Array.from(isPacked ? gzipSync(plain) : plain)
  const answered = {
    url: URL,
    at,
    address: '',
    status,
    statusText: '',
    headers: fields,
    origin: { requestHeaders: [] },
    body,
  }
  const reading = read(answered, options)
  const kind = 'answer' as const
  return fold(before, {
    site: 0,
    at,
    ...more,
    came: { kind, status, headers: fields, ending: { outcome }, reading, body: place(at) },
  })
}

const held = answer(undefined, 'one', { headers: [['ETag', '"1"']] }).row

// oxfmt-ignore
const cases: readonly [sentence: string, folded: Folded, facts: Partial<PageRow>, isContent: boolean, isChanged: boolean][] = [
  ['a first answer is the page, and no change', answer(undefined, 'one'), { visits: 1, changes: 0, title: 'one', body: place(1), changedAt: 1 }, true, false],
  ['the same again is no change', answer(held, 'one', { at: 2 }), { visits: 2, changes: 0, changedAt: 1, visitedAt: 2, body: place(2) }, true, false],
  ['the same in another coding is no change', answer(held, 'one', { at: 2, isPacked: true }), { changes: 0, changedAt: 1 }, true, false],
  ['the same bytes are no change when they are read in another charset by now', answer({ ...held, charset: 'windows-1252', title: 'îäèí', simhash: [1, 2] }, 'one', { at: 2 }), { changes: 0, changedAt: 1, charset: 'utf-8', title: 'one', simhash: undefined }, true, false],
  ['other words are a change', answer(held, 'two', { at: 2 }), { changes: 1, changedAt: 2, title: 'two', etag: undefined }, true, true],
  ['a server in trouble says nothing of the page', answer(held, 'sorry', { at: 2, status: 503, outcome: 'server-error' }), { outcome: 'server-error', status: 503, title: 'one', etag: '"1"', digest: held.digest, body: place(1), visits: 2, changes: 0 }, false, false],
  ['a page that is gone says so, and what was held stays', answer(held, 'gone', { at: 2, status: 404, outcome: 'client-error' }), { status: 404, title: 'gone', body: place(1) }, false, true],
  ['an error where nothing is held is all that is known', answer(undefined, 'sorry', { status: 503, outcome: 'server-error' }), { status: 503, body: undefined, visits: 1 }, false, false],
  ['an older answer is a visit more and nothing else', answer(held, 'old', { at: 0, isOlder: true }), { ...held, visits: 2 }, false, false],
  ['an older answer is the page where nobody has seen it whole', answer({ ...held, body: undefined }, 'old', { at: 0, isOlder: true }), { body: place(0), visitedAt: 1 }, true, false],
  ['the site’s own clock is kept', answer(undefined, 'one', { headers: [['Date', 'Sun, 01 Mar 2026 12:00:00 GMT']] }), { servedAt: DATE }, true, false],
  ['304 confirms what is held, with its newer validators', fold(held, { site: 0, at: 5, timings: { firstByteMs: 3 }, came: { kind: 'unchanged', headers: [['ETag', 'W/"1"']] } }), { outcome: 'not-modified', status: 304, visitedAt: 5, visits: 2, etag: 'W/"1"', title: 'one', body: place(1), timings: { firstByteMs: 3 } }, false, false],
  ['a confirmation for many pages has no status of its own', fold(held, { site: 0, at: 5, servedAt: 4, came: { kind: 'unchanged' } }), { outcome: 'not-modified', status: 200, servedAt: 4, etag: '"1"' }, false, false],
  ['an older 304 is a visit more', fold(held, { site: 0, at: 0, isOlder: true, came: { kind: 'unchanged', headers: [] } }), { ...held, visits: 2 }, false, false],
  ['a 304 of a page that nobody saw stands for what it repeats', fold(undefined, { site: 3, at: 5, came: { kind: 'unchanged', headers: [], body: place(7) } }), { site: 3, status: 304, visits: 1, body: place(7) }, false, false],
  ['no answer leaves all but the visit', fold(held, { site: 0, at: 5, came: { kind: 'failed', ending: { outcome: 'dns-error', problem: 'who?' } } }), { ...held, outcome: 'dns-error', status: 0, problem: 'who?', visits: 2, visitedAt: 5 }, false, false],
]

for (const [sentence, folded, facts, isContent, isChanged] of cases) {
  test(sentence, () => {
    const { row } = folded
    assert.deepEqual(Object.fromEntries(Object.keys(facts).map((key) => [key, row[key as keyof PageRow]])), facts)
    assert.deepEqual([folded.isContent, folded.isChanged], [isContent, isChanged])
  })
}

const gone = answer(held, 'gone', { at: 2, status: 404, outcome: 'client-error' }).row
const moved: PageRow = { ...held, outcome: 'redirect', status: 301, redirectTo: 'https://a.example/y' }
const later = { site: 0, at: 9 }
const OK = { outcome: 'ok', status: 200 }
const GONE = { outcome: 'client-error', status: 404 }

/** Visits that tell nothing new of a page. */
const silences: readonly [name: string, visit: (before: PageRow) => PageRow][] = [
  ['304', (before) => fold(before, { ...later, came: { kind: 'unchanged', headers: [] } }).row],
  ['a confirmation of many pages', (before) => fold(before, { ...later, came: { kind: 'unchanged' } }).row],
  ['no answer', (before) => fold(before, { ...later, came: { kind: 'failed', ending: { outcome: 'dns-error' } } }).row],
  ['a server in trouble', (before) => answer(before, 'sorry', { at: 9, status: 503, outcome: 'busy' }).row],
  ['an older capture', (before) => answer(before, 'old', { at: 0, isOlder: true }).row],
]
const pages: readonly [name: string, before: PageRow, known: ReturnType<typeof knownAs>][] = [
  ['a page that is held', held, OK],
  ['a page that is gone', gone, GONE],
  ['a page that moved', moved, { outcome: 'redirect', status: 301 }],
]

for (const [silence, visit] of silences) {
  for (const [page, before, known] of pages) {
    test(`${page} is known as what it was after ${silence}, once and again`, () => {
      const once = visit(before)
      for (const row of [once, visit(once)]) {
        assert.deepEqual(knownAs(row), known)
        assert.equal(contentVersion(row), contentVersion(before), 'what may be found')
      }
    })
  }
}

test('what tells of the page again is what it is known as', () => {
  const [, failing] = silences[2]!
  assert.deepEqual(knownAs(answer(failing(gone), 'back', { at: 10 }).row), OK)
  assert.deepEqual(knownAs(answer(failing(held), 'gone', { at: 10, status: 404, outcome: 'client-error' }).row), GONE)
})

test('a row of before this was kept is known by its last visit, but for a 304, which confirms', () => {
  assert.deepEqual(knownAs({ ...held, outcome: 'not-modified', status: 304 }), OK)
  assert.deepEqual(knownAs({ ...held, outcome: 'dns-error', status: 0 }), { outcome: 'dns-error', status: 0 })
})

/** How one content may come: its coding, how long it took, what the site said beside it. */
const ways = fc.record({
  isPacked: fc.boolean(),
  timings: fc.constantFrom({}, { firstByteMs: 5, transferMs: 9 }),
  headers: fc.constantFrom<HeaderList>([], [['Date', 'Sun, 01 Mar 2026 12:00:00 GMT']], [['Server', 'x']]),
})
/** What the bytes on the wire are may differ; what the page says may not. */
const pageOf = ({ row, isContent, isChanged }: Folded): unknown => {
  const { digest: _digest, bytes: _bytes, timings: _timings, servedAt: _servedAt, ...page } = row
  return { page, isContent, isChanged }
}

test('the same content by any two ways makes the same row, and is a change or none', () => {
  const text = fc.constantFrom('one', 'two', 'three')
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), text, ways, ways, ways, (past, now, earlier, one, other) => {
      const before = past.reduce<PageRow | undefined>(
        (row, was, at) => answer(row, was, { at, ...earlier }).row,
        undefined,
      )
      const at = past.length
      assert.deepEqual(pageOf(answer(before, now, { at, ...one })), pageOf(answer(before, now, { at, ...other })))
    }),
  )
})

test('whatever comes, a body that is held stays reachable, and visits are counted', () => {
  const came = fc.constantFrom<Came>(
    { status: 200 },
    { status: 503, outcome: 'server-error' },
    { status: 404, outcome: 'client-error' },
    { status: 200, outcome: 'truncated' },
  )
  fc.assert(
    fc.property(fc.array(came, { maxLength: 8 }), (all) => {
      let row = held
      for (const [n, each] of all.entries()) row = answer(row, String(n % 3), { at: n + 2, ...each }).row
      assert.ok(row.body !== undefined)
      assert.equal(row.visits, all.length + 1)
      assert.ok(row.changes <= all.length)
    }),
  )
})
