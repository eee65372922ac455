import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyDelta, CHANGES_PATH, isAskedFor, readBatchAnswer, readChanges, writeChangeQuery } from '@comity/protocol'
import type { ChangeQuery, Closing } from '@comity/protocol'
import { etagOf } from '../page-etag.ts'
import { SampleSite } from '../testing/site-sample.ts'
import type { Asked, ReadAnswer } from '../testing/site-sample.ts'
import type { SiteOptions } from '../site-options.ts'

type Wish = Partial<ChangeQuery>

const asked = (query: Wish, method = 'QUERY'): Asked => ({
  method,
  headers: [['Content-Type', 'application/json']],
  body: writeChangeQuery({ fields: 'meta', ...query }),
})

const ask = (sample: SampleSite, query: Wish = {}): Promise<ReadAnswer> => sample.ask(CHANGES_PATH, asked(query))

async function meta(sample: SampleSite, query: Wish = {}): Promise<{ told: string[]; token: string; more: boolean }> {
  const { status, text } = await ask(sample, query)
  assert.equal(status, 200, text)
  const { entries, end, unreadable } = readChanges(text)
  assert.equal(unreadable, 0)
  const told = entries.map(({ change, url }) => `${change} ${new URL(url).pathname}`)
  return { told, ...end! }
}

test('without a token all pages are told of, then only what changed', async () => {
  const sample = new SampleSite()
  await sample.put({ '/b': 'b', '/a': 'a', '/gone': 'gone' })
  await sample.put({ '/gone': null })
  const first = await meta(sample)
  assert.deepEqual([first.told, first.more], [['created /a', 'created /b'], false])
  assert.deepEqual((await meta(sample, { since: first.token })).told, [])
  await sample.put({ '/a': 'a, again', '/b': null, '/c': 'c' })
  const second = await meta(sample, { since: first.token })
  assert.deepEqual(second.told, ['updated /a', 'deleted /b', 'created /c'])
  assert.deepEqual((await meta(sample, { since: second.token })).told, [])
})

test('several changes of a page come to one: from what it was to what it is', async () => {
  const sample = new SampleSite()
  await sample.put({ '/back': 'one', '/twice': 'one', '/again': 'one' })
  const { token } = await meta(sample)
  for (const text of ['two', 'three']) await sample.put({ '/twice': text, '/back': text, '/new': text })
  await sample.put({ '/back': 'one', '/brief': 'here', '/again': null })
  await sample.put({ '/brief': null, '/again': 'two' })
  assert.deepEqual((await meta(sample, { since: token })).told, ['updated /twice', 'created /new', 'updated /again'])
})

test('an answer that would be too long stops and is gone on with', async () => {
  const sample = new SampleSite()
  await sample.put(Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`/${i}`, `page ${i}`])))
  const seen: string[] = []
  let [token, more] = ['', true]
  for (let answers = 1; more; answers++) {
    const step = await meta(sample, { limit: 3, ...(token === '' ? {} : { since: token }) })
    assert.ok(step.told.length <= 3 && answers <= 3)
    seen.push(...step.told)
    ;({ token, more } = step)
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 7 }, (_, i) => `created /${i}`),
  )
  await sample.put(Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`/${i}`, `page ${i}, again`])))
  const first = await meta(sample, { since: token, limit: 4 })
  assert.deepEqual([first.told.length, first.more], [4, true])
  assert.deepEqual((await meta(sample, { since: first.token })).told, ['updated /4'])
})

const filters: [sentence: string, wish: Wish, told: string[]][] = [
  ['type', { types: ['image/*'] }, ['created /img/b.png']],
  ['several types', { types: ['image/png', 'text/plain'] }, ['created /img/b.png', 'created /notes.txt']],
  ['prefix', { prefixes: ['/docs/', '/img/'] }, ['created /docs/a', 'created /img/b.png']],
  ['least size', { minBytes: 100 }, ['created /docs/a']],
  ['greatest size', { maxBytes: 10 }, ['created /img/b.png', 'created /notes.txt']],
  ['importance', { minImportance: 0.5 }, ['created /notes.txt']],
  ['several at a time', { types: ['text/html'], maxBytes: 10 }, []],
]
for (const [sentence, wish, told] of filters) {
  test(`pages are told of by ${sentence}, in a body and in a query string`, async () => {
    const sample = new SampleSite()
    await sample.put({ '/docs/a': 'a'.repeat(200) })
    await sample.put({ '/img/b.png': 'png' }, { type: 'image/png' })
    await sample.put({ '/notes.txt': 'notes' }, { type: 'text/plain', importance: 0.7 })
    assert.deepEqual((await meta(sample, wish)).told, told)
    const parameters = new URLSearchParams(
      Object.fromEntries(Object.entries(wish).map(([name, value]) => [name, String(value)])),
    )
    const byGet = readChanges((await sample.ask(`${CHANGES_PATH}?${parameters.toString()}`)).text)
    assert.deepEqual(
      byGet.entries.map(({ change, url }) => `${change} ${new URL(url).pathname}`),
      told,
    )
  })
}

