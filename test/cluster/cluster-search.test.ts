/** A search over the shards of a cluster, on a real nats-server: collections that were really crawled, and the command as users call it. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { cpSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { FollowedCollection } from '@comity/collection'
import { ClusterSearch, NatsRoad, writeSettings } from '@comity/cluster'
import type { ClusterAnswer } from '@comity/cluster'
import { SearchOfParts } from '@comity/index'
import { openSearchPart } from '@comity/search'
import { ShardSearches } from '../../packages/cluster/src/search/shard-search.ts'
import { startNats } from '../../packages/cluster/src/testing/nats-server.ts'
import type { NatsServer } from '../../packages/cluster/src/testing/nats-server.ts'
import { crawlSample } from '../../packages/cli/src/testing/search-fixture.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'

const SHARDS = [0, 1, 2]
const folder = temporaryFolder()
const dirs = SHARDS.map((shard) => folder.at(`shard-${shard}`))
let nats: NatsServer | undefined
let road: NatsRoad | undefined
/** One server and its cluster for all; undefined where there is none, and the test says so. */
async function roadHere(t: TestContext): Promise<NatsRoad | undefined> {
  nats ??= await startNats(t)
  if (nats === undefined || road !== undefined) return road
  // The same pages in each: those that are long enough to be told are near duplicates of those of the other shards.
  await crawlSample(dirs[0]!)
  for (const dir of dirs.slice(1)) cpSync(dirs[0]!, dir, { recursive: true })
  road = await NatsRoad.open({ servers: nats.url, name: 'web' })
  await road.makeRegister()
  const settings = { name: 'web', shards: SHARDS.length, vault: folder.at('vault') }
  await writeSettings(road.register, { ...settings, leaseMs: 30_000, takeOverAfterMs: 1_000 })
  return road
}

