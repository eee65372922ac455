/**
 * Control client: look at a crawl that runs in another process, and steer it. What can be asked is what `CrawlControl`
 * offers; answers come within a time limit, or the line counts as lost.
 */
import { textOf } from '@comity/protocol'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { ControlError, controlLost } from './control-error.ts'
import { socketPaths } from './socket.ts'
import { isObject, lineOf, linesOf, parseLine, readBudget } from './wire.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import type { AddedSeed, CrawlStatus } from './crawl-control.ts'
import type { CrawlSample } from './crawl-sample.ts'
import { NewestValue } from './newest-value.ts'

/** A running crawl, looked at. */
interface CrawlView {
  status(): Promise<CrawlStatus>
  /** Two a second, on a connection of its own, until the crawl ends. Who is slow misses some and sees the newest. */
  samples(): AsyncIterable<CrawlSample>
}

/** A running crawl, steered. */
interface CrawlSteering {
  /** Answers at once, with the state `pausing`; it is `paused` when the visits under way have ended. */
  pause(): Promise<CrawlStatus>
  resume(): Promise<CrawlStatus>
  /** Resolves when it is durable. */
  addSeed(url: string): Promise<AddedSeed>
  /** Infinity: no limit. */
  setBudget(budget: Partial<CrawlBudget>): Promise<CrawlBudget>
  stop(): Promise<CrawlStatus>
}

/** A line to a running crawl. Every method rejects with a `ControlError`: `CONTROL_LOST` when the crawl is gone. */
export interface CrawlLine extends CrawlView, CrawlSteering, Disposable {}

const CONNECT_MS = 2_000
/** A commit on a busy disk takes a second or two. */
const ANSWER_MS = 15_000
const WATCH_ID = 0

/**
 * A line to the crawl that writes the collection `dir` at this moment; undefined when there is none. Aborting closes it.
 */
export async function connectCrawl(dir: string, signal?: AbortSignal): Promise<CrawlLine | undefined> {
  for (const path of socketPaths(dir)) {
    const socket = await connectTo(path, signal)
    if (socket !== undefined) return new Line(path, socket, signal)
  }
  return undefined
}

const silent = (): ControlError => controlLost('The crawl does not answer.')

/** Nobody listens there: it never existed, its crawl was killed, or it is something else. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENOTSOCK'])

async function connectTo(path: string, signal?: AbortSignal): Promise<Socket | undefined> {
  signal?.throwIfAborted()
  const socket = connect(path)
  const limit = AbortSignal.timeout(CONNECT_MS)
  try {
    await once(socket, 'connect', { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) })
  } catch (error) {
    socket.destroy()
    signal?.throwIfAborted()
    if (NOBODY.has((error as { code?: unknown }).code)) return undefined
    throw controlLost(`${path} cannot be connected to.`, error)
  }
  // What breaks ends the reading of its lines, and is heard of there.
  socket.on('error', () => undefined)
  return socket
}

type Message = Readonly<Record<string, unknown>>

class Line implements CrawlLine {
  readonly #path: string
  readonly #socket: Socket
  readonly #over = new AbortController()
  readonly #open = new Map<number, PromiseWithResolvers<Message>>()
  #asked = WATCH_ID
  #lost: Error | undefined

  constructor(path: string, socket: Socket, signal?: AbortSignal) {
    this.#path = path
    this.#socket = socket
    signal?.addEventListener('abort', () => this[Symbol.dispose](), { once: true, signal: this.#over.signal })
    void this.#listen()
  }

  status(): Promise<CrawlStatus> {
    return this.#steer('status')
  }
  pause(): Promise<CrawlStatus> {
    return this.#steer('pause')
  }
  resume(): Promise<CrawlStatus> {
    return this.#steer('resume')
  }
  stop(): Promise<CrawlStatus> {
    return this.#steer('stop')
  }

  async addSeed(url: string): Promise<AddedSeed> {
    const { seed } = await this.#ask({ do: 'seed', url })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other end is this version of ourselves.
    return seed as AddedSeed
  }

  async setBudget(budget: Partial<CrawlBudget>): Promise<CrawlBudget> {
    const answer = await this.#ask({ do: 'budget', budget })
    return wholeBudget(answer['budget'])
  }

  async *samples(): AsyncGenerator<CrawlSample, void, undefined> {
    const { signal } = this.#over
    const socket = await connectTo(this.#path, signal).catch(() => undefined)
    if (socket === undefined) throw this.#lost ?? controlLost('The crawl has ended.')
    const newest = new NewestValue<CrawlSample>()
    const close = (): void => {
      newest.end()
      socket.destroy()
    }
    signal.addEventListener('abort', close)
    try {
      socket.write(lineOf({ id: WATCH_ID, do: 'watch' }))
      void readSamples(socket, newest)
      for (let sample = await newest.take(ANSWER_MS, silent); sample; sample = await newest.take(ANSWER_MS, silent)) {
        yield sample
      }
    } finally {
      signal.removeEventListener('abort', close)
      socket.destroy()
    }
  }

  [Symbol.dispose](): void {
    this.#over.abort()
    this.#socket.destroy()
    this.#lose(controlLost('The line was closed.'))
  }

  async #steer(verb: string): Promise<CrawlStatus> {
    const { status } = await this.#ask({ do: verb })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other end is this version of ourselves.
    const known = status as CrawlStatus
    return { ...known, budget: wholeBudget(known.budget) }
  }

  async #ask(request: object): Promise<Message> {
    if (this.#lost !== undefined) throw this.#lost
    const id = ++this.#asked
    const answer = Promise.withResolvers<Message>()
    this.#open.set(id, answer)
    const limit = setTimeout(() => answer.reject(silent()), ANSWER_MS)
    this.#socket.write(lineOf({ id, ...request }))
    try {
      return await answer.promise
    } finally {
      clearTimeout(limit)
      this.#open.delete(id)
    }
  }

  async #listen(): Promise<void> {
    try {
      for await (const line of linesOf(this.#socket)) this.#hear(parseLine(line))
      this.#lose(controlLost('The crawl has ended.'))
    } catch (error) {
      this.#lose(controlLost('The line to the crawl broke.', error))
    }
  }

  #hear(message: Message | undefined): void {
    const error = errorIn(message)
    const id = message?.['id']
    const answer = typeof id === 'number' ? this.#open.get(id) : undefined
    if (message === undefined || (answer === undefined && error !== undefined)) {
      this.#lose(error ?? controlLost('The crawl said what nobody understands.'))
      this.#socket.destroy()
    } else if (error === undefined) answer?.resolve(message)
    else answer?.reject(error)
  }

  #lose(error: Error): void {
    this.#lost ??= error
    for (const answer of this.#open.values()) answer.reject(this.#lost)
  }
}

/** Tell `newest` of every sample that comes. */
async function readSamples(socket: Socket, newest: NewestValue<CrawlSample>): Promise<void> {
  try {
    for await (const line of linesOf(socket)) {
      const message = parseLine(line)
      const error = errorIn(message)
      if (error !== undefined) return newest.end(error)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other end is this version of ourselves.
      if (message !== undefined) newest.put(message['sample'] as CrawlSample)
    }
    newest.end()
  } catch (error) {
    newest.end(controlLost('The line to the crawl broke.', error))
  }
}

function errorIn(message: Message | undefined): ControlError | undefined {
  const error = message?.['error']
  if (!isObject(error)) return undefined
  return new ControlError(textOf(error['code']), textOf(error['message']))
}

function wholeBudget(budget: unknown): CrawlBudget {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other end is this version of ourselves.
  return readBudget(isObject(budget) ? budget : {}) as CrawlBudget
}
