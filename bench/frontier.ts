/**
 * What the frontier does at ten million URLs on a hundred thousand sites, over a real collection on disk.
 *
 *   npm run bench:frontier -- [--pages 10000000] [--sites 100000] [--dir FOLDER] [--json]
 *
 * Every act is a process of its own (`frontier-acts.ts`). Making the URLs is not timed. Peers get the same URLs, at the
 * size of a million, which is what they can bear. Equal work: each knows as many in the end, and of every 97th URL is asked
 * whether it knows it. What is durable is proven by a kill: all that was said to be safe is there again.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endWith, readArguments } from './arguments.ts'
import { printFigure, printRatio, proven } from './equal-work.ts'
import type { Side, Work, Worked } from './equal-work.ts'
import { ACTS, lookedFor, NEW_AMONG_KNOWN } from './frontier-acts.ts'
import type { Cycled, Grown, PeerResult, Resumed } from './frontier-acts.ts'
import { formatCount } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  pages: 10_000_000,
  sites: 100_000,
  dir: tmpdir(),
  json: false,
  // Set for the processes of the acts.
  act: '',
  order: 'depth',
})
const { pages, sites } = flags
const PEER_PAGES = Math.min(pages, 1_000_000)
/** Commits that the process gets to make before it is killed in the middle of the next. */
const COMMITS_BEFORE_KILL = 20

interface Results {
  readonly pages: number
  readonly sites: number
  readonly node: string
  readonly grown: Grown
  /** URLs that the killed process had told us were durable. */
  readonly safe: number
  readonly resumed: Resumed
  readonly depth: Cycled
  readonly length: Cycled
  /** Ours at the size of the peers. */
  readonly small: Grown
  readonly lmdbSeenSet: PeerResult
  readonly stringSet: PeerResult
  readonly requestMap: PeerResult
}

if (flags.act === '') await direct()
else {
  const chosen = ACTS[flags.act] ?? endWith(import.meta.filename, `There is no act ${flags.act}`)
  process.stdout.write(`${JSON.stringify(await chosen({ dir: flags.dir, pages, sites, order: flags.order }))}\n`)
}

