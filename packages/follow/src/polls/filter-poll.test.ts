/** A filter that is asked for pages: whatever it answers, every change is told of once, and the token is never ahead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WARC_TYPE, changeLine, changesEndLine, readChangeQuery, writeBatchPage, writeClosing } from '@comity/protocol'
import type { BatchPage, ChangeQuery, Closing } from '@comity/protocol'
import { readDocument } from '@comity/ingest/testing'
import type { Reply } from '@comity/ingest'
import { pollFilter } from './filter-poll.ts'
import type { OfferPollEnd, ReportedPage } from '../offer-poll.ts'
import { OfferMemory } from '../offers/memory.ts'
import { newOffer } from '../site-offers.ts'

const ORIGIN = 'https://a.example'
const OFFER = newOffer('filter', `${ORIGIN}/changes`)

function sent(type: string, body: Uint8Array | string, isWhole = true): Reply {
  const reader = type === WARC_TYPE ? 'batch' : 'changes'
  const read = readDocument({ reader }, Buffer.from(body), ORIGIN)
  const rest = { read, wireBytes: body.length, address: '127.0.0.1', isWhole, mark: { hash: '' } }
  return { kind: 'document', status: 200, headers: [['Content-Type', type]], body: Buffer.from(body), ...rest }
}

/** Pages, as a filter sends them. */
function pagesOf(paths: readonly string[], closing: Partial<Closing> = {}): Uint8Array {
  const records = paths.map((path) =>
    writeBatchPage({ url: `${ORIGIN}${path}`, status: 200, headers: [], body: Buffer.from(path) }, 0),
  )
  const end = { sent: paths.length, unchanged: 0, rest: [], refused: [], token: 't2', more: false, ...closing }
  return Buffer.concat([...records, writeClosing(end, OFFER.url, 0)])
}

const namesOf = (paths: readonly string[]): string =>
  paths.map((path) => changeLine({ url: `${ORIGIN}${path}`, change: 'updated', changedAt: 1 })).join('') +
  changesEndLine({ token: 't3', more: false })

interface Looked {
  readonly end: OfferPollEnd
  readonly told: readonly string[]
  readonly brought: readonly string[]
  readonly asked: readonly string[]
  readonly token: string | undefined
}

function look(answer: (query: ChangeQuery) => Reply, token: string | null = 't1'): Looked {
  const memory = new OfferMemory(undefined, OFFER.url)
  memory.token = token ?? undefined
  const [told, brought, asked]: [ReportedPage[], BatchPage[], string[]] = [[], [], []]
  const bring = { fields: 'difference', take: (pages: readonly BatchPage[]) => void brought.push(...pages) } as const
  const parts = { origin: ORIGIN, offer: OFFER, memory, robots: undefined, keep: () => undefined, bring }
  const inquiry = pollFilter({ ...parts, tell: (one) => void told.push(one) })
  let step = inquiry.next()
  while (step.done !== true) {
    const read = readChangeQuery(step.value.body!)
    assert.ok('query' in read)
    asked.push(`${read.query.fields} ${read.query.since}`)
    step = inquiry.next(answer(read.query))
  }
  const pathOf = ({ url }: { readonly url: string }): string => url.slice(ORIGIN.length)
  return { end: step.value, told: told.map(pathOf), brought: brought.map(pathOf), asked, token: memory.token }
}

test('pages come with the word, and the token goes on', () => {
  const { end, told, brought, asked, token } = look(() => sent(WARC_TYPE, pagesOf(['/a', '/b'])))
  assert.deepEqual([told, brought, asked], [['/a', '/b'], ['/a', '/b'], ['difference t1']])
  assert.equal(token, 't2')
  assert.deepEqual([end.problem, end.brought?.problem, end.brought?.requests], [undefined, undefined, 1])
})

test('without a token all pages would come: names are asked for', () => {
  const { asked, brought } = look(() => sent('application/x-ndjson', namesOf(['/a'])), null)
  assert.deepEqual([asked, brought], [['meta undefined'], []])
})

const others: [sentence: string, answer: Reply, since: string, problem: RegExp | undefined][] = [
  ['refuses', { kind: 'absent', status: 422, problem: 'status 422' }, 't1', /422/],
  ['is busy', { kind: 'trouble', status: 503, problem: 'status 503' }, 't1', /503/],
  ['is cut off', sent(WARC_TYPE, pagesOf(['/a', '/b']).subarray(0, 700), false), 't1', /broke off/],
  ['has no closing', sent(WARC_TYPE, pagesOf(['/a']).subarray(0, 400)), 't1', /broke off/],
  ['has lost a page on the way', sent(WARC_TYPE, pagesOf(['/a'], { sent: 2 })), 't1', /broke off/],
  ['sends something else', sent('text/html', '<p>hello'), 't1', /something else/],
  ['could not send one of them', sent(WARC_TYPE, pagesOf(['/a'], { refused: [`${ORIGIN}/b`] })), 't1', undefined],
  ['has more than it sends', sent(WARC_TYPE, pagesOf(['/a'], { more: true })), 't2', undefined],
  ['does not know the token any more', { kind: 'absent', status: 410, problem: 'status 410' }, 't1', undefined],
]
for (const [sentence, answer, since, problem] of others) {
  test(`a filter that ${sentence} is asked for names, from where it is known`, () => {
    const names = sent('application/x-ndjson', namesOf(['/a', '/b', '/c']))
    const { end, told, asked, token } = look(({ fields }) => (fields === 'meta' ? names : answer))
    assert.deepEqual(asked, ['difference t1', `meta ${since}`])
    assert.ok(['/a', '/b', '/c'].every((path) => told.includes(path)))
    assert.deepEqual([end.problem, token], [undefined, 't3'])
    assert.equal(end.brought?.problem === undefined, problem === undefined)
    if (problem !== undefined) assert.match(end.brought?.problem ?? '', problem)
  })
}
