import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatheredAsks } from './gathered-asks.ts'
import type { GatheredAsk } from './gathered-asks.ts'
import { NoAnswer } from '../road/road.ts'
import type { Message, Road } from '../road/road.ts'

/** Shards 0 to 3 on machine a, 4 on machine b; what was sent where is written down. */
function roadTo(together: (asks: readonly GatheredAsk[]) => unknown): {
  readonly road: Pick<Road, 'ask'>
  readonly sent: string[]
} {
  const sent: string[] = []
  const ask = async (to: string, message: Message): Promise<Message> => {
    sent.push(to)
    if (to.startsWith('search-at.')) return (await together(message['asks'] as readonly GatheredAsk[])) as Message
    return { said: `${to} alone`, at: to === 'search.4' ? 'search-at.b' : 'search-at.a' }
  }
  return { road: { ask }, sent }
}

const everyone = (asks: readonly GatheredAsk[]): object => ({
  answers: asks.map(({ to }) => ({ said: `${to} together` })),
})

async function askAll(asks: GatheredAsks): Promise<unknown[]> {
  const all = [0, 1, 2, 3, 4].map((n) => asks.ask(`search.${n}`, { kind: 'facts' }, 1_000))
  return (await Promise.all(all)).map(({ said }) => said)
}

test('who has answered says where all of its machine are asked at once', async () => {
  const { road, sent } = roadTo(everyone)
  const asks = new GatheredAsks(road)
  assert.deepEqual(
    await askAll(asks),
    [0, 1, 2, 3, 4].map((n) => `search.${n} alone`),
  )
  sent.length = 0
  assert.deepEqual(
    await askAll(asks),
    [0, 1, 2, 3, 4].map((n) => `search.${n} together`),
  )
  assert.deepEqual(sent, ['search-at.a', 'search-at.b'])
})

// oxfmt-ignore
const lacks: [sentence: string, together: (asks: readonly GatheredAsk[]) => unknown][] = [
  ['one that is left out',      (asks) => ({ answers: asks.map(({ to }) => (to === 'search.2' ? null : { said: `${to} together` })) })],
  ['one behind the last told',  (asks) => ({ answers: asks.filter(({ to }) => to < 'search.2').map(({ to }) => ({ said: `${to} together` })) })],
]
for (const [sentence, together] of lacks) {
  test(`${sentence} is asked alone`, async () => {
    const asks = new GatheredAsks(roadTo(together).road)
    await askAll(asks)
    const told = await askAll(asks)
    assert.deepEqual([told[1], told[2]], ['search.1 together', 'search.2 alone'])
  })
}

// oxfmt-ignore
const broken: [sentence: string, together: () => unknown][] = [
  ['an answer of another shape',   () => ({ answers: 'all' })],
  ['answers that are no messages', () => ({ answers: [1, 'two', []] })],
  ['a machine that has gone',      () => { throw new NoAnswer('nobody') }],
]
for (const [sentence, together] of broken) {
  test(`${sentence} is none, and each is asked alone`, async () => {
    const asks = new GatheredAsks(roadTo(together).road)
    await askAll(asks)
    assert.deepEqual(
      await askAll(asks),
      [0, 1, 2, 3, 4].map((n) => `search.${n} alone`),
    )
  })
}

test('a machine that does not answer in time is not waited for twice', async () => {
  let now = 0
  const { road, sent } = roadTo(() => {
    now += 50
    throw new NoAnswer('late')
  })
  const asks = new GatheredAsks(road, () => now)
  await asks.ask('search.0', {}, 50)
  sent.length = 0
  await assert.rejects(asks.ask('search.0', {}, 50), { name: 'NoAnswer' })
  assert.deepEqual(sent, ['search-at.a'])
})

test('a place that could be anything else is not believed', async () => {
  const sent: string[] = []
  const ask = async (to: string): Promise<Message> => {
    sent.push(to)
    return await Promise.resolve({ at: 'register.job' })
  }
  const asks = new GatheredAsks({ ask })
  for (let n = 0; n < 2; n++) await asks.ask('search.0', {}, 50)
  assert.deepEqual(sent, ['search.0', 'search.0'])
})
