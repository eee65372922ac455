/**
 * Delivery worker row: what is remembered of each subscriber between deliveries, one small row. Nothing that waits to be sent is in
 * it: that stands in the journal, behind the row's position.
 */
import type { Instant } from '@comity/protocol'
import type { Position } from '../push/delivery-plan.ts'

export interface DeliveryWorkerRow {
  /** The subscriber's. */
  readonly id: string
  readonly position: Position
  /** In a row, without a success between. */
  readonly failures: number
  readonly failingSince?: Instant | undefined
  /** What the last failure was, as a sentence. */
  readonly trouble?: string | undefined
  readonly nextTryAt: Instant
  /** Pause between deliveries, for whoever asked for one. */
  readonly paceMs: number
  /** How often a delivery was too large: limits are halved so often. */
  readonly halvings: number
  /** Pages in the next delivery at most, while one is looked for that is refused. */
  readonly suspects?: number | undefined
  /** Takes no packed content. */
  readonly isPlainOnly?: boolean | undefined
  /**
   * A delivery with changes up to this number was begun and it is not known whether it arrived: of pages in it that have
   * changed since, nobody knows which version the subscriber holds.
   */
  readonly doubtUpTo?: number | undefined
  /** Changes up to this number go with the batch of this slot. */
  readonly slotUpTo?: number | undefined
  readonly upload?: UploadState | undefined
  /** Deliveries that were taken. */
  readonly delivered: number
  readonly deliveredAt?: Instant | undefined
}

/** An upload that was begun and may be continued (`deliver/upload.ts`). */
export interface UploadState {
  /** Of the upload at the receiver's. */
  readonly url: string
  /** Of all that is uploaded: other bytes must not be appended. */
  readonly digest: string
}

export function newDeliveryWorkerRow(id: string, position: Position, nextTryAt: Instant): DeliveryWorkerRow {
  return { id, position, failures: 0, nextTryAt, paceMs: 0, halvings: 0, delivered: 0 }
}

/** Undefined for what is no row: a file that was changed by hand is damaged, not half understood. */
export function readDeliveryWorkerRow(json: Readonly<Record<string, unknown>>): DeliveryWorkerRow | undefined {
  const { id, position, trouble, upload } = json
  const placed = positionOf(position)
  const isRow =
    typeof id === 'string' &&
    placed !== undefined &&
    COUNTS.every((name) => isCount(json[name])) &&
    MAYBE_COUNTS.every((name) => json[name] === undefined || isCount(json[name])) &&
    (trouble === undefined || typeof trouble === 'string') &&
    (upload === undefined || isUpload(upload))
  return isRow ? ({ ...json, position: placed } as unknown as DeliveryWorkerRow) : undefined
}

/** As it stands in the file. */
export function writeDeliveryWorkerRow({ position, ...row }: DeliveryWorkerRow): object {
  const { edition, ...rest } = position
  return { ...row, position: { ...rest, feed: edition } }
}

const COUNTS = ['failures', 'nextTryAt', 'paceMs', 'halvings', 'delivered'] as const
const MAYBE_COUNTS = ['failingSince', 'suspects', 'doubtUpTo', 'slotUpTo', 'deliveredAt'] as const

const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value)
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** An edition was called a feed, and in the file it still is. */
function positionOf(value: unknown): object | undefined {
  if (!isObject(value)) return undefined
  const { feed: edition, ...rest } = value
  const isPosition = typeof rest['journal'] === 'string' && typeof edition === 'string'
  return isPosition && isCount(rest['cursor']) && isMaybeWalk(rest['walk']) ? { ...rest, edition } : undefined
}

function isMaybeWalk(walk: unknown): boolean {
  if (walk === undefined) return true
  if (!isObject(walk) || !isCount(walk['upTo']) || !isCount(walk['startedAt'])) return false
  return typeof walk['path'] === 'string' || isCount(walk['gone'])
}

const isUpload = (value: unknown): boolean =>
  isObject(value) && typeof value['url'] === 'string' && typeof value['digest'] === 'string'
