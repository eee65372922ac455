/**
 * How fast are pages rebuilt from packets, beside TShark and tcpflow?
 *
 *   node bench/gateway.ts CAPTURE.pcap [--rounds 3] [--core 0] [--into FOLDER]
 *
 * `bench/gateway-capture.ts` makes a capture out of a folder of pages. Each contestant runs in a process of its own on one core,
 * in turns; counted is the time of that core, by the kernel's word, from the start of the process to its end. Written are the
 * same objects: those of each are compared, byte by byte. Then ours alone: without writing, and with indexing and shipping.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatCount, formatRatio, median } from './measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    core: { type: 'string', default: '0' },
    into: { type: 'string' },
  },
})
const capture = positionals[0]
if (capture === undefined) {
  console.error('Usage: node bench/gateway.ts CAPTURE.pcap [--rounds 3] [--core 0] [--into FOLDER]')
  process.exit(2)
}
/** In memory, where there is room: a disk would take the same time for each, and hide the rest. */
const into = values.into ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
const OURS = [process.execPath, join(import.meta.dirname, 'gateway-rebuild.ts'), capture]

interface Contestant {
  readonly name: string
  readonly command: (folder: string) => readonly string[]
  /** Of the files that it makes, those that are objects; none are looked at when undefined. */
  readonly isObject?: (name: string) => boolean
}

const contestants: readonly Contestant[] = [
  { name: 'ours, written', command: (folder) => [...OURS, 'write', folder], isObject: () => true },
  {
    name: `tshark ${versionOf('tshark')} --export-objects`,
    command: (folder) => ['tshark', '-Q', '-n', '-r', capture, '--export-objects', `http,${folder}`],
    isObject: () => true,
  },
  {
    name: `tcpflow ${versionOf('tcpflow')} -a`,
    command: (folder) => ['tcpflow', '-q', '-a', '-r', capture, '-o', folder],
    isObject: (name) => /-HTTPBODY-\d+(?:\.[a-z]+)?$/.test(name),
  },
  { name: 'ours, rebuilt only', command: () => [...OURS, 'rebuild'] },
  { name: 'ours, indexed and shipped', command: (folder) => [...OURS, 'index', folder] },
]

/** Some say their version with an exit code, and on either stream. */
function versionOf(program: string): string {
  const { stdout, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return error === undefined ? (/\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? '') : 'missing'
}

interface Outcome {
  readonly cpuSeconds: number
  readonly wallSeconds: number
  readonly digests: readonly string[]
  readonly said: string
}

function compete({ command, isObject }: Contestant): Outcome {
  const folder = mkdtempSync(join(into, 'comity-bench-'))
  try {
    // The shell's own clock: what its child took of the machine.
    const script = 'TIMEFORMAT="%R %U %S"; core=$1; shift; time taskset -c "$core" "$@" 2>/dev/null'
    const given = ['-c', `{ ${script}; } 2>&1`, 'bash', values.core, ...command(folder)]
    const lines = execFileSync('bash', given, { encoding: 'utf8', maxBuffer: 1 << 28 })
      .trim()
      .split('\n')
    const [wall, user, system] = lines.at(-1)!.split(' ').map(Number)
    const names = isObject === undefined ? [] : readdirSync(folder).filter(isObject)
    const digests = names.map((name) =>
      createHash('sha1')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    )
    return { cpuSeconds: user! + system!, wallSeconds: wall!, digests: digests.toSorted(), said: lines.at(-2) ?? '' }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const { size } = statSync(capture)
console.log(
  `${capture}: ${formatCount(size / 1e6)} MB, ${values.rounds} rounds on core ${values.core}, written into ${into}`,
)
const present = contestants.filter(({ name }) => !name.includes('missing'))
for (const { name } of contestants) if (name.includes('missing')) console.log(`${name}: apt-get install tshark tcpflow`)
const outcomes = present.map((): Outcome[] => [])
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [place, contestant] of present.entries()) outcomes[place]!.push(compete(contestant))
}
const gbit = (of: readonly Outcome[]): number => (size * 8) / 1e9 / median(of.map(({ cpuSeconds }) => cpuSeconds))

const ours = outcomes[0]![0]!.digests
for (const [place, { name, isObject }] of present.entries()) {
  const of = outcomes[place]!
  const wall = median(of.map(({ wallSeconds }) => wallSeconds))
  const cpu = median(of.map(({ cpuSeconds }) => cpuSeconds))
  console.log(
    `${name}: ${formatCount(cpu)} s of the core, ${formatCount(wall)} s by the clock; ${of[0]!.said.slice(0, 200)}`,
  )
  if (isObject === undefined) continue
  const theirs = new Set(of[0]!.digests)
  const shared = ours.filter((digest) => theirs.has(digest)).length
  console.log(`  ${of[0]!.digests.length} objects, ${shared} of our ${ours.length} among them`)
}
const line = (what: string, at: number, peer: number | undefined): void => {
  const other = peer === undefined ? undefined : { name: present[peer]!.name, value: gbit(outcomes[peer]!) }
  console.log(formatRatio({ what, ours: gbit(outcomes[at]!), unit: 'Gbit/s', peer: other, better: 'more' }))
}
const place = (begin: string): number | undefined => {
  const at = present.findIndex(({ name }) => name.startsWith(begin))
  return at === -1 ? undefined : at
}
line('rebuilt and written', 0, place('tshark'))
line('rebuilt and written', 0, place('tcpflow'))
line('rebuilt', place('ours, rebuilt')!, place('tshark'))
line('rebuilt, indexed and shipped', place('ours, indexed')!, undefined)
