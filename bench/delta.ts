/**
 * How small and how fast are differences between real versions of a page? Our VCDIFF beside xdelta3's, and beside zstd
 * and brotli with the old version as dictionary (RFC 9842).
 *
 *   node bench/delta.ts HISTORY [--pairs 300] [--rounds 5]
 *
 * HISTORY holds events.tsv.gz (epoch, status, path, blob, bytes) and blobs.tar.zst, one file for each blob. Of all changes
 * every n-th is taken, so the same history gives the same pairs. Equal work: every delta, xdelta3's too, is decoded and the
 * digest of all that comes out is compared with that of the new versions.
 *
 * xdelta3 and zstd are programs: a process for each page would measure the starting of processes. Their sizes are those
 * of the single pages; their speed is that of one large pair, all old versions in one file and all new in another.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import { decodeVcdiff, decodeWithDictionary, encodeVcdiff, encodeWithDictionary } from '@comity/protocol'
import { endWith, readArguments } from './arguments.ts'
import { printRatio, proven, sayMissing } from './equal-work.ts'
import type { Side, Work } from './equal-work.ts'
import { childTime, formatCount, median, ownTime, since } from './measure.ts'
import type { Took } from './measure.ts'

const { flags, positionals } = readArguments(import.meta.filename, { pairs: 300, rounds: 5 }, 1)
const history = positionals[0]
if (history === undefined || !existsSync(join(history, 'events.tsv.gz')))
  endWith(import.meta.filename, 'Name a folder that holds events.tsv.gz and blobs.tar.zst')
if (!isHere('zstd')) endWith(import.meta.filename, 'The versions are packed by zstd: apt-get install zstd')

function isHere(program: string): boolean {
  return spawnSync(program, ['-V'], { stdio: 'ignore' }).error === undefined
}

interface Pair {
  readonly source: Buffer
  readonly target: Buffer
}

/** Blobs of the changes: what a path held before, and what after. */
function changes(events: string): (readonly [string, string])[] {
  const held = new Map<string, string>()
  const found: (readonly [string, string])[] = []
  for (const row of events.split('\n').slice(1)) {
    const [, status, path = '', blob = ''] = row.split('\t')
    const before = held.get(path)
    if (status === 'M' && before !== undefined && before !== blob) found.push([before, blob])
    if (status === 'D') held.delete(path)
    else held.set(path, blob)
  }
  return found
}

function loadPairs(from: string, folder: string, count: number): Pair[] {
  const all = changes(gunzipSync(readFileSync(join(from, 'events.tsv.gz'))).toString())
  const step = Math.max(1, Math.floor(all.length / count))
  const chosen = all.filter((_, place) => place % step === 0).slice(0, count)
  const names = [...new Set(chosen.flat())].map((blob) => `blobs/${blob}`)
  writeFileSync(join(folder, 'names'), names.join('\n'))
  const unpack = 'zstd -dc --long=27 "$1" | tar x -C "$2" -T "$2/names"'
  execFileSync('sh', ['-c', unpack, 'sh', join(from, 'blobs.tar.zst'), folder])
  const read = (blob: string): Buffer => readFileSync(join(folder, 'blobs', blob))
  return chosen.map(([before, after]) => ({ source: read(before), target: read(after) }))
}

interface Coder {
  readonly name: string
  readonly encode: (pair: Pair) => Uint8Array
  readonly decode: (delta: Uint8Array, pair: Pair) => Uint8Array | undefined
}

const bodyOf = (result: { kind: string; body?: Uint8Array }): Uint8Array | undefined => result.body
const withDictionary = (coding: 'dcz' | 'dcb', level: number): Coder => ({
  name: `${coding} level ${level}`,
  encode: ({ source, target }) => encodeWithDictionary(coding, target, source, level)!,
  decode: (delta, { source, target }) =>
    bodyOf(decodeWithDictionary(coding, delta, source, { maxBytes: target.length })),
})
const ours: Coder = {
  name: 'vcdiff, ours',
  encode: ({ source, target }) => encodeVcdiff(source, target),
  decode: (delta, { source, target }) => bodyOf(decodeVcdiff(source, delta, { maxBytes: target.length })),
}
const coders = [ours, ...[3, 9, 19].map((level) => withDictionary('dcz', level)), withDictionary('dcb', 5)]

