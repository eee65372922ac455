/**
 * SurveyThread: a surveyor on a thread of its own, so that walking through a million pages stops no search.
 *
 * A thread that dies fails what was asked of it; the next question starts another.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { GraphModel } from './models.ts'
import type {
  CooperatingQuery,
  CooperatingSites,
  ReadingSurveyed,
  SiteChoice,
  SiteList,
  SitesQuery,
  Standing,
  SurveyedSite,
  SurveyPort,
  SurveyStatistics,
} from '../ports.ts'
import { CLOSE } from './survey-call.ts'
import type { SurveyCall, SurveyMethod, SurveyReply, SurveyThreadData } from './survey-call.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** More than this is asked only by somebody who does not wait for replies. */
const MAX_WAITING = 1_000

export class SurveyThread implements SurveyPort {
  readonly #data: SurveyThreadData
  #worker: Worker | undefined
  #waiting = new Map<number, Waiting>()
  #nextId = 1
  #isClosed = false

  constructor(data: SurveyThreadData) {
    this.#data = data
  }

  statistics(): Promise<SurveyStatistics> {
    return this.#ask('statistics')
  }
  sites(query: SitesQuery): Promise<SiteList> {
    return this.#ask('sites', query)
  }
  site(origin: string): Promise<SurveyedSite | undefined> {
    return this.#ask('site', origin)
  }
  cooperating(query: CooperatingQuery): Promise<CooperatingSites> {
    return this.#ask('cooperating', query)
  }
  find(url: string): Promise<number | undefined> {
    return this.#ask('find', url)
  }
  standing(page: number): Promise<Standing | undefined> {
    return this.#ask('standing', page)
  }
  linksIn(page: number, limit: number): Promise<{ from: readonly number[]; more: boolean }> {
    return this.#ask('linksIn', page, limit)
  }
  graph(show: SiteChoice): Promise<GraphModel> {
    return this.#ask('graph', show)
  }
  reading(): Promise<ReadingSurveyed> {
    return this.#ask('reading')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (worker === undefined) return
    const ended = once(worker, 'exit')
    // Whoever waits for the end of a thread that keeps no process alive might wait for ever.
    worker.ref()
    worker.postMessage(CLOSE, [])
    await ended
  }

  #ask<Value>(method: SurveyMethod, ...args: readonly unknown[]): Promise<Value> {
    if (this.#isClosed) return Promise.reject(new Error('the survey was closed'))
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new Error('the survey has too many questions waiting'))
    const worker = (this.#worker ??= this.#start())
    const call: SurveyCall = { id: this.#nextId++, method, args }
    return new Promise((resolve, reject) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread runs the method of this name.
      this.#waiting.set(call.id, { resolve: (value) => resolve(value as Value), reject })
      worker.ref()
      worker.postMessage(call, [])
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./survey-worker.ts', import.meta.url), { workerData: this.#data })
    worker.on('message', (reply: SurveyReply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if ('error' in reply) waiting?.reject(reply.error)
      else waiting?.resolve(reply.value)
      // A thread that has nothing to say must not keep the process alive.
      if (this.#waiting.size === 0 && !this.#isClosed) worker.unref()
    })
    const end = (error: Error): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      const lost = this.#waiting
      this.#waiting = new Map()
      for (const waiting of lost.values()) waiting.reject(error)
    }
    worker.on('error', (error) => end(error as Error))
    worker.on('exit', () => end(new Error("the survey's thread has ended")))
    return worker
  }
}
