/**
 * What the frontier does at ten million URLs on a hundred thousand sites, over a real collection on disk.
 *
 *   npm run bench:frontier -- [--pages 10000000] [--sites 100000] [--dir FOLDER] [--json]
 *
 * Every act is a process of its own (`frontier-acts.ts`). Making the URLs is not timed. Peers get the same URLs, at the
 * size of a million, which is what they can bear; equal counts prove equal work.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ACTS } from './frontier-acts.ts'
import type { Cycled, Grown, PeerResult, Resumed } from './frontier-acts.ts'
import { formatCount, formatRatio } from './measure.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000000' },
    sites: { type: 'string', default: '100000' },
    dir: { type: 'string', default: tmpdir() },
    json: { type: 'boolean', default: false },
    // Set for the processes of the acts.
    act: { type: 'string', default: '' },
    order: { type: 'string', default: 'depth' },
  },
})
const pages = Number(values.pages)
const sites = Number(values.sites)
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

if (values.act === '') await direct()
else
  process.stdout.write(
    `${JSON.stringify(await ACTS[values.act]!({ dir: values.dir, pages, sites, order: values.order }))}\n`,
  )

async function direct(): Promise<void> {
  const folder = mkdtempSync(join(values.dir, 'comity-bench-'))
  const dir = join(folder, 'collection')
  try {
    const told = await perform(folder, dir)
    if (values.json) console.log(JSON.stringify(told, undefined, 2))
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
  if (!values.json) process.stderr.write(`… ${name}\n`)
  const flags = ['--act', name, '--dir', dir, '--pages', String(size), '--sites', String(sites), '--order', order]
  return spawn(process.execPath, [import.meta.filename, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
}

function report({ grown, safe, resumed, depth, length, small, lmdbSeenSet, stringSet, requestMap }: Results): void {
  console.log(`${formatCount(grown.known)} URLs on ${formatCount(grown.sites)} sites, Node ${process.version}`)
  tell('new URLs made durable, slowest tenth', Math.min(...grown.newPerSecond), '/s', '≥ 50,000')
  tell('new URLs made durable, last tenth', grown.newPerSecond.at(-1)!, '/s', '≥ 50,000')
  tell('offers, 9 of 10 known, key hashed from the string', grown.offersHashed, '/s', '≥ 200,000')
  tell('offers, 9 of 10 known, key given by the reader', grown.offersKeyed, '/s', '≥ 200,000')
  tell('anonymous memory', grown.memoryMb, 'MB', '≤ 1,000')
  tell('resume after kill -9, start to first lease', resumed.resumeMs / 1_000, 's', '≤ 10')
  tell('anonymous memory after it', resumed.memoryMb, 'MB', '≤ 1,000')
  console.log(`  ${formatCount(safe)} URLs were safe, ${formatCount(resumed.known)} came back, ${resumed.lost} lost`)
  tell('visits leased, settled and made durable, depth', depth.visitsPerSecond, '/s')
  tell('visits leased, settled and made durable, length', length.visitsPerSecond, '/s')

  for (const { known } of [lmdbSeenSet, stringSet, requestMap]) {
    if (known !== small.known) throw new Error(`a peer knows ${known} URLs, we know ${small.known}`)
  }
  console.log(`\n${formatCount(small.known)} URLs, which every peer knows in the end:`)
  const rate = rateOver(small.newPerSecond)
  const seenSet = { name: 'lmdb@3.5 seen-set alone', value: lmdbSeenSet.newPerSecond }
  console.log(formatRatio({ what: 'new URLs made durable', ours: rate, unit: '/s', peer: seenSet, better: 'more' }))
  const inMemory = { name: 'Set of strings, in memory', value: stringSet.newPerSecond }
  console.log(formatRatio({ what: 'new URLs', ours: rate, unit: '/s', peer: inMemory, better: 'more' }))
  for (const [name, { memoryMb, emptyMb }] of Object.entries({
    'Set of strings': stringSet,
    'Map of requests': requestMap,
  })) {
    const peer = { name, value: memoryMb - emptyMb }
    console.log(formatRatio({ what: 'memory', ours: small.memoryMb - small.emptyMb, unit: 'MB', peer, better: 'less' }))
  }
}

function tell(what: string, ours: number, unit: string, target?: string): void {
  const line = formatRatio({ what, ours, unit, better: 'more' })
  console.log(target === undefined ? line : `${line}   (target ${target})`)
}

/** The rate over all segments of equal size. */
function rateOver(rates: readonly number[]): number {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)
}
