/**
 * ReceiverThread: a receiver on a thread of its own, so that a storm of notices costs the crawl's loop nothing but what was
 * accepted. Parsing, verifying, writing and refusing all happen there; proofs are fetched here, by whoever is polite.
 *
 * A thread that dies fails what was asked of it and all that is asked afterwards: nothing that was accepted is lost, but
 * nothing more comes in until the process is started again; `onEnd` hears of it, and whoever listens for nobody ends.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import type { Appended, InboxItem, NewInboxItem, Subscription, SubscriptionWish } from '@comity/collection'
import type { SitePushes } from './admit/push-figures.ts'
import { errorOf } from './receiver-call.ts'
import type { ReceiverMessage, ReceiverMethod, ReceiverReport } from './receiver-call.ts'
import type { ListenOptions } from './http/listen-at.ts'
import type { ReceiverFigures, ReceiverPort, ReceiverSettings } from './port.ts'
import type { FetchedFrom, FetchFrom } from './proof/speaker-proof.ts'

export interface ReceiverThreadWorld {
  readonly fetchFrom: FetchFrom
  /** Something was kept; called with the last number, not for each. */
  readonly onKept?: ((last: number) => void) | undefined
  /** Hears of bugs of ours, and of a disk that fails. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** The thread ended by itself. */
  readonly onEnd?: ((error: Error) => void) | undefined
  /** What the operator should know, and is no error of ours. */
  readonly tell?: ((sentence: string) => void) | undefined
  /** Of the thread's own memory, besides the bodies that limits are for. */
  readonly maxHeapMb?: number | undefined
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

const MAX_HEAP_MB = 512

export class ReceiverThread implements ReceiverPort {
  readonly #world: ReceiverThreadWorld
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #end: Error | undefined
  #isClosing = false

  constructor(settings: ReceiverSettings, world: ReceiverThreadWorld) {
    this.#world = world
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: world.maxHeapMb ?? MAX_HEAP_MB },
    })
    this.#worker.on('message', (message: ReceiverReport) => this.#hear(message))
    this.#worker.on('error', (error) => this.#ended(error as Error))
    this.#worker.on('exit', () => this.#ended(new Error("the receiver's thread has ended")))
  }

  listen(options: ListenOptions = {}): Promise<AddressInfo> {
    return this.#ask('listen', options)
  }
  read(after: number, limit: number): Promise<InboxItem[]> {
    return this.#ask('read', after, limit)
  }
  acknowledged(upTo: number): Promise<void> {
    return this.#ask('acknowledged', upTo)
  }
  append(item: NewInboxItem): Promise<Appended> {
    return this.#ask('append', item)
  }
  subscribe(wish: SubscriptionWish): Promise<Subscription | undefined> {
    return this.#ask('subscribe', wish)
  }
  leave(token: string): Promise<Subscription | undefined> {
    return this.#ask('leave', token)
  }
  subscriptions(): Promise<Subscription[]> {
    return this.#ask('subscriptions')
  }
  setPriorities(rows: readonly (readonly [origin: string, worth: number])[]): Promise<void> {
    return this.#ask('setPriorities', rows)
  }
  figures(): Promise<ReceiverFigures> {
    return this.#ask('figures')
  }
  site(origin: string): Promise<SitePushes | undefined> {
    return this.#ask('site', origin)
  }

  /** Let what comes in finish, and close. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#end !== undefined) return
    this.#isClosing = true
    const exited = once(this.#worker, 'exit')
    this.#post({ kind: 'close' })
    await exited
  }

  #ask<Value>(method: ReceiverMethod, ...args: readonly unknown[]): Promise<Value> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the method of this name.
      this.#waiting.set(id, { resolve: (value) => resolve(value as Value), reject })
      this.#post({ kind: 'call', id, method, args })
    })
  }

  #hear(message: ReceiverReport): void {
    if (message.kind === 'kept') this.#world.onKept?.(message.last)
    else if (message.kind === 'trouble') this.#world.onError?.(errorOf(message.fault))
    else if (message.kind === 'told') this.#world.tell?.(message.sentence)
    else if (message.kind === 'fetch') void this.#fetch(message.id, message.origin, message.path)
    else {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.kind === 'failed') waiting?.reject(errorOf(message.fault))
      else waiting?.resolve(message.value)
    }
  }

  async #fetch(id: number, origin: string, path: string): Promise<void> {
    let fetched: FetchedFrom
    try {
      fetched = await this.#world.fetchFrom(origin, path)
    } catch (error) {
      fetched = { problem: (error as Error).message }
    }
    if (this.#end === undefined) this.#post({ kind: 'fetched', id, fetched })
  }

  #post(message: ReceiverMessage): void {
    this.#worker.postMessage(message, [])
  }

  #ended(error: Error): void {
    if (this.#end !== undefined) return
    this.#end = error
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const waiting of lost) waiting.reject(error)
    if (!this.#isClosing) this.#world.onEnd?.(error)
  }
}
