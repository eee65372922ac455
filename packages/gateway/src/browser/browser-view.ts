/**
 * BrowserView: what Chromium shows of an answer, with every reason why others could see something else. It is for whoever wants to
 * know what a reader saw; nothing of it is ever indexed.
 */
import { decodeBody } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { RequestHead } from '../http/head.ts'
import type { BrowserAnswer, BrowserError, BrowserOutcome } from './browser-answer.ts'
import { undoneCodings } from './browser-coding.ts'
import type { BrowserDoubt } from './browser-doubts.ts'
import { contentLength, fieldsOf } from './browser-head.ts'
import type { BrowserHead } from './browser-head.ts'

/** `hole`: bytes of it were not captured. `too-large`, `no-room`: more than may be kept of one, or of all. */
export const VIEW_OUTCOMES = ['shown', 'broken', 'refused', 'redirected', 'hole', 'too-large', 'no-room'] as const
export type ViewOutcome = (typeof VIEW_OUTCOMES)[number]

export interface BrowserView {
  readonly at: number
  readonly server: string
  readonly serverPort: number
  readonly request: RequestHead
  readonly url: string | undefined
  /** 0: there was none. */
  readonly status: number
  readonly headers: HeaderList
  readonly outcome: ViewOutcome
  readonly error: BrowserError | undefined
  /** All that is shown; of what breaks off, what came before. */
  readonly body: Uint8Array
  /** None: every reader sees the same. */
  readonly doubts: readonly BrowserDoubt[]
}

export interface BrowserViewSink {
  viewed(view: BrowserView): void
}

type Shown = Pick<BrowserView, 'status' | 'headers' | 'outcome' | 'error' | 'body' | 'doubts'>

/** Of an answer that is over. */
export function shownOf(answer: BrowserAnswer, hasHole: boolean, maxBytes: number): Shown {
  const { head, outcome, body, doubts } = answer
  const { status, headers } = head ?? { status: 0, headers: [] }
  const nothing = { status, headers, error: undefined, body: NOTHING, doubts: [...doubts] }
  if (hasHole) return { ...nothing, outcome: 'hole' }
  if (body.isTooLarge) return { ...nothing, outcome: 'too-large' }
  if (body.isRefused) return { ...nothing, outcome: 'no-room' }
  if (head === undefined || outcome === 'refused' || outcome === 'redirected') {
    return { ...nothing, outcome, error: answer.error }
  }
  const raw = body.bytes()
  const decoded = undoneCodings(head, raw, maxBytes)
  if (decoded.kind === 'too-large') return { ...nothing, outcome: 'too-large' }
  const all = new Set(doubts)
  const doubt = codingDoubt(head, raw, decoded.body, maxBytes)
  if (doubt !== undefined) all.add(doubt)
  const ending = endingOf(answer, head, decoded.body.length, decoded.kind === 'damaged')
  return { status, headers, body: decoded.body, doubts: [...all], ...ending }
}

const NOTHING = new Uint8Array(0)

interface Ending {
  readonly outcome: BrowserOutcome
  readonly error: BrowserError | undefined
}

function endingOf({ outcome, error }: BrowserAnswer, head: BrowserHead, length: number, isDamaged: boolean): Ending {
  // What it cannot undo it notices before the end, but not before the piece that it is in.
  if (isDamaged && error !== 'ERR_INVALID_CHUNKED_ENCODING')
    return { outcome: 'broken', error: 'ERR_CONTENT_DECODING_FAILED' }
  const isShort = error === 'ERR_CONTENT_LENGTH_MISMATCH' || error === 'ERR_INCOMPLETE_CHUNKED_ENCODING'
  // Servers say the length of what they packed for that of the pack: then it is all there.
  return isShort && length === contentLength(head) ? { outcome: 'shown', error: undefined } : { outcome, error }
}

/** Whether a strict reader would have the same bytes of the same body. */
function codingDoubt(
  head: BrowserHead,
  raw: Uint8Array,
  shown: Uint8Array,
  maxBytes: number,
): BrowserDoubt | undefined {
  const coding = fieldsOf(head.headers, 'content-encoding')
  if (coding.length === 0 || raw.length === 0) return undefined
  const strict = decodeBody(raw, coding.join(', '), { maxBytes })
  if (strict.kind === 'unknown-coding') return 'unknown-coding'
  if (strict.kind === 'corrupt') return 'damaged-coding'
  if (strict.kind === 'truncated') return 'cut-coding'
  return strict.kind === 'ok' && Buffer.compare(strict.body, shown) === 0 ? undefined : 'other-coding'
}
