/**
 * ShardTasks: commands on the folder of a shard, run by the machine that has it, in processes of their own, so that no long look keeps
 * the machine from renewing what it holds. What they print is asked for piece by piece: who asks slowly slows the process, and who asks
 * no more ends it.
 *
 *   begin  token task         made into words of a command line here; what is no such task is refused
 *   next   token n            the n-th piece; asked for again, the same again
 *   end    token
 *
 * A token is chosen by who asks, so that a question that came twice begins one task.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCount, isRecordOf, isText } from '@comity/collection'
import { messageOf } from '@comity/protocol'
import type { Message, Road } from '../road/road.ts'

/** A process to be started on a shard's folder. */
export interface ShardCommand {
  readonly program: string
  readonly words: readonly string[]
  /** It writes there, so nobody else may. */
  readonly writes: boolean
}

/** In a process of its own, without our own variables, which say what a machine is to do. Programs that start often are compiled once. */
export function startCommand(
  { program, words }: ShardCommand,
  cacheDir: string,
): ChildProcessByStdio<null, Readable, Readable> {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('COMITY_'))
  const env = { NODE_COMPILE_CACHE: cacheDir, ...Object.fromEntries(clean) }
  return spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env })
}

/** In the machine's folder: nobody else may write what it runs. */
export const compileCacheOf = (machineDir: string): string => join(machineDir, 'compile-cache')

/** Undefined for what is no task. */
export type CommandOf = (dir: string, task: Message) => ShardCommand | undefined

/** A shard, as a task needs it. */
export interface TaskPlace {
  readonly shard: number
  readonly epoch: number
  readonly dir: string
  readonly isHeld: () => boolean
  /** Resolves when its folder is as its owner has it. */
  readonly ready: () => Promise<void>
  /** The same, with nobody else at work there until it is disposed of. Rejects while it is crawled. */
  readonly alone: () => Promise<Disposable>
}

export const workPlace = (shard: number): string => `work.${shard}`

/** Processes of a machine at once; whoever comes then is told to come again. */
const MAX_TASKS = 4
const MAX_TOKEN_CHARS = 64
/** A piece that takes longer is answered by an empty one. */
const PIECE_MS = 1_500
const IDLE_MS = 60_000
const MAX_SAID_CHARS = 2_000

const isToken = (value: unknown): value is string => isText(value) && (value as string).length <= MAX_TOKEN_CHARS
const isNext = isRecordOf({ token: isToken, n: isCount })

class ShardTask {
  readonly #place: TaskPlace
  readonly #command: ShardCommand
  readonly #pieces: AsyncGenerator<string>
  #child: ChildProcess | undefined
  #coming: Promise<IteratorResult<string>> | undefined
  #n = 0
  #answer: Promise<Message> | undefined
  #said = ''
  #code: number | null = null
  lastAskedAt: number = performance.now()

  constructor(place: TaskPlace, command: ShardCommand) {
    this.#place = place
    this.#command = command
    this.#pieces = this.#output()
  }

  get place(): TaskPlace {
    return this.#place
  }

  /** The piece of this number: the one after the last, or the last once more. */
  async next(n: number): Promise<Message | undefined> {
    this.lastAskedAt = performance.now()
    if (n === this.#n + 1) {
      this.#n = n
      this.#answer = this.#piece(n)
    }
    return n === this.#n ? await this.#answer : undefined
  }

  end(): void {
    this.#child?.kill('SIGTERM')
    this.#child?.stdout?.destroy()
  }

  async #piece(n: number): Promise<Message> {
    this.#coming ??= this.#pieces.next()
    try {
      const come = await Promise.race([this.#coming, sleep(PIECE_MS)])
      if (come === undefined) return { n, text: '', isOver: false }
      this.#coming = undefined
      if (come.done !== true) return { n, text: come.value, isOver: false }
      return { n, text: '', isOver: true, code: this.#code ?? 1, said: this.#said }
    } catch (error) {
      return { n, text: '', isOver: true, code: 1, said: messageOf(error) }
    }
  }

  async *#output(): AsyncGenerator<string> {
    await this.#place.ready()
    using _ = this.#command.writes ? await this.#place.alone() : undefined
    const child = startCommand(this.#command, compileCacheOf(dirname(this.#place.dir)))
    this.#child = child
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-MAX_SAID_CHARS)
    })
    const closed = once(child, 'close')
    for await (const text of child.stdout.setEncoding('utf8')) yield text as string
    ;[this.#code] = (await closed) as [number | null]
  }
}

/** The tasks on a machine's shards. */
export class ShardTasks {
  readonly #road: Road
  readonly #commandOf: CommandOf
  readonly #places = new Map<number, { readonly epoch: number; readonly end: () => void }>()
  readonly #tasks = new Map<string, ShardTask>()

  constructor(road: Road, commandOf: CommandOf) {
    this.#road = road
    this.#commandOf = commandOf
  }

  /** To be called whenever shards may have come or gone. */
  turn(held: readonly TaskPlace[]): void {
    const now = performance.now()
    for (const [token, task] of this.#tasks)
      if (!task.place.isHeld() || now - task.lastAskedAt > IDLE_MS) this.#end(token)
    const epochs = new Map(held.map(({ shard, epoch }) => [shard, epoch]))
    for (const [shard, { epoch, end }] of this.#places) {
      if (epochs.get(shard) === epoch) continue
      this.#places.delete(shard)
      end()
    }
    for (const place of held) {
      const { shard, epoch } = place
      if (this.#places.has(shard)) continue
      const end = this.#road.answerAt(workPlace(shard), (message) => this.#answered(place, message))
      this.#places.set(shard, { epoch, end })
    }
  }

  [Symbol.dispose](): void {
    for (const { end } of this.#places.values()) end()
    for (const token of this.#tasks.keys()) this.#end(token)
  }

  async #answered(place: TaskPlace, message: Message): Promise<Message | undefined> {
    const { kind, token } = message
    if (!place.isHeld() || !isToken(token)) return undefined
    if (kind === 'begin') return this.#begin(place, token, message)
    if (kind === 'next' && isNext(message))
      return this.#tasks.has(token) ? await this.#tasks.get(token)!.next(message['n'] as number) : { unknown: true }
    if (kind === 'end') this.#end(token)
    return kind === 'end' ? {} : undefined
  }

  #begin(place: TaskPlace, token: string, { task }: Message): Message {
    if (this.#tasks.has(token)) return { begun: true }
    if (this.#tasks.size >= MAX_TASKS) return { busy: true }
    const command = typeof task === 'object' && task !== null ? this.#commandOf(place.dir, task as Message) : undefined
    if (command === undefined) return { refused: true }
    this.#tasks.set(token, new ShardTask(place, command))
    return { begun: true }
  }

  #end(token: string): void {
    this.#tasks.get(token)?.end()
    this.#tasks.delete(token)
  }
}