test('a page that leaves what is asked for is told as deleted, one that enters as created', async () => {
  const sample = new SampleSite()
  await sample.put({ '/grows': 'x', '/shrinks': 'x'.repeat(100), '/stays': 'x', '/never': 'y'.repeat(100) })
  const { token, told } = await meta(sample, { maxBytes: 10 })
  assert.deepEqual(told, ['created /grows', 'created /stays'])
  await sample.put({ '/grows': 'x'.repeat(100), '/shrinks': 'x', '/stays': 'y', '/never': 'z'.repeat(100) })
  assert.deepEqual((await meta(sample, { since: token, maxBytes: 10 })).told, [
    'deleted /grows',
    'created /shrinks',
    'updated /stays',
  ])
})

const stale: [sentence: string, since: (sample: SampleSite) => Promise<string>][] = [
  [
    'too old',
    async (sample) => {
      const { token } = await meta(sample)
      for (let i = 0; i < 10; i++) await sample.put({ '/a': `version ${i}` })
      sample.journal.compact(sample.now)
      return token
    },
  ],
  ['of another journal', async () => `${'0'.repeat(16)}.1`],
  ['of a time to come', async (sample) => `${(await meta(sample)).token.split('.')[0]}.99`],
  ['no token at all', async () => 'yesterday'],
  [
    'of a walk over all pages that took too long',
    async (sample) => {
      const { token } = await meta(sample, { limit: 1 })
      for (let i = 0; i < 10; i++) await sample.put({ '/a': `version ${i}` })
      sample.journal.compact(sample.now)
      return token
    },
  ],
]
for (const [sentence, since] of stale) {
  test(`whoever comes with a token that is ${sentence} is told to begin anew`, async () => {
    const sample = new SampleSite({}, { limits: { changes: 3 } })
    await sample.put({ '/a': 'a', '/b': 'b' })
    const answer = await ask(sample, { since: await since(sample) })
    assert.deepEqual([answer.status, answer.text.includes('without "since"')], [410, true])
  })
}

const badQuestions: [sentence: string, asking: Asked & { path?: string }, status: number][] = [
  ['no JSON', { method: 'QUERY', headers: [['Content-Type', 'application/json']], body: '[1' }, 422],
  ['an unknown filter', { path: `${CHANGES_PATH}?colour=blue` }, 422],
  ['a size that is none', { path: `${CHANGES_PATH}?minBytes=big` }, 422],
  ['no type', { method: 'POST', body: '{}' }, 400],
  ['another type', { method: 'POST', headers: [['Content-Type', 'text/xml']], body: '{}' }, 415],
  ['another method', { method: 'DELETE' }, 405],
]
for (const [sentence, { path = CHANGES_PATH, ...asking }, status] of badQuestions) {
  test(`a question with ${sentence} is answered ${status}`, async () => {
    const answer = await new SampleSite().ask(path, asking)
    assert.equal(answer.status, status)
    assert.equal(answer.header('accept-query'), '"application/json"')
  })
}

const long = (word: string): string => `${'<p>what all pages of this site say</p>\n'.repeat(50)}<p>${word}</p>`

test('pages and differences come as records, and the closing has the token', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a': long('a'), '/b': long('b') })
  const first = readBatchAnswer((await ask(sample, { fields: 'page' })).body)
  assert.deepEqual(
    first.pages.map(({ status }) => status),
    [200, 200],
  )
  const { digest } = sample.journal.page('/a')!
  await sample.put({ '/a': long('a, again'), '/b': null, '/c': long('c') })
  const token = first.closing!.token!
  const second = readBatchAnswer((await ask(sample, { since: token, fields: 'difference' })).body)
  assert.deepEqual(
    second.pages.map(({ url, status }) => [new URL(url).pathname, status]),
    [
      ['/a', 226],
      ['/b', 410],
      ['/c', 200],
    ],
  )
  const applied = applyDelta(second.pages[0]!, new Map([[etagOf(digest), Buffer.from(long('a'))]]), {
    maxBytes: 1 << 20,
  })
  assert.ok(applied.kind === 'ok' && Buffer.from(applied.body).toString('utf8') === long('a, again'))
  const third = readBatchAnswer((await ask(sample, { since: second.closing!.token, fields: 'page' })).body)
  assert.deepEqual([third.pages, third.closing?.more], [[], false])
})