async function direct(): Promise<void> {
  const folder = mkdtempSync(join(flags.dir, 'comity-bench-'))
  const dir = join(folder, 'collection')
  try {
    const told = await perform(folder, dir)
    if (!isKept(told)) return
    if (flags.json) console.log(JSON.stringify(told, undefined, 2))
    else report(told)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function perform(folder: string, dir: string): Promise<Results> {
  const grown = await act<Grown>('grow', dir, pages)
  const safe = await killed(dir)
  const resumed = await act<Resumed>('resume', dir, safe)
  const depth = await act<Cycled>('cycle', dir, pages, 'depth')
  const length = await act<Cycled>('cycle', dir, pages, 'length')
  rmSync(dir, { recursive: true, force: true })
  const small = pages === PEER_PAGES ? grown : await act<Grown>('grow', join(folder, 'small'), PEER_PAGES)
  const lmdbSeenSet = await act<PeerResult>('lmdbSeenSet', join(folder, 'lmdb'), PEER_PAGES)
  const stringSet = await act<PeerResult>('stringSet', folder, PEER_PAGES)
  const requestMap = await act<PeerResult>('requestMap', folder, PEER_PAGES)
  const peers = { lmdbSeenSet, stringSet, requestMap }
  return { pages, sites, node: process.version, grown, safe, resumed, depth, length, small, ...peers }
}

/** Run one act to its end and hear what it tells. */
async function act<Told>(name: string, dir: string, size: number, order = 'depth'): Promise<Told> {
  const child = start(name, dir, size, order)
  let out = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the act ${name} ended with ${code}`)
  return JSON.parse(out.trim().split('\n').at(-1)!)
}

/** Let it grow, end it with SIGKILL in the middle of a batch, and say how many URLs it had told us were safe. */
async function killed(dir: string): Promise<number> {
  const child = start('growUntilKilled', dir, pages, 'depth')
  let [safe, commits] = [0, 0]
  child.stdout?.on('data', (chunk: Buffer) => {
    for (const [, count] of chunk.toString().matchAll(/safe (\d+)/g)) {
      safe = Number(count)
      if (++commits === COMMITS_BEFORE_KILL) setTimeout(() => child.kill('SIGKILL'), 37)
    }
  })
  await new Promise((resolve) => child.on('close', resolve))
  return safe
}

function start(name: string, dir: string, size: number, order: string): ChildProcess {
  if (!flags.json) process.stderr.write(`… ${name}\n`)
  const given = ['--act', name, '--dir', dir, '--pages', String(size), '--sites', String(sites), '--order', order]
  return spawn(process.execPath, [import.meta.filename, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** What every figure rests on: all that was offered is known, all that was safe came back. */
function isKept({ grown, safe, resumed, depth, length, small }: Results): boolean {
  const kept = { 'URLs that were safe': safe, 'of them came back': Math.min(safe, resumed.known) - resumed.lost }
  return [
    proven('new URLs', [asked(wanted(pages)), { name: 'ours', work: [grew(grown)] }]),
    proven('new URLs, fewer', [asked(wanted(PEER_PAGES)), { name: 'ours', work: [grew(small)] }]),
    proven('resume', [asked({ ...kept, 'of them came back': safe }), { name: 'ours', work: [kept] }]),
    ...Object.entries({ depth, length }).map(([name, { visits, done }]) =>
      proven(`visits, ${name}`, [{ name: 'ours', work: [{ visits, done }] }]),
    ),
  ].every((is) => is)
}

function wanted(of: number): Work {
  return { known: of, found: lookedFor(of), taken: NEW_AMONG_KNOWN }
}

function grew({ known, found, taken }: Grown): Work {
  return { known, found, taken }
}

function asked(work: Work): Worked {
  return { name: 'what was asked', work: [work] }
}

function report({ grown, safe, resumed, depth, length, small, lmdbSeenSet, stringSet, requestMap }: Results): void {
  console.log(`${formatCount(grown.known)} URLs on ${formatCount(grown.sites)} sites, Node ${process.version}`)
  const tell = (what: string, value: number, unit: string, target = '', cpuSeconds?: number): void => {
    const work = [{ known: grown.known }]
    printFigure(what, unit, { name: 'ours', value, cpuSeconds, work }, target && `   (target ${target})`)
  }
  tell('new URLs made durable, slowest tenth', Math.min(...grown.newPerSecond), '/s', '≥ 50,000')
  tell('new URLs made durable, last tenth', grown.newPerSecond.at(-1)!, '/s', '≥ 50,000')
  tell('all of them', grown.took.seconds, 's', '', grown.took.cpuSeconds)
  tell('offers, 9 of 10 known, key hashed from the string', grown.offersHashed, '/s', '≥ 200,000')
  tell('offers, 9 of 10 known, key given by the reader', grown.offersKeyed, '/s', '≥ 200,000')
  tell('anonymous memory', grown.memoryMb, 'MB', '≤ 1,000')
  tell('resume after kill -9, start to first lease', resumed.resumeMs / 1_000, 's', '≤ 10')
  tell('anonymous memory after it', resumed.memoryMb, 'MB', '≤ 1,000')
  console.log(`  ${formatCount(safe)} URLs were safe, ${formatCount(resumed.known)} came back, ${resumed.lost} lost`)
  for (const [name, { visits, visitsPerSecond, took }] of Object.entries({ depth, length })) {
    const what = `${formatCount(visits)} visits leased, settled and made durable, ${name}`
    tell(what, visitsPerSecond, '/s', '', took.cpuSeconds)
  }

  console.log(`\n${formatCount(small.known)} URLs, which every peer knows in the end:`)
  const ours = sideOf('ours', rateOver(small.newPerSecond), small)
  const seenSet = sideOf(`lmdb@${lmdbVersion()} seen-set alone`, lmdbSeenSet.newPerSecond, lmdbSeenSet)
  printRatio({ what: 'new URLs made durable', unit: '/s', better: 'more', ours, peer: seenSet })
  const inMemory = sideOf('Set of strings, in memory', stringSet.newPerSecond, stringSet)
  printRatio({ what: 'new URLs', unit: '/s', better: 'more', ours, peer: inMemory })
  for (const [name, peer] of Object.entries({ 'Set of strings': stringSet, 'Map of requests': requestMap })) {
    const memory = (who: string, of: Grown | PeerResult): Side => ({
      ...sideOf(who, of.memoryMb - of.emptyMb, of),
      cpuSeconds: undefined,
    })
    printRatio({ what: 'memory', unit: 'MB', better: 'less', ours: memory('ours', small), peer: memory(name, peer) })
  }
}

function sideOf(name: string, value: number, { known, found, took }: Grown | PeerResult): Side {
  return { name, value, cpuSeconds: took.cpuSeconds, work: [{ known, found }] }
}

function lmdbVersion(): string {
  const path = join(import.meta.dirname, '../node_modules/lmdb/package.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version : '?'
}

/** The rate over all segments of equal size. */
function rateOver(rates: readonly number[]): number {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)
}
