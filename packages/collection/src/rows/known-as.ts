/**
 * What a page is known as: the outcome and status of the answer that told what is held of it. Its last visit may have told nothing
 * new (a 304, a timeout, a server in trouble), and is told apart: whoever looks for good pages looks for what they are.
 */
import type { AnswerKind, PageRow } from './rows.ts'

/** A row of before `told` was kept says only that its last visit was a 304: what it confirmed came whole. */
const CONFIRMED: AnswerKind = { outcome: 'ok', status: 200 }

export function knownAs({ outcome, status, told, body }: PageRow): AnswerKind {
  if (told !== undefined) return told
  return status === 304 && body !== undefined ? CONFIRMED : { outcome, status }
}

/** What is still known after a visit that told nothing new; undefined where nobody ever answered. */
export function stillKnownAs(before: PageRow): AnswerKind | undefined {
  const known = knownAs(before)
  return known.status > 0 && known.status !== 304 ? known : undefined
}