function says(sentence: string, run: (road: NatsRoad) => Promise<void>): void {
  test(sentence, { timeout: 60_000 }, async (t) => {
    const here = await roadHere(t)
    if (here !== undefined) await run(here)
  })
}
after(async () => {
  await road?.[Symbol.asyncDispose]()
  await nats?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const held = (shards: readonly number[]): Parameters<ShardSearches['turn']>[0] =>
  shards.map((shard) => ({ shard, epoch: 1, dir: dirs[shard]!, isHeld: () => true }))

function served(at: NatsRoad, shards: readonly number[] = SHARDS): ShardSearches {
  const searches = new ShardSearches(at)
  searches.turn(held(shards))
  return searches
}

async function search(...words: string[]): Promise<ClusterAnswer> {
  const ended = await comityHere(['search', '--cluster', nats!.url, '--name', 'web', ...words, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  return lastJson(ended) as unknown as ClusterAnswer
}

says('the command finds what all shards have, and folds what is nearly the same on several', async (here) => {
  await using _ = served(here)
  const all = await search('--unfolded', 'salmon')
  assert.deepEqual([all.matches, all.results.length, all.shards], [9, 9, { asked: 3, away: [] }])
  assert.deepEqual(new Set(all.results.map(({ shard }) => shard)), new Set(SHARDS))
  const copies = await search('twins')
  assert.deepEqual([copies.matches, copies.results[0]?.folded], [9, 5])
  const read = await comityHere(['search', '--cluster', nats!.url, '--name', 'web', 'devours', 'salmon'])
  assert.match(read.stdout, / 1 {2}The otter\n {5}http:\/\/127\.0\.0\.1:\d+\/otter\n/)
})

says('what comes over the road is what the same parts say without it', async (here) => {
  await using _ = served(here)
  const [opened, followed] = [dirs.map((dir) => new FollowedCollection(dir, Date.now)), [] as AsyncDisposable[]]
  const parts = opened.map((one) => {
    const part = openSearchPart(one.dir, () => one.current)
    followed.push(part, one)
    return part.part
  })
  const [local, remote] = [new SearchOfParts(parts), new ClusterSearch(here, { shards: 3 })]
  for (const query of ['salmon', 'sal* -heron', '"river otters" OR title:heron', 'lang:en since:1d', 'twins share'])
    for (const rank of ['default', 'idf'] as const) {
      const [near, there] = [await local.search({ query, rank }), await remote.search({ query, rank })]
      assert.deepEqual(
        there.results.map(({ shard: part, ...one }) => ({ ...one, part })),
        near.results,
        query,
      )
      assert.deepEqual([there.matches, there.facets, there.problems], [near.matches, near.facets, near.problems])
    }
  for (const one of followed) await one[Symbol.asyncDispose]()
})

says('a shard that nobody has is named, and so is one that answers nonsense, or not in time', async (here) => {
  await using _ = served(here, [0])
  const alone = await search('salmon')
  assert.deepEqual([alone.results.length, alone.shards.away], [3, [1, 2]])
  assert.match(alone.problems.join(' '), /Of 3 shards 2 are away \(1, 2\)/)
  await using liar = await NatsRoad.open({ servers: nats!.url, name: 'web' })
  const silent = new AbortController()
  liar.answerAt('search.1', () => ({ hits: 'many', view: -1 }))
  liar.answerAt('search.2', async () => await sleep(60_000, {}, { signal: silent.signal }).catch(() => undefined))
  // All that it answers at is known when it has heard itself.
  assert.ok(await liar.ask('search.1', {}, 2_000))
  const { results, shards } = await new ClusterSearch(here, { shards: 3 }).search({ query: 'salmon' })
  assert.deepEqual([results.length, shards.away], [3, [1, 2]])
  silent.abort()
})

says('pages and an API serve all shards, and what the machines say of themselves', async (here) => {
  await using _ = served(here, [0, 1])
  let child: ChildProcess | undefined
  const { promise: url, resolve } = Promise.withResolvers<string>()
  const ended = comity(['serve', '--cluster', nats!.url, '--name', 'web', '--port', '0', '--json'], {
    onStart: (started) => {
      child = started
      started.stdout?.on('data', (text: string) => resolve((JSON.parse(text) as { url: string }).url))
      started.on('close', () => resolve(''))
    },
  })
  const base = await url
  try {
    const [page, found, status] = await Promise.all(
      ['search?q=salmon', 'api/v1/search?q=salmon', 'api/v1/cluster'].map(async (path) =>
        (await fetch(base + path)).text(),
      ),
    )
    assert.match(page!, /shard 0[^]*shard 1/)
    assert.match(page!, /Shard 2 of 3 is away/)
    assert.deepEqual((JSON.parse(found!) as ClusterAnswer).shards, { asked: 3, away: [2] })
    const printed = await comityHere(['cluster', 'status', nats!.url, '--name', 'web', '--json'])
    assert.deepEqual(JSON.parse(status!), lastJson(printed))
  } finally {
    child?.kill('SIGINT')
  }
  assert.equal((await ended).code, 0)
})

// oxfmt-ignore
const nonsense: [sentence: string, message: Readonly<Record<string, unknown>>][] = [
  ['no kind',                       {}],
  ['terms that are no texts',       { kind: 'facts', terms: [1], prefixes: [] }],
  ['a plan of nothing',             rankBy({})],
  ['a plan of too many depths',     rankBy(nested(100))],
  ['a part that is no plan',        rankBy({ kind: 'all', parts: [{ kind: 'constructor' }] })],
  ['hits of too few numbers',       { kind: 'show', view: 1, hits: [[1]], rank: 'bm25', leaves: [] }],
  ['leaves of a kind there is not', { kind: 'show', view: 1, hits: [], rank: 'bm25', leaves: [{ kind: 'constructor', text: '' }] }],
]

function rankBy(plan: object): Readonly<Record<string, unknown>> {
  const none = { sites: [], types: [], languages: [] }
  const step = { plan, filters: { except: none, only: none }, rank: 'bm25', most: 1, isCounted: true }
  return { kind: 'rank', view: 1, step, documents: 1, meanLength: 1, terms: [], totals: [] }
}

function nested(depth: number): object {
  return depth === 0 ? { kind: 'every' } : { kind: 'all', parts: [nested(depth - 1)] }
}

says('a question that is none is not answered, and a view that there is not is said to be gone', async (here) => {
  await using _ = served(here)
  await search('salmon')
  await Promise.all(
    nonsense.map(async ([sentence, message]) =>
      assert.rejects(here.ask('search.0', message, 200), { name: 'NoAnswer' }, sentence),
    ),
  )
  // The same with a plan that is one is answered.
  assert.deepEqual(await here.ask('search.0', rankBy(nested(20)), 2_000), { gone: true })
  assert.deepEqual(await here.ask('search.0', { kind: 'show', view: 1, hits: [], rank: 'bm25', leaves: [] }, 2_000), {
    gone: true,
  })
})

test('whoever asks for a cluster names words alone, and who asks for none a folder', async () => {
  const noWords = await comityHere(['search', '--cluster', 'nats://127.0.0.1:1', '--name', 'web'])
  assert.deepEqual([noWords.code, /WORDS is missing/.test(noWords.stderr)], [2, true])
  const nothing = await comityHere(['search'])
  assert.deepEqual([nothing.code, /DIR is missing/.test(nothing.stderr)], [2, true])
})
