import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Judgement } from '../node/gateway-program.ts'
import { JudgementMemory } from './judgement-memory.ts'
import type { SeenPage } from '../node/page-words.ts'

const page = (url: string, at: number, digest = 'd'): SeenPage => ({ url, at, headers: [], body: Buffer.of(), digest })

/** How often each of these pages had to be judged, one after the other. */
async function judged(judgement: Judgement, ...pages: SeenPage[]): Promise<number> {
  const memory = new JudgementMemory()
  let times = 0
  for (const one of pages) {
    const said = await memory.of(one, () => {
      times++
      return Promise.resolve(judgement)
    })
    assert.equal(said, judgement)
  }
  return times
}

const SKIP: Judgement = { kind: 'skip', reason: 'program-login' }
// oxfmt-ignore
const cases: [sentence: string, judgement: Judgement, pages: SeenPage[], times: number][] = [
  ['what is left out is judged once in a minute',  SKIP,                              [page('a', 0), page('a', 59_999), page('a', 60_000)], 2],
  ['another page is another',                      SKIP,                              [page('a', 0), page('b', 0)],                         2],
  ['so is another version',                        SKIP,                              [page('a', 0), page('a', 0, 'e')],                    2],
  ['what is indexed is asked about again',         { kind: 'index' },                 [page('a', 0), page('a', 1)],                         2],
  ['as is what found no place',                    { kind: 'skip', reason: 'busy' },  [page('a', 0), page('a', 1)],                         2],
]
for (const [sentence, judgement, pages, times] of cases)
  test(sentence, async () => assert.equal(await judged(judgement, ...pages), times))

test('a page that many read at once is judged once', async () => {
  const memory = new JudgementMemory()
  const { promise, resolve } = Promise.withResolvers<Judgement>()
  let times = 0
  const all = [1, 2, 3].map((at) => memory.of(page('a', at), () => (times++, promise)))
  resolve({ kind: 'index' })
  await Promise.all(all)
  assert.equal(times, 1)
})

test('of any number of pages the last are remembered', async () => {
  const pages = Array.from({ length: 10_001 }, (_, n) => page(`${n}`, 0))
  assert.equal(await judged(SKIP, ...pages, page('1', 1)), 10_001)
  assert.equal(await judged(SKIP, ...pages, page('0', 1)), 10_002)
})
