/**
 * GatewayProgram: rules of the search engine that a gateway runs on pages before it indexes them (001 §I: nodes accept the code
 * when their operators choose to). A program is a remote agent like those of sites, in the same sandbox, bundle and store;
 * only keys that the operator trusts can have signed it (`docs/agent.md`). It sees pages that passed the gate, and nothing
 * else of what passes.
 *
 *   page ─▶ waits ─▶ run over some pages ─▶ no record: index · meta with `skip`: leave out · postings: index that instead
 *
 * A run that ends in a fault is repeated page by page, so that one page cannot take a program away from all others: such a
 * page is left out. A version that fails three times in a row is withdrawn, and the one before takes over; without one, the
 * gateway's own rules are all there is.
 */
import { readFileSync } from 'node:fs'
import {
  AgentError,
  chosenVersion,
  defaultCaps,
  isFault,
  MemoryPages,
  readResult,
  runInstalled,
  takeResult,
} from '@comity/agent'
import type { AgentCaps, AgentRecord, AgentStore, DayCaps, InstalledRun } from '@comity/agent'
import { shippedFromRecord } from '@comity/index'
import type { ShippedDocument } from '@comity/index'
import { faultFigure, headerOf, isFaultFigure, messageOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { typeOf } from './page-words.ts'
import type { SeenPage } from './page-words.ts'

export type Judgement =
  | { readonly kind: 'index' }
  /** The reason is one of a batch's figures: lower-case letters, digits and dashes. */
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'replace'; readonly document: ShippedDocument }

/** What a gateway asks of each page that is new or changed. */
export interface PageProgram {
  /** Never rejects. */
  judge(page: SeenPage): Promise<Judgement>
  /** Faults since this was last asked, as figures of a batch. */
  takeFaults(): Readonly<Record<string, number>>
}

export interface GatewayProgramOptions {
  readonly now: () => Instant
  /** Of one run; what its manifest asks for counts where it is less. */
  readonly caps?: AgentCaps | undefined
  readonly dayCaps?: DayCaps | undefined
  /** Of one run, and of those that wait: what comes beyond is left out until it comes by again. */
  readonly maxPages?: number | undefined
  readonly maxWaiting?: number | undefined
  readonly maxWaitingBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** What the operator should know. */
  readonly tell?: ((sentence: string) => void) | undefined
}

/** Of a gateway: runs all day, and half a core at the most. */
const programDayCaps: DayCaps = { runs: 1_000_000, cpuMs: 43_200_000, readBytes: 2 ** 42, outputBytes: 2 ** 40 }
const MAX_PAGES = 64
const MAX_WAITING = 1_024
const MAX_WAITING_BYTES = 64 << 20

const INDEX: Judgement = { kind: 'index' }
const skip = (reason: string): Judgement => ({ kind: 'skip', reason })
const REASON = /^[a-z][a-z0-9-]{0,30}$/

interface Waiting {
  readonly page: SeenPage
  readonly resolve: (judgement: Judgement) => void
  /** Of a run that failed: judged by itself now. */
  readonly isAlone: boolean
}

export class GatewayProgram implements PageProgram {
  readonly figures: { judged: number; skipped: number; replaced: number; runs: number; faults: number } = {
    judged: 0,
    skipped: 0,
    replaced: 0,
    runs: 0,
    faults: 0,
  }
  readonly #store: AgentStore
  readonly #name: string
  readonly #options: GatewayProgramOptions
  #waiting: Waiting[] = []
  #bytes = 0
  #isRunning = false
  #faults = new Map<string, number>()

  constructor(store: AgentStore, name: string, options: GatewayProgramOptions) {
    this.#store = store
    this.#name = name
    this.#options = options
  }

