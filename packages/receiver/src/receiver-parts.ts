/**
 * ReceiverParts: what the receiver's routes share, and the three steps that each of them takes: who sends, may it come in,
 * keep it.
 */
import { rm } from 'node:fs/promises'
import type { BodyFile, FileInbox, InboxEndpoint, NewInboxItem, SubscriptionStore } from '@comity/collection'
import { MAX_INLINE_BYTES } from '@comity/collection'
import type { FairShare, Instant, KeyRing } from '@comity/protocol'
import type { BodiesUnderWay } from './body/bodies-under-way.ts'
import type { ByteRoom } from './admit/byte-room.ts'
import type { ContentChecks } from './body/content-checks.ts'
import type { PushAdmission, Admitted, AdmissionRefusal, PriorityOf } from './admit/push-admission.ts'
import type { GatewayEndpoint } from './proof/gateway-endpoint.ts'
import type { ProgramEndpoint } from './programs/endpoint.ts'
import type { PushFigures } from './admit/push-figures.ts'
import { comeAgain, PushRefusal } from './admit/push-refusal.ts'
import type { PendingNotices } from './body/pending-notices.ts'
import type { ReceivedBody } from './body/received-body.ts'
import type { ReceiverLimits } from './limits.ts'
import type { SpeakerProof } from './proof/speaker-proof.ts'
import type { TokenBuckets } from './admit/token-buckets.ts'
import type { UploadStore } from './body/upload-store.ts'

export interface ReceiverParts {
  readonly inbox: FileInbox
  readonly content: ContentChecks
  readonly pending: PendingNotices
  readonly store: SubscriptionStore
  readonly uploads: UploadStore
  readonly proof: SpeakerProof
  /** Undefined where no gateway is heard. */
  readonly gateways: GatewayEndpoint | undefined
  /** Undefined where there is none for gateways to run. */
  readonly programs: ProgramEndpoint | undefined
  readonly admission: PushAdmission
  readonly worthOf: PriorityOf
  readonly figures: PushFigures
  /** Requests of each address that came to nothing. */
  readonly strangers: TokenBuckets
  /** Requests under way, by address. */
  readonly places: FairShare
  readonly bodies: BodiesUnderWay
  readonly memory: ByteRoom
  readonly disk: ByteRoom
  readonly limits: ReceiverLimits
  readonly now: () => Instant
  /** Where the receiver is reached, without a slash at its end. */
  readonly publicUrl: () => string
  /** Our own, for sites that want to know who subscribes. */
  readonly keys: () => KeyRing | undefined
}

/** Something that was sent and proven, ready to be kept. */
type ProvenItem = Omit<NewInboxItem, 'at'>

/** Before anybody is asked for a proof: nobody is bothered for a site that is not heard anyway. */
export function checkWanted(parts: ReceiverParts, origin: string): void {
  if (parts.worthOf(origin) <= 0) throw admissionRefusal('not-wanted', 86_400_000)
}

/** Let a proven site in, or throw a PushRefusal that says when to come again. */
export function enter(parts: ReceiverParts, origin: string, door: InboxEndpoint, bytes: number): Admitted {
  const admission = parts.admission.enter(origin, door, bytes, parts.now())
  if (admission.kind === 'admitted') return admission
  throw admissionRefusal(admission.reason, admission.retryAfterMs)
}

/** Keep what was sent; it is durable when this resolves. Throws a PushRefusal when there is no room. */
export async function keep(parts: ReceiverParts, entry: Admitted, item: ProvenItem): Promise<number> {
  const { inbox, admission, figures, now } = parts
  const at = now()
  const bytes = item.body.length + (item.file?.bytes ?? 0)
  const appended = await inbox.append({ ...item, at })
  if (appended.kind === 'full') throw fullRefusal()
  admission.kept(entry, appended.number, bytes)
  figures.accepted(item.origin, item.door, item.proof, bytes, at)
  return appended.number
}

/** The same for a body that is nobody's when it is not kept. */
export async function keepOrDrop(parts: ReceiverParts, entry: Admitted, item: ProvenItem): Promise<void> {
  try {
    await keep(parts, entry, item)
  } catch (error) {
    if (item.file !== undefined) await rm(item.file.path, { force: true })
    throw error
  }
}

/** Let somebody in and do something for them; room is made again when that fails. Otherwise `work` has kept it. */
export async function admitted<Value>(
  parts: ReceiverParts,
  { origin, door, bytes }: { readonly origin: string; readonly door: InboxEndpoint; readonly bytes: number },
  work: (entry: Admitted) => Promise<Value>,
): Promise<Value> {
  const entry = enter(parts, origin, door, bytes)
  try {
    return await work(entry)
  } catch (error) {
    parts.admission.left(entry)
    throw error
  }
}

/** A body that is too large for a record, put on the disk. */
export async function spooled(inbox: FileInbox, body: Uint8Array): Promise<{ body: Uint8Array; file?: BodyFile }> {
  if (body.length <= MAX_INLINE_BYTES) return { body }
  const spool = await inbox.spool()
  try {
    await spool.write(body)
    return { body: new Uint8Array(), file: await spool.finish() }
  } catch (error) {
    await spool.discard()
    throw error
  }
}

/** A received body as it goes into the inbox: what was made of it, or the body itself, in the record or in a file. */
export async function heldBody(
  { inbox }: ReceiverParts,
  received: ReceivedBody,
  made: Uint8Array | undefined,
): ReturnType<typeof spooled> {
  if (made !== undefined) return await spooled(inbox, made)
  if (received.spool === undefined) return await spooled(inbox, received.bytes)
  return { body: new Uint8Array(), file: await received.spool.finish() }
}

export const fullRefusal = (): PushRefusal =>
  new PushRefusal('full', 'What sites have sent and the crawl has not read yet takes all the room.', comeAgain(30_000))

const DETAILS: Readonly<Record<AdmissionRefusal, string>> = {
  'not-wanted': 'The crawler visits this site as it sees fit and does not listen to it for now.',
  'too-often': 'Send several changes in one request, and each page only when it has come to rest.',
  'over-share': 'What this site sent before has still to be read. The room is for all sites.',
  busy: 'Too much waits to be read. Sites that matter most to this crawler are heard first.',
}

function admissionRefusal(reason: AdmissionRefusal, retryAfterMs: number): PushRefusal {
  return new PushRefusal(reason, DETAILS[reason], comeAgain(retryAfterMs))
}
