/** Lists between shards, as a property: whatever copies either side goes on from, the receiver hears of all that the source holds in the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Opening, Taken } from '@comity/collection'
import { createRandom } from '@comity/testbed'
import { amount } from '@comity/protocol/testing'
import { MemoryRoadNet } from '../road/memory-road.ts'
import { Inflow } from './inflow.ts'
import { serveLists } from './list-service.ts'
import { resumeAt, withOpening } from './telling.ts'
import type { ListSource } from './telling.ts'

interface SourceState {
  readonly list: readonly number[]
  readonly openings: readonly Opening[]
}
interface ReceiverState {
  readonly heard: ReadonlySet<string>
  readonly taken: readonly Taken[]
}

const sourceOf = (state: () => SourceState): ListSource => ({
  get epoch() {
    return state().openings.at(-1)?.epoch ?? 0
  },
  get openings() {
    return state().openings
  },
  lengthFor: () => state().list.length,
  pagesFor: (_, from, most) => state().list.slice(from, from + Math.min(most, 3)),
  told: (page) => (page % 7 === 0 ? undefined : { url: `https://a.example/${page}`, depth: 1, seed: 0 }),
})

async function story(seed: number): Promise<void> {
  const random = createRandom(seed)
  const net = new MemoryRoadNet()
  let source: SourceState = { list: [], openings: [] }
  let receiver: ReceiverState = { heard: new Set(), taken: [] }
  const [sources, receivers] = [[source], [receiver]]
  let epoch = 0
  const open = (from: SourceState): void => {
    const lengths = [from.list.length, 0]
    source = { list: from.list, openings: withOpening(from.openings, { epoch: ++epoch, lengths }) }
  }
  open(source)
  serveLists(
    net.road('source'),
    1,
    sourceOf(() => source),
    () => true,
  )
  const inflow = (): Inflow =>
    new Inflow({
      shard: 0,
      shards: 2,
      road: net.road('receiver'),
      answerMs: 1_000,
      taken: receiver.taken,
      offer: (told) => {
        receiver = { ...receiver, heard: new Set([...receiver.heard, ...told.map(({ url }) => url)]) }
        return 0
      },
      keep: (taken) => (receiver = { ...receiver, taken }),
    })
  let asking = inflow()
  for (let step = 0; step < 40; step++) {
    const what = random.int(6)
    // Other pages are found after a fall than before it.
    if (what <= 1)
      source = { ...source, list: [...source.list, ...Array.from({ length: random.int(5) }, () => random.int(1e6))] }
    else if (what <= 3) await asking.turn()
    else if (what === 4) open(random.pick(sources))
    else {
      receiver = random.pick(receivers)
      asking = inflow()
    }
    sources.push(source)
    receivers.push(receiver)
  }
  while (await asking.turn()) continue
  await asking.turn()
  const wanted = source.list.filter((page) => page % 7 !== 0).map((page) => `https://a.example/${page}`)
  assert.deepEqual(
    wanted.filter((url) => !receiver.heard.has(url)),
    [],
    `seed ${seed}`,
  )
  assert.equal(asking.lag, 0)
}

test(
  'whatever copies source and receiver go on from, nothing that the source holds is missed',
  { timeout: 600_000 },
  async () => {
    for (let seed = 1; seed <= amount(100, 5_000); seed++) await story(seed)
  },
)

test('who has taken more than a later opening had goes back to where the lists were the same', () => {
  const openings = [
    { epoch: 1, lengths: [0] },
    { epoch: 3, lengths: [40] },
    { epoch: 5, lengths: [25] },
    { epoch: 8, lengths: [60] },
  ]
  // oxfmt-ignore
  const cases: [epoch: number, position: number, from: number][] = [
    [8, 70, 70], [5, 58, 58], [5, 61, 60], [3, 50, 25], [3, 10, 10], [0, 9, 0], [2, 10, 0], [9, 10, 0],
  ]
  for (const [epoch, position, from] of cases) assert.equal(resumeAt(openings, 0, epoch, position), from)
  assert.equal(resumeAt(openings, 7, 3, 50), 0, 'a shard that nobody had a list for')
})

test('many openings become fewer, and nobody goes on further than before', () => {
  let openings: readonly Opening[] = []
  const all: Opening[] = []
  const random = createRandom(3)
  for (let epoch = 1; epoch <= 600; epoch++) {
    const opening = { epoch, lengths: [random.int(1_000), random.int(1_000)] }
    all.push(opening)
    openings = withOpening(openings, opening)
  }
  assert.ok(openings.length <= 256)
  for (let epoch = 0; epoch <= 600; epoch += 7)
    for (const shard of [0, 1])
      assert.ok(resumeAt(openings, shard, epoch, 999) <= resumeAt(all, shard, epoch, 999), `${epoch}`)
})
