/**
 * All tests, as `npm run test:only` runs them: `node --test` for some files at a time, so many processes beside each other.
 *
 *   packages/…   the files of a package share processes: each of their own would spend more on starting than on testing
 *   test/…       whole programs and servers: a few files of a folder share one
 *   both         one process for a file that says so: `// Runs alone: REASON`
 *
 * What each prints is printed when it ends, and at the end the sums and which took the most processor time: unlike the time
 * by the clock, it says the same on a busy machine. Names of files, or parts of them, choose.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

interface Batch {
  readonly name: string
  readonly files: readonly string[]
}

interface Ended extends Batch {
  readonly isOk: boolean
  /** Of the processor, with all the processes that it started and waited for. */
  readonly seconds: number
  /** What it printed of those that failed. */
  readonly why: string
  readonly counts: ReadonlyMap<string, number>
}

const ROOT = join(import.meta.dirname, '..')
const FILES_A_BATCH = 24
/** Of whole programs fewer, as each takes long, and a batch should not be what all others are waiting for at the end. */
const PROGRAMS_A_BATCH = 4
/** What hundreds of processes would otherwise compile anew, each for itself: half of their time. */
const COMPILED = join(ROOT, 'node_modules/.cache/node')
/** Two more than there are processors: many tests wait for something, and with one more a sixth of the time nobody computed. */
const LANES = availableParallelism() + 2
const isAlone = (file: string): boolean => /^\/\/ Runs alone: \S/mu.test(readFileSync(join(ROOT, file), 'utf8'))
/** The runner takes a signal for its own, also one that a test gives itself: such tests run in a process beneath it, which costs a start. */
const isSignalled = (file: string): boolean => /\bprocess\.emit\('SIG/u.test(readFileSync(join(ROOT, file), 'utf8'))
/** No test takes a quarter of it on a busy machine: one that does hangs. A test that knows better says so itself. */
const TIME_LIMIT = '--test-timeout=300000'
/** So long no batch takes: its tests are over, and something that one of them has left keeps its process from ending. */
const HANGS_MS = 1_200_000
/** Runs what follows; then the shell prints the time of itself, and in the second line that of those it waited for: minutes, seconds, user and system. */
const TIMED = ['-c', '"$@"; code=$?; times; exit $code', 'sh']
const TIMES = /\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n$/u
/** Where Linux keeps files in memory: half of what most tests wait for is a disk that syncs what they throw away. */
const IN_MEMORY = '/dev/shm'
/** Several times what all tests hold at once. */
const ROOM_BYTES = 4 * 1024 ** 3
const DEAREST = 10
const COUNT = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo) (\d+)$/gmu

function batchesOf(parts: readonly string[]): readonly Batch[] {
  const all = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: ROOT }).toSorted()
  const files = all.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  const alone = files.filter(isAlone).map((file) => ({ name: file, files: [file] }))
  const together = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    // A package, a folder of `test`, or `test` itself.
    (file) =>
      file
        .split('/', 2)
        .filter((part) => !part.includes('.'))
        .join('/'),
  )
  const shared = [...together].flatMap(([name, some]) => chunksOf(name, some).map((part) => ({ name, files: part })))
  return mixed(alone, shared)
}

/** Every so manieth file, so that the long ones of a kind, which have names alike, do not stand together. */
function chunksOf(name: string, files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / (name.startsWith('test') ? PROGRAMS_A_BATCH : FILES_A_BATCH))
  return Array.from({ length: count }, (_, n) => files.filter((_file, i) => i % count === n))
}

/** Those that wait beside those that compute. */
function mixed(one: readonly Batch[], other: readonly Batch[]): readonly Batch[] {
  const placed = (batches: readonly Batch[]): { at: number; batch: Batch }[] =>
    batches.map((batch, i) => ({ at: i / batches.length, batch }))
  return [...placed(one), ...placed(other)].toSorted((a, b) => a.at - b.at).map(({ batch }) => batch)
}