interface Figures {
  readonly bytes: number
  readonly encode: Took
  readonly decode: Took
  readonly work: readonly Work[]
}

/** What came out of the deltas, which must be the new versions. */
const workOf = (bodies: readonly (Uint8Array | undefined)[]): Work => {
  const digest = createHash('sha256')
  for (const body of bodies) digest.update(body ?? 'nothing')
  return { versions: bodies.filter((body) => body !== undefined).length, bytes: digest.digest('hex') }
}

const middle = (all: readonly Took[]): Took => ({
  seconds: median(all.map(({ seconds }) => seconds)),
  cpuSeconds: median(all.map(({ cpuSeconds }) => cpuSeconds)),
})

/** Rounds in turns; the first warms up. */
function measure(pairs: readonly Pair[], rounds: number): Figures[] {
  const times = coders.map(() => ({ encode: [] as Took[], decode: [] as Took[], work: [] as Work[], bytes: 0 }))
  for (let round = 0; round <= rounds; round++) {
    for (const [place, { encode, decode }] of coders.entries()) {
      const began = ownTime()
      const deltas = pairs.map(encode)
      const encoded = ownTime()
      const decoded = deltas.map((delta, at) => decode(delta, pairs[at]!))
      const ended = ownTime()
      const time = times[place]!
      time.work.push(workOf(decoded))
      time.bytes = deltas.reduce((sum, delta) => sum + delta.length, 0)
      if (round === 0) continue
      time.encode.push(since(began, encoded))
      time.decode.push(since(encoded, ended))
    }
  }
  return times.map(({ encode, decode, work, bytes }) => ({
    work,
    bytes,
    encode: middle(encode),
    decode: middle(decode),
  }))
}

/** xdelta3's deltas of the single pages: their bytes, and what it makes of them again. */
function xdelta3Pages(pairs: readonly Pair[], folder: string): { bytes: number; work: Work } {
  const run = (...args: string[]): Buffer =>
    execFileSync('xdelta3', args, { cwd: folder, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })
  let bytes = 0
  const decoded = pairs.map(({ source, target }) => {
    writeFileSync(join(folder, 'old'), source)
    writeFileSync(join(folder, 'new'), target)
    const delta = run('-e', '-c', ...PLAIN, '-s', 'old', 'new')
    bytes += delta.length
    writeFileSync(join(folder, 'delta'), delta)
    return run('-d', '-c', '-s', 'old', 'delta')
  })
  return { bytes, work: workOf(decoded) }
}

const PLAIN = ['-S', 'none', '-A', '-n']

/** One large pair: what a process start costs no longer counts. */
function compareWhole(pairs: readonly Pair[], folder: string, rounds: number): void {
  const whole = {
    source: Buffer.concat(pairs.map(({ source }) => source)),
    target: Buffer.concat(pairs.map(({ target }) => target)),
  }
  writeFileSync(join(folder, 'old'), whole.source)
  writeFileSync(join(folder, 'new'), whole.target)
  const mb = whole.target.length / 1e6
  const wanted = workOf([whole.target])
  const times = new Map<string, Took[]>()
  const timed = (name: string, clock: () => Took, act: () => void): void => {
    const before = clock()
    act()
    times.set(name, [...(times.get(name) ?? []), since(before, clock())])
  }
  const program = (...args: string[]): void => void execFileSync('xdelta3', ['-f', ...args], { cwd: folder })
  let delta = new Uint8Array(0) as Uint8Array
  let back: Uint8Array | undefined
  const works = { ours: [] as Work[], theirs: [] as Work[] }
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up.
    if (round === 1) times.clear()
    rmSync(join(folder, 'out'), { force: true })
    timed('encode, ours', ownTime, () => (delta = encodeVcdiff(whole.source, whole.target)))
    timed('encode, theirs', childTime, () => program('-e', ...PLAIN, '-s', 'old', 'new', 'delta'))
    timed('decode, ours', ownTime, () => (back = ours.decode(delta, whole)))
    timed('decode, theirs', childTime, () => program('-d', '-s', 'old', 'delta', 'out'))
    works.ours.push(workOf([back]))
    works.theirs.push(workOf([readFileSync(join(folder, 'out'))]))
  }
  const theirs = readFileSync(join(folder, 'delta'))
  console.log(`\nall versions in one pair of ${formatCount(mb)} MB, processes and files included for the program`)
  const name = xdelta3Name()
  const outcomes = [
    { name: 'ours', work: works.ours },
    { name, work: works.theirs },
    { name: "xdelta3's delta, read by us", work: [workOf([ours.decode(theirs, whole)])] },
  ]
  if (!proven('one pair', [{ name: 'the new versions', work: [wanted] }, ...outcomes])) return
  const mine = (value: number, cpuSeconds?: number): Side => ({ name: 'ours', value, cpuSeconds, work: works.ours })
  const other = (value: number, cpuSeconds?: number): Side => ({ name, value, cpuSeconds, work: works.theirs })
  printRatio({
    what: 'size',
    unit: 'bytes',
    better: 'less',
    ours: mine(delta.length),
    peer: other(theirs.length),
  })
  for (const what of ['encode', 'decode']) {
    const [us, them] = ['ours', 'theirs'].map((whose) => middle(times.get(`${what}, ${whose}`)!)) as [Took, Took]
    printRatio({
      what,
      unit: 'MB/s',
      better: 'more',
      ours: mine(mb / us.seconds, us.cpuSeconds),
      peer: other(mb / them.seconds, them.cpuSeconds),
    })
  }
}

