/**
 * How small and how fast are differences between real versions of a page? Our VCDIFF beside xdelta3's, and beside zstd
 * and brotli with the old version as dictionary (RFC 9842).
 *
 *   node bench/delta.ts HISTORY [--pairs 300] [--rounds 5]
 *
 * HISTORY holds events.tsv.gz (epoch, status, path, blob, bytes) and blobs.tar.zst, one file for each blob. Of all changes
 * every n-th is taken, so the same history gives the same pairs. Equal work: every delta is decoded and compared.
 *
 * xdelta3 and zstd are programs: a process for each page would measure the starting of processes. Their sizes are those
 * of the single pages; their speed is that of one large pair, all old versions in one file and all new in another.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import { decodeVcdiff, decodeWithDictionary, encodeVcdiff, encodeWithDictionary } from '@comity/protocol'
import { formatCount, formatRatio, median } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '300' }, rounds: { type: 'string', default: '5' } },
})
const history = positionals[0]
if (history === undefined || !existsSync(join(history, 'events.tsv.gz'))) {
  console.error('Usage: node bench/delta.ts HISTORY [--pairs 300] [--rounds 5], where HISTORY holds events.tsv.gz')
  process.exit(2)
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
  readonly encodeMbs: number
  readonly decodeMbs: number
}

/** Rounds in turns; the first warms up. MB of target a second of processor time, which a busy machine stretches less. */
function measure(pairs: readonly Pair[], rounds: number): Figures[] {
  const targetMb = pairs.reduce((sum, { target }) => sum + target.length, 0) / 1e6
  const times = coders.map((): { encode: number[]; decode: number[]; bytes: number } => ({
    encode: [],
    decode: [],
    bytes: 0,
  }))
  for (let round = 0; round <= rounds; round++) {
    for (const [place, { name, encode, decode }] of coders.entries()) {
      const began = processorMs()
      const deltas = pairs.map(encode)
      const encoded = processorMs()
      const decoded = deltas.map((delta, at) => decode(delta, pairs[at]!))
      const ended = processorMs()
      if (decoded.some((body, at) => body === undefined || !pairs[at]!.target.equals(body))) {
        throw new Error(`${name} gives other bytes back`)
      }
      times[place]!.bytes = deltas.reduce((sum, delta) => sum + delta.length, 0)
      if (round === 0) continue
      times[place]!.encode.push(targetMb / ((encoded - began) / 1e3))
      times[place]!.decode.push(targetMb / ((ended - encoded) / 1e3))
    }
  }
  return times.map(({ encode, decode, bytes }) => ({ bytes, encodeMbs: median(encode), decodeMbs: median(decode) }))
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** xdelta3's sizes of the single pages; undefined when it is not installed. */
function xdelta3Bytes(pairs: readonly Pair[], folder: string): number | undefined {
  try {
    return pairs.reduce((sum, { source, target }) => {
      writeFileSync(join(folder, 'old'), source)
      writeFileSync(join(folder, 'new'), target)
      return sum + execFileSync('xdelta3', ['-e', '-c', ...PLAIN, '-s', 'old', 'new'], { cwd: folder }).length
    }, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
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
  const rate = (act: () => void): number => {
    const began = performance.now()
    act()
    return mb / ((performance.now() - began) / 1e3)
  }
  const rates = { ours: [] as number[], theirs: [] as number[], oursBack: [] as number[], theirsBack: [] as number[] }
  let delta = new Uint8Array(0) as Uint8Array
  for (let round = 0; round <= rounds; round++) {
    const now = [
      rate(() => (delta = encodeVcdiff(whole.source, whole.target))),
      rate(() => execFileSync('xdelta3', ['-f', '-e', ...PLAIN, '-s', 'old', 'new', 'delta'], { cwd: folder })),
      rate(() => decodeVcdiff(whole.source, delta, { maxBytes: whole.target.length })),
      rate(() => execFileSync('xdelta3', ['-f', '-d', '-s', 'old', 'delta', 'out'], { cwd: folder })),
    ]
    if (round === 0) continue
    for (const [place, list] of Object.values(rates).entries()) list.push(now[place]!)
  }
  const theirs = readFileSync(join(folder, 'delta'))
  const back = decodeVcdiff(whole.source, theirs, { maxBytes: whole.target.length })
  if (back.kind !== 'ok' || !whole.target.equals(back.body)) throw new Error("we do not read xdelta3's delta")
  const name = xdelta3Name()
  console.log(`\nall versions in one pair of ${formatCount(mb)} MB, processes and files included for the program`)
  const lines: [what: string, ours: number, unit: string, value: number, better: 'more' | 'less'][] = [
    ['size', delta.length, 'bytes', theirs.length, 'less'],
    ['encode', median(rates.ours), 'MB/s', median(rates.theirs), 'more'],
    ['decode', median(rates.oursBack), 'MB/s', median(rates.theirsBack), 'more'],
  ]
  for (const [what, mine, unit, value, better] of lines) {
    console.log(formatRatio({ what, ours: mine, unit, peer: { name, value }, better }))
  }
}

function xdelta3Name(): string {
  const says = execFileSync('sh', ['-c', 'xdelta3 -V 2>&1 || true']).toString()
  return `xdelta3@${/version (\d[\d.]*)/i.exec(says)?.[1]?.replace(/\.$/, '') ?? '?'}`
}

const folder = mkdtempSync(join(tmpdir(), 'comity-delta-'))
try {
  const rounds = Number(values.rounds)
  const pairs = loadPairs(history, folder, Number(values.pairs))
  const pages = pairs.map(({ target }) => target)
  const size = pages.reduce((sum, { length }) => sum + length, 0)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  console.log(
    `${pairs.length} changes, ${formatCount(size / pairs.length)} bytes a page; alone ` +
      `gzip -6 ${formatCount(pages.reduce((sum, page) => sum + gzipSync(page).length, 0) / pairs.length)}, ` +
      `brotli 5 ${formatCount(pages.reduce((sum, page) => sum + brotliCompressSync(page, brotli).length, 0) / pairs.length)}`,
  )
  const figures = measure(pairs, rounds)
  for (const [place, { bytes, encodeMbs, decodeMbs }] of figures.entries()) {
    const rates = `encode ${formatCount(encodeMbs)} MB/s  decode ${formatCount(decodeMbs)} MB/s`
    console.log(
      `${coders[place]!.name.padEnd(14)} ${formatCount(bytes / pairs.length).padStart(7)} bytes a page  ${rates}`,
    )
  }
  const perPage = (bytes: number): number => bytes / pairs.length
  const mine = figures[0]!
  const zipped = pairs.map(ours.encode).reduce((sum, delta) => sum + Math.min(delta.length, gzipSync(delta).length), 0)
  console.log(`${'vcdiff, gzip'.padEnd(14)} ${formatCount(perPage(zipped)).padStart(7)} bytes a page`)
  const theirs = xdelta3Bytes(pairs, folder)
  if (theirs === undefined) {
    console.error('No xdelta3: apt-get install xdelta3')
  } else {
    const peers = [
      { name: xdelta3Name(), value: perPage(theirs) },
      ...figures.slice(1).map(({ bytes }, at) => ({ name: coders[at + 1]!.name, value: perPage(bytes) })),
    ]
    console.log('\nsize of our vcdiff beside')
    for (const peer of peers) {
      console.log(
        formatRatio({ what: `  ${peer.name}`, ours: perPage(mine.bytes), unit: 'bytes', peer, better: 'less' }),
      )
    }
    compareWhole(pairs, folder, rounds)
  }
} finally {
  rmSync(folder, { recursive: true })
}
