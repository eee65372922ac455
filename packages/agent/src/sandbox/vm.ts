/**
 * Sandbox VM: QuickJS in WebAssembly, with nothing in it but the language, the prelude and the agent.
 *
 * Its memory is given a maximum that it cannot grow beyond. QuickJS's own limit is no help: built for WebAssembly it counts
 * a few bytes for an allocation, whatever its size. Its clock is asked every few thousand steps, and when it says stop, the
 * program ends wherever it is, with no way to catch that. What breaks the VM itself (an overflow of the stack below it, a
 * trap) ends the run: its state means nothing afterwards.
 */
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import type {
  CustomizeVariantOptions,
  Intrinsics,
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { LEAST_MEMORY } from '../bundle/caps.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import { PRELUDE } from './prelude.ts'
import type { SandboxJob } from './wire.ts'

/** Of the platform, but not in the types of Node. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
}
/** Its types are those of a CommonJS module; what is imported is the other one. */
const VARIANT = variant as unknown as QuickJSSyncVariant

/** What the VM may call: a question and its JSON, answered in JSON or bytes. */
interface SandboxCalls {
  ask(question: string, text: string): string
  bytes(text: string): ArrayBuffer | undefined
  /** Nobody answers any more: the program is to end wherever it is. */
  isGone?(): boolean
}

interface VmLimits {
  readonly cpuMs: number
  readonly memoryBytes: number
  /** Processor time of this process until now. */
  readonly cpuNow: () => number
}

export interface VmEnd {
  readonly outcome: AgentOutcome
  readonly message: string
  readonly memoryBytes: number
  readonly manifest?: string | undefined
}

const PAGE = 64 << 10
/** Of QuickJS's own stack, well below what V8 has for the calls of WebAssembly. */
const STACK_BYTES = 256 << 10
const COPIES = 4
const ROOM_TO_SPARE = 4_096
const MAX_MESSAGE = 500
/** Memory grows in steps; one that cannot be taken any more is near the end. */
const NEARLY = 0.8

/** All of the language but its clock. */
const INTRINSICS: Intrinsics = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
  BigInt: true,
}

/** Runs one program to its end, whatever that is. */
export async function runInVm(job: VmJob, calls: SandboxCalls, limits: VmLimits): Promise<VmEnd> {
  const pages = Math.max(Math.floor(limits.memoryBytes / PAGE), LEAST_MEMORY / PAGE)
  const wasmMemory = new WebAssembly.Memory({ initial: LEAST_MEMORY / PAGE, maximum: pages })
  const options = { wasmMemory } as unknown as CustomizeVariantOptions
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, options))
  const run = new VmRun(quickjs.newRuntime(), calls, limits, () => wasmMemory.buffer.byteLength)
  const end = run.runToEnd(job)
  return { ...end, memoryBytes: wasmMemory.buffer.byteLength }
}

type VmJob = Pick<SandboxJob, 'task' | 'source' | 'perPage'>
type Ended = Pick<VmEnd, 'outcome' | 'message' | 'manifest'>

/** The VM is never disposed of: its process ends with it. */
class VmRun {
  readonly #vm: QuickJSContext
  readonly #calls: SandboxCalls
  readonly #stopAt: number
  readonly #cpuNow: () => number
  readonly #isFull: () => boolean
  #hasRoom: QuickJSHandle | undefined
  /** Why the program is being stopped. */
  #fault: Ended | undefined