function xdelta3Name(): string {
  const says = execFileSync('sh', ['-c', 'xdelta3 -V 2>&1 || true']).toString()
  return `xdelta3@${/version (\d[\d.]*)/i.exec(says)?.[1]?.replace(/\.$/, '') ?? '?'}`
}

const folder = mkdtempSync(join(tmpdir(), 'comity-delta-'))
try {
  const pairs = loadPairs(history, folder, flags.pairs)
  const pages = pairs.map(({ target }) => target)
  const wanted: Work = workOf(pages)
  const size = pages.reduce((sum, { length }) => sum + length, 0)
  const perPage = (bytes: number): number => bytes / pairs.length
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  console.log(
    `${pairs.length} changes, ${formatCount(perPage(size))} bytes a page; alone ` +
      `gzip -6 ${formatCount(perPage(pages.reduce((sum, page) => sum + gzipSync(page).length, 0)))}, ` +
      `brotli 5 ${formatCount(perPage(pages.reduce((sum, page) => sum + brotliCompressSync(page, brotli).length, 0)))}`,
  )
  const sizeOf = (name: string, bytes: number, work: readonly Work[]): Side => ({
    name,
    value: perPage(bytes),
    cpuSeconds: undefined,
    work,
  })
  const givesBack = (side: Side): boolean =>
    proven(`versions of ${side.name}`, [{ name: 'the new versions', work: [wanted] }, side])
  const figures = measure(pairs, flags.rounds)
  const sizes = figures.map(({ bytes, work }, place) => sizeOf(coders[place]!.name, bytes, work))
  for (const [place, { bytes, encode, decode }] of figures.entries()) {
    const { name } = coders[place]!
    if (!givesBack(sizes[place]!)) continue
    const rate = ({ seconds, cpuSeconds }: Took): string =>
      `${formatCount(size / 1e6 / cpuSeconds)} MB/s of processor (${formatCount(size / 1e6 / seconds)} by the clock)`
    const bytesAPage = `${formatCount(perPage(bytes)).padStart(7)} bytes a page`
    console.log(`${name.padEnd(14)} ${bytesAPage}  encode ${rate(encode)}  decode ${rate(decode)}`)
  }
  const zipped = pairs.map(ours.encode).reduce((sum, delta) => sum + Math.min(delta.length, gzipSync(delta).length), 0)
  console.log(`${'vcdiff, gzip'.padEnd(14)} ${formatCount(perPage(zipped)).padStart(7)} bytes a page`)
  const isXdelta3Here = isHere('xdelta3')
  const peers = sizes.slice(1)
  if (isXdelta3Here) {
    const { bytes, work } = xdelta3Pages(pairs, folder)
    peers.unshift(sizeOf(xdelta3Name(), bytes, [work]))
  } else sayMissing('xdelta3', 'apt-get install xdelta3')
  console.log('\nsize of our vcdiff beside')
  for (const peer of peers)
    if (givesBack(peer)) printRatio({ what: `  ${peer.name}`, unit: 'bytes', better: 'less', ours: sizes[0]!, peer })
  if (isXdelta3Here) compareWhole(pairs, folder, flags.rounds)
} finally {
  rmSync(folder, { recursive: true })
}
