/**
 * How fast are pages rebuilt from packets, beside TShark and tcpflow?
 *
 *   node bench/gateway.ts CAPTURE.pcap [--rounds 3] [--core 0] [--into FOLDER]
 *
 * `bench/gateway-capture.ts` makes a capture out of a folder of pages. Each contestant runs in a process of its own on one core,
 * in turns; counted is the time of that core, by the kernel's word, from the start of the process to its end. Written are the
 * same objects: those of each are compared, byte by byte, and where one differs there is no ratio. Then ours alone: without
 * writing, which must see as many objects; and with indexing and shipping, for the hosts of the capture, on the core and once more on all of them, where threads read
 * pages: what was shipped is read back from the spool. Of captures from elsewhere a gateway may leave out much, and it is said what.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { shippedUrls } from '../packages/gateway/src/node/batch-maker.ts'
import { endWith, readArguments } from './arguments.ts'
import { printFigure, printRatio, proven, sayMissing } from './equal-work.ts'
import type { Side, Work } from './equal-work.ts'
import type { Rebuilt } from './gateway-rebuild.ts'
import { formatCount, median } from './measure.ts'

const { flags, positionals } = readArguments(
  import.meta.filename,
  { rounds: 3, core: { value: 0, least: 0 }, into: '' },
  1,
)
const capture = positionals[0] ?? ''
if (!existsSync(capture)) endWith(import.meta.filename, capture === '' ? 'Name a capture' : `There is no ${capture}`)
/** In memory, where there is room: a disk would take the same time for each, and hide the rest. */
const into = flags.into || (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
const OURS = [process.execPath, join(import.meta.dirname, 'gateway-rebuild.ts'), capture]
/** Ours keeps what it has compiled, as `comity` does; the first run of all, which finds the hosts, is not counted. */
const compiled = mkdtempSync(join(tmpdir(), 'comity-bench-'))
const ENVIRONMENT = { ...process.env, NODE_COMPILE_CACHE: compiled }
process.on('exit', () => rmSync(compiled, { recursive: true, force: true }))
const TO_THE_END = 'runs to their end'
const HOW_TO_GET = 'apt-get install tshark tcpflow'

interface Contestant {
  readonly name: string
  /** On all of them; on the one core otherwise. */
  readonly isOnAllCores?: boolean
  readonly command: (folder: string) => readonly string[]
  /** What it did, by what it says and what is in the folder. */
  readonly workOf: (folder: string, said: string) => Work
}

/** A program of somebody else's, told by its objects alone. */
interface Peer {
  readonly program: string
  readonly args: (folder: string) => readonly string[]
  /** Of the files that it makes, those that are objects. */
  readonly isObject: (name: string) => boolean
}

const PEERS: readonly Peer[] = [
  {
    program: 'tshark',
    args: (folder) => ['-Q', '-n', '-r', capture, '--export-objects', `http,${folder}`],
    isObject: () => true,
  },
  {
    program: 'tcpflow',
    args: (folder) => ['-q', '-a', '-r', capture, '-o', folder],
    isObject: (name) => /-HTTPBODY-\d+(?:\.[a-z]+)?$/.test(name),
  },
]

const rebuilt = (said: string): Rebuilt => JSON.parse(said) as Rebuilt
const seen = (said: string): Work => ({ objects: rebuilt(said).objects, bytes: rebuilt(said).bytes })

const written: Contestant = {
  name: 'ours, written',
  command: (folder) => [...OURS, 'write', folder],
  workOf: (folder) => objectsIn(folder, () => true),
}
const rebuiltOnly: Contestant = {
  name: 'ours, rebuilt only',
  command: () => [...OURS, 'rebuild'],
  workOf: (_, said) => seen(said),
}
const indexed: Contestant = {
  name: 'ours, indexed and shipped',
  command: (folder) => [...OURS, 'index', folder, ...hosts],
  workOf: (folder, said) => {
    const { pages = 0, batchBytes = 0 } = rebuilt(said).figures ?? {}
    return { 'pages let through': pages, 'bytes shipped': batchBytes, 'pages in the spool': spooledIn(folder) }
  },
}

/** The same where it may use threads: what it takes by the clock. */
const indexedOnAll: Contestant = { ...indexed, name: 'ours, indexed and shipped, on all cores', isOnAllCores: true }

function contestantOf({ program, args, isObject }: Peer): Contestant | undefined {
  // Some say their version with an exit code, and on either stream.
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (error !== undefined) return undefined
  const version = /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? '?'
  return {
    name: `${program}@${version}`,
    command: (folder) => [program, ...args(folder)],
    workOf: (folder) => objectsIn(folder, isObject),
  }
}

function objectsIn(folder: string, isObject: (name: string) => boolean): Work {
  const names = readdirSync(folder).filter(isObject)
  const digestOf = (name: string): string =>
    createHash('sha1')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return { objects: names.map(digestOf) }
}

/** Addresses of the pages that wait to be sent. */
function spooledIn(folder: string): string[] {
  const batches = globSync('spool/*.batch', { cwd: folder })
  return batches.flatMap((name) => shippedUrls(readFileSync(join(folder, name))))
}

const ALL_CORES = `0-${availableParallelism() - 1}`

interface Outcome {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly work: Work
  readonly said: string
}

function compete({ command, workOf, isOnAllCores = false }: Contestant): Outcome {
  const folder = mkdtempSync(join(into, 'comity-bench-'))
  try {
    // The shell's own clock: what its child took of the machine.
    const script = 'TIMEFORMAT="%R %U %S"; core=$1; shift; time taskset -c "$core" "$@" 2>/dev/null'
    const given = [
      '-c',
      `{ ${script}; } 2>&1`,
      'bash',
      isOnAllCores ? ALL_CORES : String(flags.core),
      ...command(folder),
    ]
    const { stdout, status } = spawnSync('bash', given, { encoding: 'utf8', maxBuffer: 1 << 28, env: ENVIRONMENT })
    const lines = stdout.trim().split('\n')
    const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = lines.at(-1)!.split(' ').map(Number)
    const said = lines.at(-2) ?? ''
    // Who ends in the middle has not done it all.
    const work = status === 0 ? { [TO_THE_END]: 1, ...workOf(folder, said) } : { [TO_THE_END]: 0 }
    return { cpuSeconds: user + system, wallSeconds: wall, work, said }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const hosts = rebuilt(
  spawnSync(OURS[0]!, [...OURS.slice(1), 'hosts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENVIRONMENT,
  }).stdout,
).hosts!
const { size } = statSync(capture)
console.log(
  `${capture}: ${formatCount(size / 1e6)} MB, ${flags.rounds} rounds on core ${flags.core}, written into ${into}`,
)
const peers = PEERS.flatMap((peer) => {
  const found = contestantOf(peer)
  if (found === undefined) sayMissing(peer.program, HOW_TO_GET)
  return found ?? []
})
const outcomes = new Map(
  [written, ...peers, rebuiltOnly, indexed, indexedOnAll].map((one): [Contestant, Outcome[]] => [one, []]),
)
for (let round = 0; round < flags.rounds; round++) for (const [one, done] of outcomes) done.push(compete(one))

for (const [{ name }, done] of outcomes) {
  const wall = median(done.map(({ wallSeconds }) => wallSeconds))
  const cpu = median(done.map(({ cpuSeconds }) => cpuSeconds))
  const { work, said } = done[0]!
  const objects = Array.isArray(work['objects']) ? `${formatCount(work['objects'].length)} objects` : said.slice(0, 500)
  console.log(`${name}: ${formatCount(cpu)} s of the core, ${formatCount(wall)} s by the clock; ${objects}`)
}

/** Gigabits of the capture for each second of the core. */
function sideOf(one: Contestant, workOf = ({ work }: Outcome): Work => work): Side {
  const done = outcomes.get(one)!
  const value = (size * 8) / 1e9 / median(done.map(({ cpuSeconds }) => cpuSeconds))
  return { name: one.name, value, cpuSeconds: undefined, work: done.map(workOf) }
}

for (const peer of peers)
  printRatio({
    what: 'rebuilt and written',
    unit: 'Gbit/s of the core',
    better: 'more',
    ours: sideOf(written),
    peer: sideOf(peer),
  })
// The programs of others write whatever they rebuild, so there is nobody to compare this with.
const asWritten = sideOf(written, ({ said }) => ({ [TO_THE_END]: 1, ...(said === '' ? {} : seen(said)) }))
if (proven('rebuilt', [sideOf(rebuiltOnly), asWritten]))
  printFigure('rebuilt', 'Gbit/s of the core', sideOf(rebuiltOnly))
const [{ work: ship }] = outcomes.get(indexed)! as [Outcome]
const spooled = Array.isArray(ship['pages in the spool']) ? ship['pages in the spool'].length : 0
const objects = rebuilt(outcomes.get(rebuiltOnly)![0]!.said || '{"objects":0}').objects
printFigure(
  `rebuilt, ${formatCount(spooled)} pages of ${formatCount(objects)} objects shipped`,
  'Gbit/s of the core',
  sideOf(indexed),
)
