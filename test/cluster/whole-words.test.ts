/**
 * What is said to a whole cluster as to one collection: export, inspect, index, forget, and the words that look after it. Two machines
 * as processes on a real nats-server, a small web that was really crawled; what is told is compared with what the sites have.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { NatsRoad, readSettings, runOnCluster, shardOf } from '@comity/cluster'
import { crawlDefaults } from '@comity/crawler'
import { siteOf } from '@comity/protocol'
import { createLivingWeb } from '@comity/testbed'
import type { LivingWeb } from '@comity/testbed'
import { startNats } from '../../packages/cluster/src/testing/nats-server.ts'
import type { NatsServer } from '../../packages/cluster/src/testing/nats-server.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { comesTrue } from '../crawl/quick-crawl.ts'

const SHARDS = 3
const folder = temporaryFolder()
const machines = [folder.at('machine-1'), folder.at('machine-2')]
const children: ChildProcess[] = []
const ends: Promise<Ended>[] = []
let nats: NatsServer | undefined
let web: LivingWeb | undefined
let hasBegun = false

interface Status {
  readonly shards: readonly { readonly shard: number; readonly owner?: string; readonly epoch: number }[]
  readonly machines: readonly { readonly id: string }[]
}

const whole = (): string[] => ['--cluster', nats!.url, '--name', 'web']
const place = (): string[] => [nats!.url, '--name', 'web']

async function told<Json>(words: readonly string[]): Promise<Json> {
  const ended = await comityHere([...words, '--json'])
  assert.equal(ended.code, 0, `${words.join(' ')}: ${ended.stderr}`)
  return lastJson(ended) as Json
}

const status = async (): Promise<Status> => await told(['cluster', 'status', ...place()])

function join(into: string, name = 'web'): void {
  let child: ChildProcess | undefined
  ends.push(comity(['cluster', 'join', nats!.url, '--name', name, '--into', into], { onStart: (one) => (child = one) }))
  children.push(child!)
}

/** One web, crawled once by one of the machines; the other joins later. */
async function begun(t: TestContext): Promise<boolean> {
  if (hasBegun) return nats !== undefined
  hasBegun = true
  nats = await startNats(t)
  if (nats === undefined) return false
  const sites = [1, 2, 3].map((n) => ({ name: `w${n}`, host: `w${n}.localhost`, address: '127.0.0.1' }))
  web = await createLivingWeb({ seed: 5, sites, largestSite: 5, troubleMs: 0 })
  const own = ['--shards', `${SHARDS}`, '--vault', folder.at('vault'), '--lease', '5s']
  assert.equal((await comityHere(['cluster', 'init', ...place(), ...own])).code, 0)
  join(machines[0]!)
  const how = [
    '--allow-private',
    '--delay',
    '20ms',
    '--scope',
    'any',
    '--user-agent',
    'comity-test/1.0 (+https://example.org/bot)',
  ]
  const summary = await told<{ pages: number }>(['crawl', web.home, ...whole(), ...how])
  assert.ok(summary.pages > 8, `${summary.pages} pages`)
  return true
}

function says(sentence: string, run: () => Promise<void>): void {
  test(sentence, { timeout: 120_000 }, async (t) => {
    if (await begun(t)) await run()
  })
}

after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(ends)
  await web?.[Symbol.asyncDispose]()
  await nats?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const linesOf = (name: string): string[] => readFileSync(folder.at(name), 'utf8').trimEnd().split('\n')
const urlsOf = (lines: readonly string[]): string[] => lines.map((line) => (JSON.parse(line) as { url: string }).url)

