/**
 * Dead letters: pages that a subscriber refused for good, with the reason. They are not sent again by themselves; when the
 * page changes, its new version is. So many are kept, the newest.
 */
import type { ChangeKind, Instant } from '@comity/protocol'
import type { Change } from '../journal/journal.ts'

export interface RefusedDelivery {
  /** Id of the subscriber. */
  readonly subscriber: string
  readonly at: Instant
  /** `too-large`: refused even alone. */
  readonly reason: 'refused' | 'too-large'
  readonly status: number
  /** What the subscriber said of it, shortened. */
  readonly message: string
  readonly path: string
  readonly change: ChangeKind
  /** Of the version that was refused; none of a page that is gone. */
  readonly digest?: string | undefined
  /** Of the change. */
  readonly number: number
}

export const MAX_DEAD_LETTERS = 1_000
const MAX_MESSAGE = 200

export function deadLetter(
  { path, change, digest, number }: Change,
  about: Pick<RefusedDelivery, 'subscriber' | 'at' | 'reason' | 'status'> & { readonly body: Uint8Array },
): RefusedDelivery {
  const { subscriber, at, reason, status, body } = about
  const message = sentenceOf(body)
  const what = { subscriber, at, reason, status, message, path, change, number }
  return change === 'deleted' ? what : { ...what, digest }
}

/** The beginning of an answer as one line of text. A stranger wrote it: nothing in it may move a terminal's cursor. */
export function sentenceOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 4 * MAX_MESSAGE))
  return text
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_MESSAGE)
    .toWellFormed()
}

/** Undefined for what is none. */
export function readDeadLetter(json: Readonly<Record<string, unknown>>): RefusedDelivery | undefined {
  const { subscriber, at, reason, status, message, path, change, digest, number } = json
  const texts = [subscriber, message, path, change].every((value) => typeof value === 'string')
  const counts = [at, status, number].every((value) => typeof value === 'number')
  const isLetter =
    texts &&
    counts &&
    (reason === 'refused' || reason === 'too-large') &&
    (digest === undefined || typeof digest === 'string')
  return isLetter ? (json as unknown as RefusedDelivery) : undefined
}
