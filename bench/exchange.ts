/**
 * One exchange: our own HTTP/1.1, which reads by the rules of the site's proxy, beside undici: each page on a connection of its own, as in a broad crawl,
 * and all on connections that are kept. Processor time of this process alone; the sites are another.
 *
 *   node bench/exchange.ts [--rounds 5] [--pages 4000]
 *
 * Equal work: the bytes of all pages, by SHA-256. A first turn of each, which compiles, is not counted.
 */
import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from 'undici'
import { ByteBudget } from '../packages/crawler/src/fetch/byte-budget.ts'
import { Connection } from '../packages/crawler/src/fetch/connection.ts'
import { crawlDefaults } from '../packages/crawler/src/options.ts'
import { readArguments } from './arguments.ts'
import type { ServerOrder, ServerReply } from './broad/server.ts'
import { addressOf, urlOf } from './broad/sites.ts'
import { printRatio } from './equal-work.ts'
import type { Work } from './equal-work.ts'
import { median, ownTime, since } from './measure.ts'

const { version } = createRequire(import.meta.url)('undici/package.json') as { version: string }
const { flags } = readArguments(import.meta.filename, { rounds: 5, pages: 4_000 })
const [SITES, PAGES, AT_ONCE] = [50, 20, 50]
const HEADERS = { 'user-agent': 'bench', accept: 'text/html', 'accept-encoding': 'gzip' }

/** Asks for pages of one site, until it is closed. */
interface Asker {
  ask(path: string): Promise<Uint8Array>
  close(): Promise<void>
}
type Makes = (site: number, port: number) => Asker

const budget = new ByteBudget(Infinity)

const ours: Makes = (site, port) => {
  const address = addressOf(site)
  const { limits } = crawlDefaults
  const origin = `http://${address}:${port}`
  const connection = new Connection({ origin, address, limits, budget, now: Date.now, insecureTls: false })
  return {
    ask: async (path) => {
      const exchange = await connection.request(path, HEADERS)
      if (exchange.kind === 'failed') throw new Error(exchange.message)
      return exchange.body
    },
    close: () => connection.close(),
  }
}

const undici: Makes = (site, port) => {
  const client = new Client(`http://${addressOf(site)}:${port}`, { pipelining: 1 })
  return {
    ask: (path) => dispatched(client, path),
    close: () => client.destroy(),
  }
}

/** As lean as it can be asked. */
function dispatched(client: Client, path: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    client.dispatch(
      { path, method: 'GET', headers: HEADERS },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, piece) => void pieces.push(piece),
        onResponseEnd: () => resolve(Buffer.concat(pieces)),
        onResponseError: (_, error) => reject(error),
      },
    )
  })
}

interface Round {
  readonly microseconds: number
  readonly work: Work
}

/** So many pages for each connection. */
async function round(makes: Makes, port: number, pages: number, perConnection: number): Promise<Round> {
  const digests: string[] = []
  let next = 0
  const visitor = async (): Promise<void> => {
    while (next < pages) {
      const first = next
      next += perConnection
      const site = (first / perConnection) % SITES
      const asker = makes(site, port)
      for (let n = first; n < first + perConnection; n++) {
        const path = new URL(urlOf({ sites: SITES, pages: PAGES, port }, site, n % PAGES)).pathname
        digests.push(hash('sha256', await asker.ask(path)))
      }
      await asker.close()
    }
  }
  const began = ownTime()
  await Promise.all(Array.from({ length: AT_ONCE }, visitor))
  const { cpuSeconds } = since(began, ownTime())
  return { microseconds: (1e6 * cpuSeconds) / pages, work: { pages: digests } }
}

const server = fork(join(import.meta.dirname, 'broad/server.ts'))
try {
  const { port } = (await told({ kind: 'serve', sites: SITES, pages: PAGES })) as Extract<
    ServerReply,
    { kind: 'serving' }
  >
  await told({ kind: 'hurry', isHurried: true })
  await compare('a connection a page', port, 1)
  await compare('forty pages a connection', port, 40)
} finally {
  server.disconnect()
}

async function told(order: ServerOrder): Promise<ServerReply> {
  const reply = once(server, 'message')
  server.send(order)
  return ((await reply) as [ServerReply])[0]
}

async function compare(what: string, port: number, perConnection: number): Promise<void> {
  const sides = [
    { name: 'ours', makes: ours, rounds: [] as Round[] },
    { name: `undici@${version}`, makes: undici, rounds: [] as Round[] },
  ] as const
  for (let turn = 0; turn <= flags.rounds; turn++) {
    for (const { makes, rounds } of sides) {
      const one = await round(makes, port, flags.pages, perConnection)
      if (turn > 0) rounds.push(one)
    }
  }
  const [a, b] = sides.map(({ name, rounds }) => ({
    name,
    value: median(rounds.map(({ microseconds }) => microseconds)),
    cpuSeconds: undefined,
    work: rounds.map(({ work }) => work),
  }))
  printRatio({ what, unit: 'µs of processor', better: 'less', ours: a!, peer: b! })
}
