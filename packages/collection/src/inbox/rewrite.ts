/**
 * Inbox rewrite: a segment without the items that are done with, and without what leaves of those that wait. The new file takes
 * the place of the old one in one step, so whatever ends us, each item that stays is there once.
 *
 *   body of an item that becomes another one ─▶ segment written beside, synced, renamed ─▶ bodies that no item names removed
 *
 * An item keeps its number. After a kill behind the first step it may have its new body with its old type: whoever takes it in
 * cannot read that, and asks the site what changed.
 */
import { readFile, rm } from 'node:fs/promises'
import { syncPath, writeDurably } from '@comity/disk'
import { MAX_INLINE_BYTES } from './inbox.ts'
import type { InboxItem } from './inbox.ts'
import type { InboxRecord } from './record.ts'
import { bodyPath, InboxSegmentFile } from './inbox-segment.ts'
import type { RedactedRemainder } from './sent-content.ts'

export interface RewriteTerms {
  /** Items up to this number are done with. */
  readonly done: number
  /** For the new file. */
  readonly mark: Uint8Array
  readonly leftOf: (item: InboxItem) => Promise<RedactedRemainder>
  /** Called before each step. */
  readonly onStep: (step: string) => void
}

interface Rewritten {
  /** Undefined when nothing is left. */
  readonly segment: InboxSegmentFile | undefined
  /** Items that waited, and are gone or others now. */
  readonly touched: number
}

/** Nobody may read it meanwhile. */
export async function rewriteSegment(folder: string, old: InboxSegmentFile, terms: RewriteTerms): Promise<Rewritten> {
  const { done, mark, leftOf, onStep } = terms
  const kept: InboxRecord[] = []
  let touched = 0
  for await (const item of waitingIn(folder, old, done)) {
    const left = await leftOf(item)
    if (left === 'all') kept.push(recordOf(item, old.bodies.get(item.number)))
    else touched++
    if (typeof left === 'object') kept.push(replaced(folder, item, left, onStep))
  }
  if (touched === 0 && kept.length === old.count && old.holdsOnlyRecords) return { segment: old, touched }
  onStep(`writing ${old.path} anew`)
  const segment = kept.length === 0 ? undefined : await InboxSegmentFile.begin(folder, { mark, first: old.first }, kept)
  if (segment === undefined) await old.remove()
  else for (const one of [old, segment]) one.seal()
  onStep('removing bodies that left')
  for (const number of old.bodies.keys())
    if (segment?.bodies.has(number) !== true) await rm(bodyPath(folder, number), { force: true })
  syncPath(folder)
  return { segment, touched }
}

/** An item with its body, wherever that stands. */
type HeldItem = Omit<InboxItem, 'file'>

/** Read at a time: each is a quarter of a MiB at most. */
const SOME = 100

/** The items of a segment that wait, with their bodies. One that the disk has lost is left out. */
export async function* waitingIn(folder: string, segment: InboxSegmentFile, done: number): AsyncGenerator<HeldItem> {
  const numbers = Array.from(segment.waitingAfter(done), ({ number }) => number)
  for (let from = 0; from < numbers.length; from += SOME)
    for (const record of await segment.read(numbers[from]! - 1, SOME, Infinity)) yield await withBody(folder, record)
}

/** A file that the disk has lost is an empty body: nothing in it can leave. */
async function withBody(folder: string, { fileBytes, ...record }: InboxRecord): Promise<HeldItem> {
  if (fileBytes === undefined) return record
  return { ...record, body: await readFile(bodyPath(folder, record.number)).catch(() => new Uint8Array(0)) }
}

function recordOf(item: HeldItem, fileBytes: number | undefined): InboxRecord {
  return fileBytes === undefined ? item : { ...item, body: new Uint8Array(0), fileBytes }
}

function replaced(
  folder: string,
  item: HeldItem,
  { scheme, type, body }: Exclude<RedactedRemainder, string>,
  onStep: (step: string) => void,
): InboxRecord {
  const isLarge = body.length > MAX_INLINE_BYTES
  if (isLarge) {
    onStep('writing a body anew')
    writeDurably(bodyPath(folder, item.number), body)
  }
  return recordOf({ ...item, scheme, type, body }, isLarge ? body.length : undefined)
}
