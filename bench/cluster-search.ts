/**
 * What does a search over many shards cost beside one index of the same documents?
 *
 *   node bench/cluster-search.ts [--documents 24000] [--shards 24] [--machines 3] [--rounds 5]
 *
 * Documents of words as frequent as in texts (Zipf), once in one index that answers in this process, and once in so many shards, which
 * so many processes answer for over a nats-server of its own (`apt-get install nats-server`). The same questions in turns, each with
 * another word so that nothing was answered before; the median and the 95th percentile of how long an answer takes. Titles and snippets
 * are empty on both sides: to make them is the same work. Equal work: the same scores of each answer.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClusterSearch, NatsRoad } from '@comity/cluster'
import { Collection } from '@comity/collection'
import { IndexWriter, SearchEngine } from '@comity/index'
import type { SearchRequest, SearchResult } from '@comity/index'
import { ShardSearches } from '../packages/cluster/src/search/shard-search.ts'
import { startNats } from '../packages/cluster/src/testing/nats-server.ts'
import { endWith, readArguments } from './arguments.ts'
import { proven } from './equal-work.ts'
import type { Worked } from './equal-work.ts'
import { median, processSeconds } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  documents: 24_000,
  shards: 24,
  machines: 3,
  rounds: 5,
  /** Of a process that is one of the machines: where NATS is, and which shards it has. */
  serve: '',
  into: '',
  of: '',
})

const WORDS = 20_000
const WORDS_A_PAGE = 200
const QUERIES = 60
const KINDS = ['one', 'two', 'OR', 'phrase', 'prefix'] as const

/** Numbers from 0 to 1, always the same. */
function random(state: number): () => number {
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const wordOf = (n: number): string => `w${n.toString(36)}q`
const frequent = (chance: () => number): string => wordOf(Math.floor(WORDS ** chance()))

function writeIndex(dir: string, isMine: (key: number) => boolean): void {
  using writer = new IndexWriter(join(dir, 'index'))
  for (let key = 0; key < flags.documents; key++) {
    if (!isMine(key)) continue
    const chance = random(key + 1)
    const text = Array.from({ length: WORDS_A_PAGE }, () => frequent(chance)).join(' ')
    const url = `https://${key % 97}.example/${key}`
    writer.put({ key, url, title: '', headings: [], text, anchors: [], language: 'en', type: 'text/html', at: 0 })
  }
  writer.commit(1)
  writer.mergeAll()
}

function questions(round: number): SearchRequest[] {
  const chance = random(7_919 * (round + 1))
  return Array.from({ length: QUERIES }, (_, i) => {
    const [a, b] = [frequent(chance), frequent(chance)]
    const kind = KINDS[i % KINDS.length]
    if (kind === 'one') return { query: a }
    if (kind === 'prefix') return { query: `${a.slice(0, 3)}*` }
    return { query: kind === 'phrase' ? `"${a} ${b}"` : kind === 'OR' ? `${a} OR ${b}` : `${a} ${b}` }
  })
}

const shardDir = (into: string, shard: number): string => join(into, `shard-${shard}`)

async function serve(): Promise<void> {
  const road = await NatsRoad.open({ servers: flags.serve, name: 'bench' })
  const held = flags.of.split(',').map(Number)
  const searches = new ShardSearches(road)
  searches.turn(held.map((shard) => ({ shard, epoch: 1, dir: shardDir(flags.into, shard), isHeld: () => true })))
  process.stdout.write('ready\n')
}

interface Times {
  readonly ms: number[]
  readonly digest: string
}

async function asked(
  requests: readonly SearchRequest[],
  search: (request: SearchRequest) => Promise<{ readonly results: readonly SearchResult[] }>,
): Promise<Times> {
  const ms: number[] = []
  const scores = createHash('sha256')
  for (const request of requests) {
    const began = performance.now()
    const { results } = await search(request)
    ms.push(performance.now() - began)
    scores.update(JSON.stringify(results.map(({ score }) => score)))
  }
  return { ms, digest: scores.digest('hex') }
}

async function compare(): Promise<void> {
  const into = mkdtempSync(join(tmpdir(), 'comity-bench-search-'))
  const children: ChildProcess[] = []
  await using nats = await startNats({ skip: () => undefined })
  if (nats === undefined) endWith(import.meta.filename, 'There is no nats-server: apt-get install nats-server')
  try {
    writeIndex(join(into, 'whole'), () => true)
    for (let shard = 0; shard < flags.shards; shard++) {
      const dir = shardDir(into, shard)
      const collection = await Collection.open(dir, 0, { minFreeBytes: 0 })
      await collection.close()
      writeIndex(dir, (key) => key % flags.shards === shard)
    }
    for (let machine = 0; machine < flags.machines; machine++) {
      const of = Array.from({ length: flags.shards }, (_, n) => n).filter((n) => n % flags.machines === machine)
      const words = [import.meta.filename, '--serve', nats.url, '--into', into, '--of', of.join(',')]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      children.push(child)
      await new Promise((resolve) => child.stdout.once('data', resolve))
    }
    await using road = await NatsRoad.open({ servers: nats.url, name: 'bench' })
    const whole = new ClusterSearch(road, flags)
    using engine = new SearchEngine(join(into, 'whole', 'index'), { contentOf: async () => undefined, adviceMs: 0 })
    const [one, many]: [Times[], Times[]] = [[], []]
    /** Of the processor, in this process and in those of the machines. */
    const spent = (): number =>
      [process.pid, ...children.map(({ pid }) => pid!)].reduce((sum, pid) => sum + processSeconds(pid), 0)
    const seconds = [0, 0]
    // The first round opens shards and compiles the code of both.
    for (let round = 0; round <= flags.rounds; round++) {
      const requests = questions(round)
      const begun = spent()
      const own = await asked(requests, (request) => engine.search(request))
      const between = spent()
      const others = await asked(requests, (request) => whole.search(request))
      const ended = spent()
      if (round === 0) continue
      one.push(own)
      many.push(others)
      seconds[0]! += between - begun
      seconds[1]! += ended - between
    }
    const side = (name: string, rounds: readonly Times[]): Worked => {
      return { name, work: [{ scores: rounds.map(({ digest }) => digest).join(' ') }] }
    }
    const sides = [side('one index', one), side(`${flags.shards} shards`, many)]
    if (!proven('search', sides)) return
    const figures = [one, many].map((times) => times.flatMap(({ ms }) => ms))
    const [alone, together] = figures.map((ms) => median(ms)) as [number, number]
    const [p95, together95] = figures.map((ms) => ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.95)]) as [
      number,
      number,
    ]
    const count = QUERIES * flags.rounds
    const line = (name: string, middle: number, slow: number, cpu: number): string =>
      `${name.padEnd(12)} median ${middle.toFixed(2)} ms   p95 ${slow.toFixed(2)} ms   ${((1_000 * cpu) / count).toFixed(2)} ms of processor a question`
    console.log(line('one index', alone, p95, seconds[0]!))
    console.log(line(`${flags.shards} shards`, together, together95, seconds[1]!))
    console.log(
      `difference at the median ${(together - alone).toFixed(2)} ms; ${count} questions, ${flags.documents} documents, ${flags.machines} processes`,
    )
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(into, { recursive: true, force: true })
  }
}

await (flags.serve === '' ? compare() : serve())