test('a base that is no longer kept costs the whole page, never a wrong one', async () => {
  const sample = new SampleSite(
    {},
    { versions: { put: async () => undefined, get: () => undefined, supersede: () => undefined } },
  )
  await sample.put({ '/a': long('a') })
  const { token } = await meta(sample)
  await sample.put({ '/a': long('a, again') })
  const { pages } = readBatchAnswer((await ask(sample, { since: token, fields: 'difference' })).body)
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200],
  )
})

test('records stop at so many bytes, and the next answer goes on behind them', async () => {
  const sample = new SampleSite({ limits: { answerBytes: 5_000 } })
  await sample.put(Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`/${i}`, long(String(i))])))
  const seen: string[] = []
  let closing: Closing | undefined
  do {
    const read = readBatchAnswer(
      (await ask(sample, { fields: 'page', ...(closing?.token === undefined ? {} : { since: closing.token }) })).body,
    )
    assert.ok(read.pages.length <= 2)
    seen.push(...read.pages.map(({ url }) => new URL(url).pathname))
    closing = read.closing
  } while (closing?.more === true)
  assert.deepEqual(seen, ['/0', '/1', '/2', '/3', '/4', '/5'])
})

/** A crawler that follows by token: what it holds, by path. */
class Follower {
  readonly held = new Map<string, string>()
  readonly #query: Wish
  #token: string | undefined

  constructor(query: Wish) {
    this.#query = query
  }

  /** One question. Returns whether there is more. */
  async step(sample: SampleSite): Promise<boolean> {
    const answer = await ask(sample, { ...this.#query, since: this.#token })
    if (answer.status === 410) {
      this.#token = undefined
      this.held.clear()
      return true
    }
    const isWhole = this.#token === undefined
    if (isWhole) this.held.clear()
    const { entries, end } = readChanges(answer.text)
    for (const { url, change, digest } of entries) {
      const { pathname } = new URL(url)
      if (change === 'deleted') this.held.delete(pathname)
      else this.held.set(pathname, digest!)
    }
    this.#token = end!.token
    return end!.more
  }
}

test('whatever happens to the site, whoever follows by token holds exactly its pages', async () => {
  const paths = fc.constantFrom('/a', '/b', '/c', '/d/e', '/d/f')
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ path: paths, size: fc.nat(12) }) },
    { weight: 2, arbitrary: fc.record({ gone: paths }) },
    { weight: 4, arbitrary: fc.constant('ask' as const) },
    { weight: 1, arbitrary: fc.constantFrom('compact' as const, 'restart' as const) },
  )
  const wishes: fc.Arbitrary<Wish> = fc.record({
    limit: fc.integer({ min: 1, max: 4 }),
    maxBytes: fc.constantFrom(undefined, 6),
    prefixes: fc.constantFrom(undefined, ['/d/', '/a']),
  })
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 50 }),
    wishes,
    fc.integer({ min: 1, max: 8 }),
    async (steps, wish, changes) => {
      let sample = new SampleSite({ limits: { changesLookedAt: 3 } }, { limits: { changes } })
      const follower = new Follower(wish)
      for (const one of steps) {
        if (one === 'ask') await follower.step(sample)
        else if (one === 'compact') sample.journal.compact(sample.now)
        else if (one === 'restart') sample = restarted(sample, { limits: { changesLookedAt: 3 } })
        else if ('gone' in one) await sample.put({ [one.gone]: null })
        else await sample.put({ [one.path]: 'x'.repeat(one.size) })
      }
      for (let answers = 0; await follower.step(sample); answers++) assert.ok(answers < 200)
      const pages = [...sample.journal.pages()].filter((page) => isAskedFor({ fields: 'meta', ...wish }, page))
      assert.deepEqual(follower.held, new Map(pages.map(({ path, digest }) => [path, digest])))
    },
  )
  await fc.assert(property, { numRuns: 300 })
})

/** The same journal, and a site that has just begun. */
function restarted(sample: SampleSite, options: Partial<SiteOptions>): SampleSite {
  const again = new SampleSite({ ...options, journal: sample.journal })
  Object.assign(again, { journal: sample.journal, bodies: sample.bodies, now: sample.now })
  return again
}
