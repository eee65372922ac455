/**
 * Sandbox process, seen from the host: it is started, told what to run, answered as long as it asks, and killed when it is
 * out of time, breaks its word or is not wanted any more. Two clocks are kept from outside, because what runs inside may
 * not come to look at its own: the wall clock, and, where the system shows it (Linux: proc(5)), the processor time.
 */
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { INNER_OUTCOMES } from '../agent-outcome.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import { sandboxUnavailable } from '../errors.ts'
import { sandboxLaunch } from './launch.ts'
import { frame, FrameReader, MAX_QUESTION_BYTES, readQuestion } from './wire.ts'
import type { Question, SandboxEnd, SandboxJob } from './wire.ts'

export type Answer =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** There is none: the run ends with this. */
  | { readonly kind: 'fault'; readonly outcome: AgentOutcome; readonly message: string }

interface SandboxRun extends SandboxEnd {
  readonly wallMs: number
  /** Whether the system kept it from the network, too. */
  readonly isOffline: boolean
}

interface SandboxOptions {
  readonly wallMs: number
  readonly signal?: AbortSignal | undefined
  /** Its process number, as soon as it has one. */
  readonly onStart?: ((pid: number) => void) | undefined
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Verdict = Pick<SandboxEnd, 'outcome' | 'message'>

const WATCH_MS = 100
/** What it may go beyond its processor time, to start and to come to an end by itself. */
const CPU_GRACE_MS = 1_000
const MAX_STDERR = 2_000
/** Of proc(5)'s clock; 100 on every Linux that Node runs on. */
const TICKS_A_SECOND = 100

/** Rejects only when no process can be started, or with an error of `answer`'s own. */
export async function runSandbox(
  job: SandboxJob,
  answer: (question: Question) => Promise<Answer>,
  options: SandboxOptions,
): Promise<SandboxRun> {
  if (options.signal?.aborted === true) return notRun({ outcome: 'stopped', message: 'it was stopped before it began' })
  const launch = sandboxLaunch(job.cpuMs + CPU_GRACE_MS)
  const startedAt = performance.now()
  const child = spawn(launch.command, launch.args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  const keeper = new Keeper(child, job, answer, options)
  const end = await keeper.end
  return { ...end, wallMs: Math.round(performance.now() - startedAt), isOffline: launch.isOffline }
}

const notRun = (verdict: Verdict): SandboxRun => ({ ...verdict, cpuMs: 0, wallMs: 0, memoryBytes: 0, isOffline: false })

class Keeper {
  readonly end: Promise<SandboxEnd>
  readonly #child: Child
  readonly #answer: (question: Question) => Promise<Answer>
  readonly #frames = new FrameReader(MAX_QUESTION_BYTES)
  readonly #maxCpuMs: number
  #cpuMs = 0
  #stderr = ''
  #isBusy = false
  /** Set once: what ended it. */
  #verdict: Verdict | undefined
  #said: SandboxEnd | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(child: Child, job: SandboxJob, answer: (question: Question) => Promise<Answer>, options: SandboxOptions) {
    this.#child = child
    this.#answer = answer
    this.#maxCpuMs = job.cpuMs + CPU_GRACE_MS
    this.end = this.#watch(options)
    // A process that is gone before it has read is seen by its exit.
    child.stdin.on('error', () => undefined)
    child.stdin.write(frame(JSON.stringify(job)))
  }

  async #watch({ wallMs, signal, onStart }: SandboxOptions): Promise<SandboxEnd> {
    const child = this.#child
    const { promise, resolve, reject } = Promise.withResolvers<SandboxEnd>()
    const wall = setTimeout(() => this.#kill('hung', `it ran for more than ${wallMs} ms`), wallMs)
    const watch = setInterval(() => this.#lookAtCpu(), WATCH_MS)
    const stop = (): void => this.#kill('stopped', 'the owner stopped it')
    signal?.addEventListener('abort', stop)
    child.on('spawn', () => onStart?.(child.pid!))
    child.on('error', (error) => reject(sandboxUnavailable(error)))
    child.stdout.on('data', (bytes: Buffer) => this.#take(bytes))
    child.stderr.on('data', (bytes: Buffer) => (this.#stderr = (this.#stderr + bytes.toString()).slice(-MAX_STDERR)))
    child.on('close', (code, killedBy) => resolve(this.#ended(code, killedBy)))
    try {
      const end = await promise
      if (this.#failure !== undefined) throw this.#failure.error
      return end
    } finally {
      clearTimeout(wall)
      clearInterval(watch)
      signal?.removeEventListener('abort', stop)
    }
  }

  #kill(outcome: AgentOutcome, message: string): void {
    this.#verdict ??= { outcome, message }
    this.#child.kill('SIGKILL')
  }

  #lookAtCpu(): void {
    this.#cpuMs = cpuMsOf(this.#child.pid) ?? this.#cpuMs
    if (this.#cpuMs > this.#maxCpuMs) this.#kill('hung', 'it went on after its processor time was used up')
  }

  #take(bytes: Uint8Array): void {
    if (this.#verdict !== undefined) return
    for (const one of this.#frames.push(bytes) ?? [undefined]) {
      const question = one === undefined ? undefined : readQuestion(one)
      // It waits for its answers, so two questions at a time are none of ours.
      if (question === undefined || this.#isBusy || this.#said !== undefined)
        return this.#kill('crashed', 'its process said something that makes no sense')
      if (question.name === 'end') this.#said = readEnd(question.text)
      else void this.#reply(question)
    }
  }

  async #reply(question: Question): Promise<void> {
    this.#isBusy = true
    const answer = await this.#answer(question).catch((error: unknown) => this.#giveUp(error))
    this.#isBusy = false
    if (answer === undefined || this.#verdict !== undefined) return
    if (answer.kind === 'fault') this.#kill(answer.outcome, answer.message)
    else this.#child.stdin.write(answer.kind === 'json' ? frame(answer.text, 'J') : frame(answer.bytes, 'B'))
  }

  /** The host itself failed, which is nobody's outcome: whoever waits is told the error. */
  #giveUp(error: unknown): undefined {
    this.#failure = { error }
    this.#kill('stopped', 'the host failed')
  }

  #ended(code: number | null, killedBy: NodeJS.Signals | null): SandboxEnd {
    const used = { cpuMs: this.#said?.cpuMs ?? Math.round(this.#cpuMs), memoryBytes: this.#said?.memoryBytes ?? 0 }
    if (this.#verdict !== undefined) return { ...this.#verdict, ...used }
    if (this.#said !== undefined) return this.#said
    if (killedBy === 'SIGXCPU')
      return { outcome: 'hung', message: 'the system ended it for its processor time', ...used }
    const said = this.#stderr.trim().split('\n').at(-1) ?? ''
    if (killedBy === 'SIGKILL' || killedBy === 'SIGTERM' || killedBy === 'SIGINT')
      return { outcome: 'killed', message: `its process was ended by ${killedBy}`, ...used }
    return { outcome: 'crashed', message: `its process ended with ${killedBy ?? `code ${code}`}: ${said}`, ...used }
  }
}

/** What a sandbox says of itself; anything that it cannot know, or that has no sense, is a crash. */
function readEnd(text: string): SandboxEnd {
  const broken = {
    outcome: 'crashed',
    message: 'its process ended without saying how',
    cpuMs: 0,
    memoryBytes: 0,
  } as const
  try {
    const { outcome, message, cpuMs, memoryBytes, manifest }: Partial<SandboxEnd> = JSON.parse(text)
    if (outcome === undefined || !INNER_OUTCOMES.has(outcome) || typeof message !== 'string') return broken
    const used = { cpuMs: Number(cpuMs), memoryBytes: Number(memoryBytes) }
    return { outcome, message, ...used, ...(typeof manifest === 'string' ? { manifest } : {}) }
  } catch {
    return broken
  }
}

/** Processor time of a process; undefined where the system does not show it. */
function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command's name may hold blanks and brackets; what follows its last bracket does not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? (ticks * 1_000) / TICKS_A_SECOND : undefined
  } catch {
    // Gone, or another system than Linux.
    return undefined
  }
}