  constructor(runtime: QuickJSRuntime, calls: SandboxCalls, limits: VmLimits, memoryNow: () => number) {
    const { cpuMs, cpuNow, memoryBytes } = limits
    this.#vm = runtime.newContext({ intrinsics: INTRINSICS })
    this.#calls = calls
    this.#cpuNow = cpuNow
    this.#stopAt = cpuNow() + cpuMs
    this.#isFull = () => memoryNow() > memoryBytes * NEARLY
    runtime.setMaxStackSize(STACK_BYTES)
    runtime.setInterruptHandler(() => this.#mustStop())
  }

  runToEnd(job: VmJob): Ended {
    try {
      const manifest = this.#run(job)
      return this.#fault ?? { outcome: 'done', message: '', manifest }
    } catch (error) {
      return this.#fault ?? brokenBy(error, this.#isFull())
    }
  }

  #run({ task, source, perPage }: VmJob): string | undefined {
    const vm = this.#vm
    const prelude = vm.unwrapResult(vm.evalCode(PRELUDE, 'prelude.js', { type: 'global' }))
    const made = vm.unwrapResult(vm.callFunction(prelude, vm.undefined, ...this.#hostFunctions()))
    this.#hasRoom = vm.getProp(made, 'hasRoom')
    const program = vm.evalCode(source, 'agent.js', { type: 'module' })
    if (program.error !== undefined) return this.#failedToLoad(program.error)
    if (vm.getPromiseState(program.value).type !== 'fulfilled')
      return this.#stop('bad-program', 'it awaits at its top level: an agent must not be asynchronous')
    const called = vm.callFunction(vm.getProp(made, task), vm.undefined, program.value, perPage ? vm.true : vm.false)
    if (called.error !== undefined) return this.#failed(called.error)
    return task === 'describe' ? vm.getString(called.value) : undefined
  }

  #hostFunctions(): [ask: QuickJSHandle, bytes: QuickJSHandle] {
    const vm = this.#vm
    const ask = vm.newFunction('ask', (question, text) => {
      const answer = this.#asked(vm.getString(question), vm.getString(text))
      return this.#fits(Buffer.byteLength(answer)) ? vm.newString(answer) : vm.null
    })
    const bytes = vm.newFunction('bytes', (text) => {
      const body = this.#calls.bytes(vm.getString(text))
      return body !== undefined && this.#fits(body.byteLength) ? vm.newArrayBuffer(body) : vm.null
    })
    return [ask, bytes]
  }

  /**
   * Is there memory to hand over so many bytes? The library that does it writes to wherever its allocation returns, also to
   * nowhere; so the VM is asked to allocate as much first. A text is there as bytes, as a string, and parsed.
   */
  #fits(bytes: number): boolean {
    const vm = this.#vm
    using wanted = vm.newNumber(bytes * COPIES + ROOM_TO_SPARE)
    using answer = vm.callFunction(this.#hasRoom!, vm.undefined, wanted)
    const hasRoom = answer.error === undefined && vm.sameValue(answer.value, vm.true)
    if (!hasRoom) this.#stop('too-large', `there is no memory left for an answer of ${bytes} bytes`)
    return hasRoom
  }

  #asked(question: string, text: string): string {
    if (question !== 'bad-program') return this.#calls.ask(question, text)
    this.#stop('bad-program', text)
    throw new Error(text)
  }

  #mustStop(): boolean {
    if (this.#fault === undefined && this.#cpuNow() > this.#stopAt)
      this.#stop('too-slow', 'its processor time is used up')
    return this.#fault !== undefined || this.#calls.isGone?.() === true
  }

  #stop(outcome: AgentOutcome, message: string): undefined {
    this.#fault ??= { outcome, message: message.slice(0, MAX_MESSAGE) }
  }

  /** What is wrong before anything ran is the program's form. */
  #failedToLoad(error: QuickJSHandle): undefined {
    const told = this.#told(error)
    const isForm = /^(?:SyntaxError|ReferenceError: could not load module)/.test(told)
    if (isForm) this.#stop('bad-program', told)
    else this.#failed(error)
  }

  #failed(error: QuickJSHandle): undefined {
    const told = this.#told(error)
    // Where there was no memory left for an error either, null was thrown.
    const isOut = told === 'null' && this.#isFull()
    if (isOut || /^InternalError: (?:out of memory|string too long)/.test(told)) this.#stop('too-large', told)
    else if (told.startsWith('InternalError: stack overflow')) this.#stop('too-deep', told)
    else this.#stop('threw', told)
  }

  /** An error in words. Asking it runs code of the agent's, so it may fail or be stopped, too. */
  #told(error: QuickJSHandle): string {
    const dumped: unknown = this.#vm.dump(error)
    if (typeof dumped !== 'object' || dumped === null) return wordOf(dumped).slice(0, MAX_MESSAGE)
    const { name, message, stack } = dumped as { name?: unknown; message?: unknown; stack?: unknown }
    if (name === undefined && message === undefined) return wordOf(dumped).slice(0, MAX_MESSAGE)
    const place = /\(?(agent\.js:\d+:\d+)\)?/.exec(wordOf(stack))?.[1]
    return `${wordOf(name)}: ${wordOf(message)}${place === undefined ? '' : ` (${place})`}`.slice(0, MAX_MESSAGE)
  }
}

/** Something that has no text is told as what it is. Nothing is imported for it: a sandbox may read this folder alone. */
function wordOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return value instanceof Error ? `${value.name}: ${value.message}` : (JSON.stringify(value) ?? typeof value)
  } catch {
    return 'an object'
  }
}

/** What went through WebAssembly from below. */
function brokenBy(error: unknown, isFull: boolean): Ended {
  const message = wordOf(error).slice(0, MAX_MESSAGE)
  if (error instanceof RangeError && /call stack/.test(error.message)) return { outcome: 'too-deep', message }
  // At the very end of its memory even a call of the library may fail, and does not look whether it did.
  return { outcome: isFull ? 'too-large' : 'crashed', message }
}
