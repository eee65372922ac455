/**
 * What the frontier does at ten million URLs on a hundred thousand sites, over a real collection on disk.
 *
 *   npm run bench:frontier -- [--pages 10000000] [--sites 100000] [--dir FOLDER] [--json]
 *
 * Every act is a process of its own (`frontier-acts.ts`). Making the URLs is not timed. Peers get the same URLs, at the
 * size of a million, which is what they can bear; equal counts prove equal work.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ACTS } from './frontier-acts.ts'
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

/* oxlint-disable typescript/no-explicit-any -- what an act tells is its own affair; both ends are in this folder */
type Told = Record<string, any>

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

async function perform(folder: string, dir: string): Promise<Told> {
  const grown = await act('grow', dir, pages)
  const safe = await killed(dir)
  const resumed = await act('resume', dir, safe)
  const depth = await act('cycle', dir, pages, 'depth')
  const length = await act('cycle', dir, pages, 'length')
  rmSync(dir, { recursive: true, force: true })
  const small = pages === PEER_PAGES ? grown : await act('grow', join(folder, 'small'), PEER_PAGES)
  const peers: Told = {}
  for (const peer of ['lmdbSeenSet', 'stringSet', 'requestMap'])
    peers[peer] = await act(peer, join(folder, peer), PEER_PAGES)
  return { pages, sites, node: process.version, grown, safe, resumed, cycles: { depth, length }, small, peers }
}

/** Run one act to its end and hear what it tells. */
async function act(name: string, dir: string, size: number, order = 'depth'): Promise<Told> {
  const child = start(name, dir, size, order)
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`the act ${name} ended with ${code}`)
  return JSON.parse(out.trim().split('\n').at(-1)!) as Told
}

/** Let it grow, end it with SIGKILL in the middle of a batch, and say how many URLs it had told us were safe. */
async function killed(dir: string): Promise<number> {
  const child = start('growUntilKilled', dir, pages, 'depth')
  let [safe, commits] = [0, 0]
  child.stdout.on('data', (chunk: Buffer) => {
    for (const [, count] of chunk.toString().matchAll(/safe (\d+)/g)) {
      safe = Number(count)
      if (++commits === COMMITS_BEFORE_KILL) setTimeout(() => child.kill('SIGKILL'), 37)
    }
  })
  await new Promise((resolve) => child.on('close', resolve))
  return safe
}

function start(
  name: string,
  dir: string,
  size: number,
  order: string,
): ReturnType<typeof spawn> & { stdout: NodeJS.ReadableStream } {
  const flags = ['--act', name, '--dir', dir, '--pages', String(size), '--sites', String(sites), '--order', order]
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (!values.json) process.stderr.write(`… ${name}\n`)
  return child
}

function report({ grown, safe, resumed, cycles, small, peers }: Told): void {
  const line = (what: string, value: number, unit: string, target?: string): void =>
    console.log(
      formatRatio({ what, ours: value, unit, better: 'more' }) + (target === undefined ? '' : `   (target ${target})`),
    )
  const rates = grown['newPerSecond'] as number[]
  console.log(`${formatCount(grown['known'])} URLs on ${formatCount(grown['sites'])} sites, Node ${process.version}`)
  line('new URLs made durable, slowest tenth', Math.min(...rates), '/s', '≥ 50,000')
  line('new URLs made durable, last tenth', rates.at(-1)!, '/s', '≥ 50,000')
  line('offers, 9 of 10 known, key hashed from the string', grown['offersHashed'], '/s', '≥ 200,000')
  line('offers, 9 of 10 known, key given by the reader', grown['offersKeyed'], '/s', '≥ 200,000')
  line('anonymous memory', grown['memoryMb'], 'MB', '≤ 1,000')
  line('resume after kill -9, start to first lease', resumed['resumeMs'] / 1_000, 's', '≤ 10')
  console.log(
    `  ${formatCount(safe)} URLs were safe, ${formatCount(resumed['known'])} came back, ${resumed['lost']} lost`,
  )
  for (const order of ['depth', 'length'])
    line(`visits leased, settled and made durable, ${order}`, cycles[order]['cyclesPerSecond'], '/s')
  console.log(
    `\nat ${formatCount(PEER_PAGES)} URLs, each peer knows ${formatCount(small['known'])} of them in the end:`,
  )
  const ours = { rate: harmonic(small['newPerSecond'] as number[]), memory: small['memoryMb'] - small['emptyMb'] }
  const beside = (
    what: string,
    name: string,
    value: number,
    ownValue: number,
    unit: string,
    better: 'more' | 'less',
  ): void => console.log(formatRatio({ what, ours: ownValue, unit, peer: { name, value }, better }))
  const { lmdbSeenSet, stringSet, requestMap } = peers
  for (const peer of [lmdbSeenSet, stringSet, requestMap]) {
    if (peer['known'] !== small['known'])
      throw new Error(`a peer knows ${peer['known']} URLs, we know ${small['known']}`)
  }
  beside('new URLs durable', 'lmdb@3.5 seen-set alone', lmdbSeenSet['newPerSecond'], ours.rate, '/s', 'more')
  beside(
    'new URLs (peer keeps them in memory only)',
    'Set of strings',
    stringSet['newPerSecond'],
    ours.rate,
    '/s',
    'more',
  )
  beside('memory', 'Set of strings', stringSet['memoryMb'] - stringSet['emptyMb'], ours.memory, 'MB', 'less')
  beside('memory', 'Map of requests', requestMap['memoryMb'] - requestMap['emptyMb'], ours.memory, 'MB', 'less')
}

/** The rate over all segments of equal size. */
function harmonic(rates: readonly number[]): number {
  return rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)
}