/** Undefined for the usual place: there is no room, somebody named another, or crashes are tried at length, on a disk as it is. */
function roomInMemory(): string | undefined {
  if (process.env['TMPDIR'] !== undefined || process.env['COMITY_TORTURE'] !== undefined) return undefined
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (bavail * bsize < ROOM_BYTES) return undefined
    const folder = mkdtempSync(join(IN_MEMORY, 'comity-tests-'))
    // As the usual place: some tests go there as somebody else.
    chmodSync(folder, 0o1777)
    return folder
  } catch {
    return undefined
  }
}

const scratch = roomInMemory()
process.once('exit', () => {
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
})
const running = new Set<ChildProcess>()

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function run(batch: Batch): Promise<Ended> {
  const isolation = batch.files.some(isSignalled) ? [] : ['--test-isolation=none']
  const begun = performance.now()
  const child = spawn('sh', [...TIMED, process.execPath, '--test', TIME_LIMIT, ...isolation, ...batch.files], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that it can be ended with all that it started.
    detached: true,
    // A process that runs tests tells those it starts, which would then report to it.
    env: {
      NODE_COMPILE_CACHE: COMPILED,
      ...process.env,
      ...(scratch === undefined ? {} : { TMPDIR: scratch }),
      NODE_TEST_CONTEXT: undefined,
    },
  })
  running.add(child)
  const hangs = setTimeout(() => endGroup(child), HANGS_MS)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve))
  clearTimeout(hangs)
  running.delete(child)
  const clock = ((performance.now() - begun) / 1_000).toFixed(1)
  const [userMinutes, user, systemMinutes, system] = (TIMES.exec(output) ?? []).slice(1).map(Number)
  // Who was ended says nothing of its time.
  const isTimed = userMinutes !== undefined
  const seconds = isTimed ? (userMinutes + systemMinutes!) * 60 + user! + system! : 0
  output = output.replace(TIMES, '')
  const counts = new Map([...output.matchAll(COUNT)].map(([, name, count]) => [name!, Number(count)]))
  process.stdout.write(
    `── ${batch.name}, ${batch.files.length} files, ${clock} s, processor ${seconds.toFixed(1)} s\n${output}`,
  )
  const failing = output.indexOf('✖ failing tests:')
  const hung = isTimed ? '' : `its process was ended after ${clock} s: a test has left something running\n`
  return { ...batch, isOk: code === 0, seconds, why: hung + (failing < 0 ? '' : output.slice(failing)), counts }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) endGroup(child)
    process.exit(1)
  })

const { positionals } = parseArgs({ allowPositionals: true })
const batches = [...batchesOf(positionals)]
const ended: Ended[] = []
const begun = performance.now()

async function lane(): Promise<void> {
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) ended.push(await run(batch))
}

await Promise.all(Array.from({ length: LANES }, lane))
const sums = new Map<string, number>()
for (const { counts } of ended) for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
const failed = ended.filter(({ isOk }) => !isOk)
const dearest = ended.toSorted((a, b) => b.seconds - a.seconds).slice(0, DEAREST)
const seconds = ended.reduce((sum, batch) => sum + batch.seconds, 0)
console.log(
  `── all, ${((performance.now() - begun) / 1_000).toFixed(0)} s, processor ${seconds.toFixed(0)} s; the dearest:`,
)
for (const batch of dearest) console.log(`${batch.seconds.toFixed(1).padStart(6)} s  ${batch.name}`)
for (const [name, count] of sums) console.log(`ℹ ${name} ${count}`)
for (const { name, files, why } of failed) console.log(`✖ ${name}${files.length === 1 ? '' : ': see above'}\n${why}`)
if (ended.length === 0) console.log(`✖ no test has ${positionals.join(' or ')} in its name`)
if (failed.length > 0 || ended.length === 0) process.exitCode = 1