  /** Faults since this was last asked, as figures of a batch: `program-fault-` and how the version's digest begins. */
  takeFaults(): Readonly<Record<string, number>> {
    const faults = Object.fromEntries(this.#faults)
    this.#faults = new Map()
    return faults
  }

  async judge(page: SeenPage): Promise<Judgement> {
    const { maxWaiting = MAX_WAITING, maxWaitingBytes = MAX_WAITING_BYTES } = this.#options
    if (this.#waiting.length >= maxWaiting || this.#bytes + page.body.length > maxWaitingBytes) return skip('busy')
    const judged = await new Promise<Judgement>((resolve) => {
      this.#waiting.push({ page, resolve, isAlone: false })
      this.#bytes += page.body.length
      if (!this.#isRunning) void this.#runAll()
    })
    this.#bytes -= page.body.length
    this.figures.judged++
    if (judged.kind === 'skip') this.figures.skipped++
    if (judged.kind === 'replace') this.figures.replaced++
    return judged
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    // What comes in this very moment goes along.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#runSome(this.#nextPages())
    this.#isRunning = false
  }

  /** Each URL once: a run knows pages by them. */
  #nextPages(): Waiting[] {
    const { maxPages = MAX_PAGES } = this.#options
    const most = this.#waiting[0]!.isAlone ? 1 : maxPages
    const chosen = new Map<string, Waiting>()
    const left: Waiting[] = []
    for (const one of this.#waiting) {
      const isTaken = chosen.size < most && !chosen.has(one.page.url) && (most === 1 || !one.isAlone)
      if (isTaken) chosen.set(one.page.url, one)
      else left.push(one)
    }
    this.#waiting = left
    return [...chosen.values()]
  }

  async #runSome(some: readonly Waiting[]): Promise<void> {
    const run = await this.#run(some).catch((error: unknown) => this.#without(error))
    if ('kind' in run) return settle(some, run)
    if (run.outcome === 'done') {
      const judged = this.#judged(run, some)
      if (judged instanceof Map) for (const { page, resolve } of some) resolve(judged.get(page.url) ?? INDEX)
      else settle(some, judged)
      return
    }
    if (run.outcome === 'day-spent') return settle(some, skip('program-spent'))
    if (!isFault(run.outcome)) return settle(some, skip('program-stopped'))
    if (some.length === 1) return settle(some, skip('program-failed'))
    this.#waiting.unshift(...some.map((one) => ({ ...one, isAlone: true })))
  }

  async #run(some: readonly Waiting[]): Promise<InstalledRun> {
    const { now, caps = defaultCaps, dayCaps = programDayCaps, signal, tell } = this.#options
    const pages = new MemoryPages()
    for (const { page } of some) pages.add(page.url, page.body, typeOf(page.headers), modifiedAt(page))
    const choice = chosenVersion(this.#store.agent(this.#name), now())
    const run = await runInstalled(this.#store, this.#name, { pages, at: now(), caps, dayCaps, signal })
    this.figures.runs++
    if (!isFault(run.outcome)) return run
    this.figures.faults++
    const digest = choice.kind === 'version' ? choice.version.digest : ''
    const figure = faultFigure(digest)
    this.#faults.set(figure, (this.#faults.get(figure) ?? 0) + 1)
    tell?.(`Program ${this.#name} ${run.version} failed on ${some.length} pages: ${run.outcome} ${run.message}`)
    return run
  }

  /** Where no version runs, the gateway's own rules are all there is; in any other trouble nothing is indexed against rules. */
  #without(error: unknown): Judgement {
    if (error instanceof AgentError && (error.code === 'AGENT_IDLE' || error.code === 'AGENT_UNKNOWN')) return INDEX
    this.#options.tell?.(`Program ${this.#name} could not be run: ${messageOf(error)}`)
    return skip('program-unavailable')
  }

  #judged(run: InstalledRun, some: readonly Waiting[]): Map<string, Judgement> | Judgement {
    try {
      return this.#heard(run, some)
    } catch (error) {
      return this.#without(error)
    }
  }

  #heard({ file, number }: InstalledRun, some: readonly Waiting[]): Map<string, Judgement> {
    if (file === undefined) return new Map()
    const read = readResult(readFileSync(file, 'utf8'))
    takeResult(this.#store, this.#name, number)
    const pages = new Map(some.map(({ page }) => [page.url, page]))
    const judged = new Map<string, Judgement>()
    if (read.kind === 'refused') return judged
    for (const { record } of read.result.records) {
      const page = pages.get(record.url)
      if (page === undefined) continue
      const judgement = judgementOf(record, page)
      // Of several, the strictest counts.
      if (judgement !== undefined && judged.get(record.url)?.kind !== 'skip') judged.set(record.url, judgement)
    }
    return judged
  }
}

const settle = (some: readonly Waiting[], judgement: Judgement): void => {
  for (const { resolve } of some) resolve(judgement)
}

function judgementOf(record: AgentRecord, { digest, at }: SeenPage): Judgement | undefined {
  const { skip: why } = record
  if (record.kind === 'meta' && why !== undefined && why !== false) {
    const reason = typeof why === 'string' && REASON.test(why) ? `program-${why}`.slice(0, 40) : 'program'
    // No program says that another one failed.
    return skip(isFaultFigure(reason) ? 'program' : reason)
  }
  if (record.kind !== 'postings') return undefined
  const read = shippedFromRecord(record, `sha-256:${digest}`, at)
  return read.kind === 'document' ? { kind: 'replace', document: read.document } : skip('program-unreadable')
}

function modifiedAt({ headers, at }: SeenPage): Instant {
  const said = Date.parse(headerOf(headers, 'last-modified') ?? '')
  return Number.isNaN(said) ? at : Math.min(said, at)
}
