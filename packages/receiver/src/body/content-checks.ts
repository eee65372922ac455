/**
 * ContentChecks: what sites sent is looked into on a thread of its own, as the receiver's serves everybody: whoever sends
 * something that takes long to read makes only those wait who send such things, too. A small notice is read at once; what is
 * packed, or large, is not. One that takes too long is refused as `too-much-work` (`documents/guarded-thread.ts` of ingest of `crawler`).
 */
import { digestUnpackedBatch } from '@comity/ingest'
import type { GatewayDigest, UnpackedBatchLimits } from '@comity/ingest'
import { GuardedThread } from '@comity/ingest/internal'
import type { GuardedThreadOptions } from '@comity/ingest/internal'
import { packingOf, TOO_MUCH_WORK } from '@comity/protocol'
import { checkContent } from './pushed-content.ts'
import type { CheckedContent, ContentBody, ContentTerms } from './pushed-content.ts'
import { PushRefusal, tooMuchWorkRefusal } from '../admit/push-refusal.ts'
import type { PushRefusalKind } from '../admit/push-refusal.ts'

type ContentJob =
  | { readonly body: ContentBody; readonly terms: ContentTerms }
  | { readonly batch: Uint8Array; readonly limits: UnpackedBatchLimits }

type Verdict<Value> =
  | Value
  | { readonly refusal: PushRefusalKind; readonly detail: string; readonly headers: Readonly<Record<string, string>> }
type ContentVerdict = Verdict<{ readonly content: CheckedContent }>
type DigestVerdict = Verdict<{ readonly digest: GatewayDigest }>

/** Read in a few milliseconds. */
const MAX_INLINE_BYTES = 32 << 10

export class ContentChecks implements AsyncDisposable {
  readonly #bench: GuardedThread

  constructor(options: GuardedThreadOptions = {}) {
    this.#bench = new GuardedThread(new URL('./content-worker.ts', import.meta.url), options)
  }

  /** As `checkContent`. */
  async check({ bytes, spool }: ContentBody, terms: ContentTerms): Promise<CheckedContent> {
    // A spool knows more than a thread can be told.
    const file = spool === undefined ? undefined : { path: spool.path, bytes: spool.bytes }
    const body = { bytes: file === undefined ? bytes : new Uint8Array(), spool: file }
    if (isSmall(body, terms)) return await checkContent(body, terms)
    return (await this.#ask<{ readonly content: CheckedContent }>({ body, terms })).content
  }

  /** A gateway's batch, which is always packed, and is readable to its end; throws a PushRefusal when it is not. */
  async digest(batch: Uint8Array, limits: UnpackedBatchLimits): Promise<GatewayDigest> {
    return (await this.#ask<{ readonly digest: GatewayDigest }>({ batch, limits })).digest
  }

  async #ask<Value>(job: ContentJob): Promise<Value> {
    const verdict = await this.#bench.run<Verdict<Value>>(job)
    if (verdict === TOO_MUCH_WORK) throw tooMuchWorkRefusal()
    if (typeof verdict === 'object' && verdict !== null && 'refusal' in verdict)
      throw new PushRefusal(verdict.refusal, verdict.detail, verdict.headers)
    return verdict
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bench[Symbol.asyncDispose]()
  }
}

/** Rows are not looked into here. */
function isSmall({ bytes, spool }: ContentBody, { kind }: ContentTerms): boolean {
  const isPacked = packingOf(bytes) === 'gzip'
  return kind === 'rows' || (kind === 'notice' && spool === undefined && bytes.length <= MAX_INLINE_BYTES && !isPacked)
}

/** In the thread: a refusal is a value, as classes do not survive the way back. */
export async function contentVerdict(job: ContentJob): Promise<ContentVerdict | DigestVerdict> {
  try {
    if ('batch' in job) return { digest: digestOf(job.batch, job.limits) }
    return { content: await checkContent(job.body, job.terms) }
  } catch (error) {
    if (!(error instanceof PushRefusal)) throw error
    return { refusal: error.kind, detail: error.message, headers: error.headers }
  }
}

function digestOf(batch: Uint8Array, limits: UnpackedBatchLimits): GatewayDigest {
  const read = digestUnpackedBatch(batch, limits)
  if (read.kind === 'digest') return read
  throw new PushRefusal('unreadable', `The batch was not taken: ${read.problem}. Sending it again will not help.`)
}
