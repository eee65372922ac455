/**
 * Delivery: one attempt to bring a subscriber what it has not been told yet, and what follows from the answer.
 *
 *   position ──▶ plan ──▶ content ──▶ envelope ──▶ request ──▶ verdict ──▶ the next row, durable
 *
 * The position moves when the subscriber has said that it took what was sent, and in no other way; so a kill at any moment
 * means at worst that something is sent twice. Where versions are remembered (differences, pages) it is written down before
 * a request that one is under way: if nobody knows how it ended, nobody can say which version of its pages is held.
 */
import { headerOf, retryAfter, textOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { DeliveryWorkerMemory } from './delivery-worker-memory.ts'
import type { DeliveryWorkerRow } from './delivery-worker-row.ts'
import { sentenceOf } from './dead-letters.ts'
import { afterAnswer, afterFailure, passedOver } from './delivery-consequence.ts'
import type { Attempt, Consequence } from './delivery-consequence.ts'
import { currentPosition, waitingPlan, planDelivery } from '../push/delivery-plan.ts'
import type { DeliveryPlan, PlanLimits, Position } from '../push/delivery-plan.ts'
import { deliveryVerdict } from './delivery-verdict.ts'
import type { DeliveryVerdict } from './delivery-verdict.ts'
import type { Change } from '../journal/journal.ts'
import { PostError } from '../post.ts'
import type { Post, PostAnswer } from '../post.ts'
import type { PublicView } from '../privacy/public-view.ts'
import { pushEnvelope } from '../push/push-envelope.ts'
import type { PushEnvelope } from '../push/push-envelope.ts'
import type { ContentMaker, PushContent, Subscriber } from '../hub/subscriber.ts'
import { conventionalBytes } from '../conventional-bytes.ts'
import { upload } from './upload.ts'

export interface DeliveryParts {
  readonly view: PublicView
  readonly memory: DeliveryWorkerMemory
  readonly post: Post
  readonly makerOf: (subscriber: Subscriber) => ContentMaker | undefined
  readonly now: () => Instant
  /** From 0 to 1. */
  readonly random: () => number
  readonly limits: DeliveryLimits
}

export interface DeliveryLimits {
  /** Changes in one notification. */
  readonly changes: number
  /** Pages in one delivery, and the sum of their sizes. */
  readonly pages: number
  readonly bytes: number
  /** Of pages in one part of a whole site, before packing. */
  readonly siteBytes: number
  readonly lookedAt: number
  /** Of an upload, in one request. */
  readonly partBytes: number
}

export const deliveryLimits: DeliveryLimits = {
  changes: 1_000,
  pages: 500,
  bytes: 8 << 20,
  siteBytes: 16 << 20,
  lookedAt: 50_000,
  partBytes: 4 << 20,
}

/** What one attempt was and cost. */
export interface DeliveryReport {
  readonly subscriber: Subscriber
  readonly at: Instant
  /** `nothing`: there was nothing to be told, and nobody was called. */
  readonly verdict: DeliveryVerdict | 'failed' | 'stopped' | 'nothing'
  /** Of the last answer; none when there was none. */
  readonly status?: number | undefined
  readonly requests: number
  /** Of bodies sent. */
  readonly bytes: number
  /** Processor time of this process meanwhile: exact when one delivery is made at a time, an upper bound otherwise. */
  readonly cpuMs: number
  /** Pages that the subscriber was told of, and what they are as whole bodies. */
  readonly pages: number
  readonly pageBytes: number
  /** What went wrong, as a sentence. */
  readonly trouble?: string | undefined
}

interface DeliveryOutcome {
  readonly report: DeliveryReport
  /** As it is remembered now; `ended` when the subscriber is none any more. */
  readonly row: DeliveryWorkerRow | 'ended'
}

/** One attempt. Rejects only when what has to be remembered cannot be. */
export async function deliver(
  parts: DeliveryParts,
  subscriber: Subscriber,
  row: DeliveryWorkerRow,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  return await new Delivery(parts, subscriber, row).run(signal)
}

class Delivery {
  readonly #parts: DeliveryParts
  readonly #subscriber: Subscriber
  readonly #before: DeliveryWorkerRow
  readonly #position: Position
  readonly #plan: DeliveryPlan
  readonly #maker: ContentMaker | undefined
  /** The row while the request is under way. */
  #row: DeliveryWorkerRow
  #requests = 0
  #bytes = 0

  constructor(parts: DeliveryParts, subscriber: Subscriber, row: DeliveryWorkerRow) {
    this.#parts = parts
    this.#subscriber = subscriber
    this.#before = row
    this.#maker = parts.makerOf(subscriber)
    this.#position = currentPosition(row.position, parts.view, parts.now())
    this.#plan =
      this.#maker?.isWaiting === undefined
        ? planDelivery(this.#position, parts.view, limitsOf(parts.limits, subscriber, row, this.#maker))
        : waitingPlan(parts.view)
    this.#row = { ...row, position: this.#position }
  }

  async run(signal: AbortSignal): Promise<DeliveryOutcome> {
    const cpu = process.cpuUsage()
    if (this.#plan.changes.length > 0 && isRemembering(this.#subscriber)) await this.#noteDoubt()
    const ending = await this.#ending(signal)
    const { user, system } = process.cpuUsage(cpu)
    const { verdict, status, told, consequence } = ending
    if (consequence !== undefined) await this.#parts.memory.commit(consequence.row, consequence)
    await ending.waitingDone?.()
    const report: DeliveryReport = {
      subscriber: this.#subscriber,
      at: this.#parts.now(),
      verdict,
      status,
      requests: this.#requests,
      bytes: this.#bytes,
      cpuMs: (user + system) / 1_000,
      pages: told.length,
      pageBytes: told.reduce(
        (sum, change) => sum + (change.change === 'deleted' ? 0 : conventionalBytes(change, true)),
        0,
      ),
      trouble: consequence?.row.trouble,
    }
    return { report, row: consequence?.row ?? 'ended' }
  }

  async #ending(signal: AbortSignal): Promise<Ending> {
    try {
      const content = await this.#content()
      if (content === undefined) return { verdict: 'nothing', told: [], consequence: passedOver(this.#attempt()) }
      return this.#answered(content, await this.#send(content, signal))
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** Before anything is sent: from now on until an answer nobody knows what the subscriber holds. */
  async #noteDoubt(): Promise<void> {
    const { doubtUpTo } = this.#before
    const isWalking = this.#position.walk !== undefined
    const upTo = isWalking ? this.#parts.view.journal.last : this.#plan.next.cursor
    this.#row = { ...this.#row, doubtUpTo: Math.max(upTo, doubtUpTo ?? 0) }
    if (doubtUpTo === undefined) return await this.#parts.memory.commit(this.#row)
    const holds = isWalking ? [] : this.#doubtful(doubtUpTo).map((path) => ({ path, deltas: 0 }))
    return await this.#parts.memory.commit(this.#row, { holds, isForgetful: isWalking })
  }

  /** Pages of an attempt that may have arrived, but for those that are now sent as they were then. */
  #doubtful(doubtUpTo: number): readonly string[] {
    const { cursor } = this.#position
    const attempted = this.#parts.view.journal.changesAfter(cursor, Math.max(0, doubtUpTo - cursor)) ?? []
    const { changes, repeated } = this.#plan
    const same = new Set(changes.map(({ path }) => path).filter((path) => !repeated.has(path)))
    return [...new Set(attempted.map(({ path }) => path))].filter((path) => !same.has(path))
  }

  async #content(): Promise<PushEnvelope | undefined> {
    const { changes } = this.#plan
    const hasNothing = changes.length === 0 && this.#maker?.isWaiting === undefined
    const made = hasNothing ? undefined : await this.#maker?.make(changes, this.#subscriber)
    return made === undefined ? undefined : await pushEnvelope(made, this.#subscriber, this.#row.isPlainOnly !== true)
  }

  async #send(content: PushEnvelope, signal: AbortSignal): Promise<PostAnswer> {
    const { address, by, scheme } = this.#subscriber
    const isOwners = by !== 'websub'
    const post: Post = async (request, stop) => {
      this.#requests++
      this.#bytes += request.body.length
      return await this.#parts.post(request, stop)
    }
    if (scheme !== 'site') {
      const headers = [['Content-Type', content.type] as const, ...content.headers]
      return await post({ url: address, method: 'POST', headers, body: content.body, isOwners }, signal)
    }
    const save = async (state: DeliveryWorkerRow['upload']): Promise<void> => {
      this.#row = { ...this.#row, upload: state }
      await this.#parts.memory.commit(this.#row)
    }
    const { partBytes } = this.#parts.limits
    return await upload({ post, address, isOwners, content, state: this.#row.upload, save, partBytes, signal })
  }

  #answered(content: PushEnvelope, { status, headers, body }: PostAnswer): Ending {
    const { isPacked, holds = [] } = content
    const hasDifferences = holds.some(({ deltas }) => deltas > 0)
    const verdict = deliveryVerdict(status, { by: this.#subscriber.by, isPacked, hasDifferences })
    if (verdict === 'ended') return { verdict, status, told: [], consequence: undefined }
    const said = sentenceOf(body)
    const refusal = {
      trouble: said === '' ? `It answered ${status}.` : `It answered ${status}: ${said}`,
      // A server that fails may have failed after it took what was sent.
      isCertain: status < 500,
      askedAt: retryAfter(headerOf(headers, 'retry-after'), this.#parts.now()),
      status,
      body,
    }
    const consequence = afterAnswer(verdict, this.#attempt(), content, refusal)
    const isDone = verdict === 'delivered' || (consequence.dead?.length ?? 0) > 0
    const waitingDone = isDone ? content.waiting?.done : undefined
    const told = verdict === 'delivered' ? toldOf(this.#plan, content) : []
    return { verdict, status, told, consequence, waitingDone }
  }

  #failed(error: unknown): Ending {
    const fault = error instanceof PostError ? error.fault : 'unmade'
    const trouble = error instanceof PostError ? error.message : `It could not be made: ${textOf(error)}`
    // We were told to stop: that is no fault of the subscriber's, and what is under way is in doubt.
    if (fault === 'stopped') return { verdict: 'stopped', told: [], consequence: { row: this.#row } }
    const consequence = afterFailure(this.#attempt(), { trouble, isCertain: NEVER_ARRIVED.has(fault) })
    return { verdict: 'failed', told: [], consequence }
  }

  #attempt(): Attempt {
    const { now, random } = this.#parts
    return { before: this.#before, under: this.#row, plan: this.#plan, at: now(), random: random() }
  }
}

/** How an attempt ended; without a consequence the subscriber is none any more. */
interface Ending {
  readonly verdict: DeliveryReport['verdict']
  readonly status?: number | undefined
  readonly told: readonly Change[]
  readonly consequence: Consequence | undefined
  readonly waitingDone?: (() => Promise<void>) | undefined
}

const NEVER_ARRIVED: ReadonlySet<string> = new Set(['no-address', 'address-refused', 'unreachable', 'unmade'])

/** Schemes whose content follows from what the subscriber holds. */
const isRemembering = ({ scheme, by }: Subscriber): boolean =>
  by !== 'indexnow' && (scheme === 'differences' || scheme === 'pages')

function limitsOf(
  limits: DeliveryLimits,
  { scheme }: Subscriber,
  { halvings, suspects = Infinity }: DeliveryWorkerRow,
  maker: ContentMaker | undefined,
): PlanLimits {
  const isContent = scheme !== 'changes' && scheme !== 'agent'
  const pages = Math.min(isContent ? limits.pages : limits.changes, maker?.maxChanges ?? Infinity)
  const bytes = scheme === 'site' ? limits.siteBytes : isContent ? limits.bytes : Infinity
  const share = 2 ** halvings
  return {
    pages: Math.max(1, Math.min(suspects, Math.floor((scheme === 'site' ? SITE_PAGES : pages) / share))),
    bytes: Math.max(1, Math.floor(bytes / share)),
    lookedAt: limits.lookedAt,
  }
}

/** In one package; more names than that make a manifest nobody likes to read. */
const SITE_PAGES = 10_000

/** Those of a plan that were in the content. */
function toldOf({ changes }: DeliveryPlan, content: PushContent | undefined): readonly Change[] {
  if (content?.waiting !== undefined) return content.waiting.pages
  if (content?.holds === undefined) return changes
  const paths = new Set(content.holds.map(({ path }) => path))
  return changes.filter(({ path }) => paths.has(path))
}