says('an export has the pages of all shards, each once, in each format that goes line by line', async () => {
  const files = ['jsonl', 'csv', 'graph', 'nodes', 'parquet'].flatMap((what) => [`--${what}`, folder.at(what)])
  const { shards } = await told<{ shards: number }>(['export', ...whole(), ...files])
  assert.equal(shards, SHARDS)
  const wanted = [...web!.reachable({ from: [web!.home] }).urls].toSorted()
  assert.deepEqual(urlsOf(linesOf('jsonl')).toSorted(), wanted)
  const csv = linesOf('csv').map((line) => line.split(',')[0]!)
  assert.deepEqual([csv.filter((cell) => cell === 'url').length, csv.length], [1, wanted.length + 1])
  const nodes = linesOf('nodes').map((line) => line.split('\t')[0]!)
  assert.deepEqual([nodes.length, new Set(nodes).size], [nodes.length, nodes.length])
  assert.deepEqual(
    wanted.filter((url) => !nodes.includes(url)),
    [],
  )
  const across = linesOf('graph').filter((line) => {
    const [from = '', to = ''] = line.split('\t')
    return shardOf(siteOf(from), SHARDS) !== shardOf(siteOf(to), SHARDS)
  })
  assert.ok(across.length > 0, 'links lead from shard to shard')
  assert.ok(readFileSync(folder.at('parquet')).length > 1_000)
  const filtered = await comityHere(['export', ...whole(), '--jsonl', '-', '--site', 'w1.localhost'])
  assert.deepEqual(
    new Set(urlsOf(filtered.stdout.trimEnd().split('\n')).map((url) => new URL(url).hostname)),
    new Set(['w1.localhost']),
  )
  const wrong = await comityHere(['export', ...whole(), '--jsonl', '-', '--since', 'sometime'])
  assert.deepEqual([wrong.code, /sometime/.test(wrong.stderr)], [2, true])
  const wacz = await comityHere(['export', ...whole(), '--wacz', folder.at('wacz')])
  assert.deepEqual([wacz.code, /does not cross|do not cross/.test(wacz.stderr)], [2, true])
})

says('a look at it counts each page once, and a story has the links of all shards', async () => {
  const { pages, known, states, siteCount } = await told<{
    pages: number
    known: number
    states: Record<string, number>
    siteCount: number
  }>(['inspect', ...whole()])
  const wanted = web!.reachable({ from: [web!.home] }).urls.size
  assert.deepEqual([pages, siteCount], [wanted, 3])
  assert.equal(
    Object.values(states).reduce((sum, one) => sum + one, 0),
    known,
  )
  assert.equal(known, linesOf('nodes').length)
  const inward = Map.groupBy(linesOf('graph'), (line) => line.split('\t')[1]!)
  const [url, links] = [...inward].find(([to, lines]) =>
    lines.some((line) => shardOf(siteOf(line.split('\t')[0]!), SHARDS) !== shardOf(siteOf(to), SHARDS)),
  )!
  const story = await told<{ linksInCount: number; shard: number }>(['inspect', ...whole(), url])
  assert.deepEqual([story.linksInCount, story.shard], [links.length, shardOf(siteOf(url), SHARDS)])
  const nowhere = await comityHere(['inspect', ...whole(), 'http://w1.localhost/nowhere'])
  assert.deepEqual([nowhere.code, /not known here/.test(nowhere.stderr)], [1, true])
  const twice = await comityHere(['inspect', ...whole(), url, 'more'])
  assert.deepEqual([twice.code, /one word too many/.test(twice.stderr)], [2, true])
})

says('each machine has its share when it is asked for, and takes what it gets with its pages', async () => {
  join(machines[1]!)
  assert.ok(await comesTrue(async () => (await status()).machines.length === 2, 20_000), 'it joins')
  assert.equal(new Set((await status()).shards.map(({ owner }) => owner)).size, 1, 'shards do not move by themselves')
  const { machines: shares } = await told<{ machines: { shards: number }[] }>(['cluster', 'rebalance', ...place()])
  assert.deepEqual(new Set(shares.map(({ shards }) => shards)), new Set([1, 2]))
  const { pages } = await told<{ pages: number }>(['inspect', ...whole()])
  assert.equal(pages, web!.reachable({ from: [web!.home] }).urls.size)
})

says('an index can be had where a shard has come without one, and then it is found', async () => {
  const indexed = await told<{ documents: number }>(['index', ...whole()])
  const found = await told<{ matches: number; problems: string[] }>(['search', ...whole(), 'type:html'])
  assert.deepEqual([found.matches, found.problems], [indexed.documents, []])
  assert.ok(indexed.documents > 8)
})

