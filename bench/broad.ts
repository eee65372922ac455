/**
 * Thousands of sites at once, as most crawls are: twenty pages of 4 KB each, each site at an address of its own on loopback, answers
 * after 50 to 300 ms, a rest of one second, 500 visits at once: comity, indexing as it does when nothing is said and without, beside
 * Crawlee and Scrapy with the same numbers.
 *
 *   node bench/broad.ts [--sites 2000] [--pages 20] [--rounds 1] [--only comity,plain,crawlee,scrapy]
 *                       [--parallel 500] [--delay 1000] [--limit 1800] [--json]
 *
 * The sites are a process of their own, which is measured alone first: it must not be what is waited for. Every crawler is given
 * all start pages and follows every link, with empty storage, in turns, and is ended after `--limit` seconds. Equal work: the same
 * pages by their URLs, and but for Crawlee, which hands over text, by the SHA-256 of their bytes. From what the sites saw comes who was
 * impolite: with two connections to one address at once, or with a page asked for before the rest was over.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWith, readArguments } from './arguments.ts'
import type { Seen } from './broad/impolite.ts'
import type { ServerOrder, ServerReply } from './broad/server.ts'
import { urlOf } from './broad/sites.ts'
import type { BroadWeb } from './broad/sites.ts'
import type { VisitOrder, VisitReply } from './broad/visitors.ts'
import {
  crawlee,
  ownProgram,
  peersFolder,
  python,
  runContender,
  scrapy,
  sideOf,
  tellsBytes,
  toldOf,
} from './crawlers/contender.ts'
import type { Contender, Run } from './crawlers/contender.ts'
import { collectionHoldings, printedHoldings } from './crawlers/holdings.ts'
import type { Naming } from './crawlers/holdings.ts'
import { printFigure, printRatio, sayMissing } from './equal-work.ts'
import { formatCount, median, processSeconds } from './measure.ts'

const NAMES = ['comity', 'plain', 'crawlee', 'scrapy']
const { flags } = readArguments(import.meta.filename, {
  sites: 2_000,
  pages: 20,
  rounds: 1,
  only: NAMES.join(','),
  parallel: 500,
  delay: 1_000,
  limit: 1_800,
  json: false,
})
const only = flags.only.split(',')
const stranger = only.find((name) => !NAMES.includes(name))
if (stranger !== undefined)
  endWith(import.meta.filename, `There is no crawler called ${stranger}: --only ${NAMES.join(',')}`)
// A crawler keeps as many connections open besides.
if (flags.sites > 15_000) endWith(import.meta.filename, 'Each site listens for itself: --sites 15000 at most')

/** Ports differ from run to run. */
const nameOf: Naming = ({ hostname, pathname }) => hostname + pathname

interface BroadRun extends Run {
  readonly seen: Seen
}

const dir = mkdtempSync(join(tmpdir(), 'comity-broad-'))
const server = fork(join(import.meta.dirname, 'broad/server.ts'))
try {
  const reply = await told({ kind: 'serve', sites: flags.sites, pages: flags.pages })
  const { port } = reply as Extract<ServerReply, { kind: 'serving' }>
  await measureServer({ sites: flags.sites, pages: flags.pages, port })
  await measureAll({ sites: flags.sites, pages: flags.pages, port })
} finally {
  server.disconnect()
  rmSync(dir, { recursive: true, force: true })
}

async function told(order: ServerOrder): Promise<ServerReply> {
  const reply = once(server, 'message')
  server.send(order)
  return ((await reply) as [ServerReply])[0]
}

/** How many pages it has for visitors who do nothing else, answered at once, each on a connection of its own. */
async function measureServer(web: BroadWeb): Promise<void> {
  await told({ kind: 'hurry', isHurried: true })
  const visitors: ChildProcess = fork(join(import.meta.dirname, 'broad/visitors.ts'))
  const before = processSeconds(server.pid!)
  visitors.send({ web, requests: 20_000, atOnce: 200 } satisfies VisitOrder)
  const [{ answered, failed, seconds }] = (await once(visitors, 'message')) as [VisitReply]
  const cpuSeconds = processSeconds(server.pid!) - before
  await told({ kind: 'hurry', isHurried: false })
  await told({ kind: 'tell', delayMs: 0 })
  const name = 'the sites alone, a connection a page'
  printFigure(name, 'pages/s', {
    name: 'server',
    value: answered / seconds,
    cpuSeconds,
    work: [{ pages: failed === 0 ? answered : Number.NaN }],
  })
}