says('a snapshot is there when it is said to be', async () => {
  const before = Date.now()
  const { copies, away } = await told<{ copies: { shard: number; at: string; bytes: number }[]; away: number[] }>([
    'cluster',
    'snapshot',
    ...place(),
  ])
  assert.deepEqual([copies.map(({ shard }) => shard), away], [[0, 1, 2], []])
  assert.ok(copies.every(({ at, bytes }) => Date.parse(at) >= before && bytes > 0))
})

/** Every archive and record below these folders that has these words. */
function filesWith(dirs: readonly string[], text: string): string[] {
  const paths = dirs.flatMap((dir) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => `${dir}/${name}`),
  )
  return paths.filter((path) => {
    if (!/\.(?:warc\.gz|mdb|json)$/.test(path)) return false
    const bytes = readFileSync(path)
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text)
  })
}

says('what is forgotten is gone from every shard, every copy and every folder that was left behind', async () => {
  const url = urlsOf(linesOf('jsonl')).find((one) =>
    linesOf('graph').some((line) => line.split('\t')[1] === one && line.split('\t')[0] !== one),
  )!
  const all = [...machines, folder.at('vault')]
  const dry = await told<{ pages: number; forgotten: boolean }>(['forget', ...whole(), url, '--dry-run'])
  assert.ok(dry.pages > 0 && !dry.forgotten)
  const target = `WARC-Target-URI: ${url}\r\n`
  assert.ok(filesWith(all, target).length > 2, 'it is on a disk, in the vault, and in what was left behind')
  const gone = await told<{ forgotten: boolean; machines: number }>(['forget', ...whole(), url])
  assert.deepEqual([gone.forgotten, gone.machines], [true, 2])
  await told(['export', ...whole(), '--jsonl', folder.at('after'), '--nodes', folder.at('nodes-after')])
  assert.deepEqual(urlsOf(linesOf('after')).includes(url), false)
  assert.equal(linesOf('after').length, linesOf('jsonl').length - 1)
  assert.deepEqual(filesWith(all, target), [])
})

says('the whole speaks what all machines know', async () => {
  const {
    from,
    to,
    machines: known,
  } = await told<{ from: number; to: number; machines: { formats: number[] }[] }>(['cluster', 'upgrade', ...place()])
  assert.deepEqual(
    [from, to, known.map(({ formats }) => formats)],
    [
      2,
      2,
      [
        [1, 2],
        [1, 2],
      ],
    ],
  )
})

says('bytes are limited over the whole: never more, and less than one largest page is left over', async () => {
  const [name, maxBytes, maxBodyBytes] = ['small', 12_000, 2_000]
  const small = [nats!.url, '--name', name]
  const own = ['--shards', '3', '--vault', folder.at('small-vault'), '--lease', '5s']
  assert.equal((await comityHere(['cluster', 'init', ...small, ...own])).code, 0)
  join(folder.at('small'), name)
  await using road = await NatsRoad.open({ servers: nats!.url, name })
  const options = {
    seeds: [web!.home],
    scope: 'any',
    allowPrivate: true,
    politeness: { ...crawlDefaults.politeness, delayMs: 10 },
    privateDelayMs: 10,
    userAgent: 'comity-test/1.0 (+https://example.org/bot)',
    maxBytes,
    limits: { ...crawlDefaults.limits, maxBodyBytes },
  } as const
  const settings = await readSettings(road.register, name)
  const summary = await runOnCluster({ road, settings, options, signal: new AbortController().signal })
  assert.ok(summary!.waiting > 0, 'there would have been more')
  assert.ok(summary!.bytes <= maxBytes && summary!.bytes > maxBytes - maxBodyBytes, `${summary!.bytes} bytes`)
  const few = { ...options, maxBytes: 1_000 }
  await assert.rejects(runOnCluster({ road, settings, options: few, signal: new AbortController().signal }), {
    code: 'CLUSTER_SETTING',
    message: /room for one page/,
  })
  const old = { ...settings, format: 1 }
  await assert.rejects(runOnCluster({ road, settings: old, options, signal: new AbortController().signal }), {
    message: /comity cluster upgrade/,
  })
})