async function measureAll(web: BroadWeb): Promise<void> {
  const seeds = join(dir, 'seeds.txt')
  const starts = Array.from({ length: web.sites }, (_, site) => urlOf(web, site, 0))
  writeFileSync(seeds, `${starts.join('\n')}\n`)
  const wanted = contendersOf(seeds).filter((contender) => isWanted(contender))
  const runs = new Map<string, BroadRun[]>(wanted.map(({ name }) => [name, []]))
  for (let round = 0; round < flags.rounds; round++) {
    for (const contender of wanted) {
      const run = await runContender(contender, flags.limit)
      const { seen } = (await told({ kind: 'tell', delayMs: flags.delay })) as Extract<ServerReply, { kind: 'seen' }>
      runs.get(contender.name)!.push({ ...run, seen })
      console.error(`round ${round + 1} ${wordsOf(contender.name, { ...run, seen })}`)
    }
  }
  await report(wanted, runs)
}

function isWanted({ name, missing }: Contender): boolean {
  if (!only.includes(name === 'comity --no-index' ? 'plain' : name)) return false
  const how = missing()
  if (how !== undefined) sayMissing(name, how)
  return how === undefined
}

function contendersOf(seeds: string): Contender[] {
  const { rounds } = flags
  const numbers = [`${flags.parallel}`, `${flags.delay}`]
  const ourselves = (args: readonly string[]): Contender => ({
    name: ['comity', ...args].join(' '),
    version: async () => '0.1.0',
    missing: () => undefined,
    rounds,
    command: (into) => [
      ownProgram,
      [
        'crawl',
        `--seeds=${seeds}`,
        '--scope=any',
        '--allow-private',
        '--json',
        `--into=${join(into, 'c')}`,
        `--delay=${flags.delay}ms`,
        `--parallel=${flags.parallel}`,
        ...args,
      ],
    ],
    holdings: (into) => collectionHoldings(join(into, 'c'), nameOf),
  })
  return [
    ourselves([]),
    ourselves(['--no-index']),
    {
      name: 'crawlee',
      ...crawlee,
      rounds,
      command: () => [process.execPath, [join(peersFolder, 'crawlee_broad.mjs'), seeds, ...numbers]],
      holdings: (_, stdout) => printedHoldings(stdout, nameOf),
    },
    {
      name: 'scrapy',
      ...scrapy,
      rounds,
      command: () => [python, [join(peersFolder, 'scrapy_broad.py'), seeds, ...numbers]],
      holdings: (_, stdout) => printedHoldings(stdout, nameOf),
    },
  ]
}

function wordsOf(name: string, { htmlPages, seconds, cpuSeconds, peakMb, seen }: BroadRun): string {
  const pages = htmlPages.size
  return (
    `${name}: ${formatCount(pages)} pages in ${seconds.toFixed(1)} s, ${formatCount(pages / seconds)} pages/s, ` +
    `${((1e3 * cpuSeconds) / pages).toFixed(2)} ms of processor a page, peak ${peakMb.toFixed(0)} MB; ${politenessOf(seen)}`
  )
}

function politenessOf({ pages, robots, connections, doubled, soonAfterRequest, soonAfterAnswer }: Seen): string {
  return (
    `${formatCount(pages)} requests for pages and ${formatCount(robots)} for robots.txt on ${formatCount(connections)} connections: ` +
    `${formatCount(doubled)} beside another, ${formatCount(soonAfterRequest)} pages asked for too soon after the last was asked for, ` +
    `${formatCount(soonAfterAnswer)} too soon after it came`
  )
}

async function report(wanted: readonly Contender[], runs: ReadonlyMap<string, readonly BroadRun[]>): Promise<void> {
  const what = `${formatCount(flags.sites)} sites of ${flags.pages} pages`
  const [first, ...others] = wanted
  if (first === undefined) return
  const isOurs = first.name.startsWith('comity')
  const alone = isOurs && others.length > 0 ? [] : wanted
  for (const one of alone) printFigure(what, 'pages/s', await sideOf(one, runs.get(one.name)!, true))
  for (const peer of isOurs ? others : []) {
    const hasBytes = [first, peer].every(({ name }) => tellsBytes(runs.get(name)!))
    const [ours, theirs] = [first, peer].map((one) => sideOf(one, runs.get(one.name)!, hasBytes))
    printRatio({ what, unit: 'pages/s', better: 'more', ours: await ours!, peer: await theirs! })
  }
  for (const [name, list] of runs) {
    const perPage = median(list.map(({ cpuSeconds, htmlPages }) => (1e3 * cpuSeconds) / htmlPages.size))
    console.log(
      `${name}: ${perPage.toFixed(2)} ms of processor a page, peak memory ${median(list.map((run) => run.peakMb)).toFixed(0)} MB`,
    )
    console.log(`${name}: ${politenessOf(list.at(-1)!.seen)}`)
  }
  if (flags.json)
    console.log(JSON.stringify(Object.fromEntries(Array.from(runs, ([name, list]) => [name, list.map(toldOf)]))))
}
