/**
 * Inquiry: several questions to one site, each depending on the answers before. Written as a generator that yields what
 * to ask and is given the reply, so that the readers of all schemes are plain functions: whoever drives one brings the
 * network, the waiting and the limits.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { TOO_MUCH_WORK } from '@comity/protocol'
import type { Ask, Reply } from '@comity/ingest'
import { ROWS_A_TURN } from '@comity/ingest'

/** It asks for nothing: whoever drives the inquiry lets others have a turn. The reply to it means nothing. */
export const NO_REQUEST: Ask = { url: '' }
export const UNASKED: Reply = { kind: 'absent', status: 0, problem: 'nothing was asked' }
/** It takes more work than it can be worth; it may be another one the next time. */
export const TOO_COSTLY_REPLY: Reply = { kind: 'trouble', status: 200, problem: TOO_MUCH_WORK }

export type Inquiry<Result> = Generator<Ask, Result, Reply>

/** Leads an inquiry to its end; undefined when `ask` has no reply any more, and it is cut short. */
export async function inquire<Result>(
  inquiry: Inquiry<Result>,
  ask: (question: Ask) => Promise<Reply | undefined>,
): Promise<Result | undefined> {
  let step = inquiry.next()
  while (step.done !== true) {
    if (step.value === NO_REQUEST) await turn()
    const reply = step.value === NO_REQUEST ? UNASKED : await ask(step.value)
    if (reply === undefined) return undefined
    step = inquiry.next(reply)
  }
  return step.value
}

/** Works through a long list of a stranger's some rows at a time, as the thread that does so runs everything else. */
export function* inTurns<Row>(rows: Iterable<Row>, work: (row: Row) => void): Inquiry<void> {
  let done = 0
  for (const row of rows) {
    work(row)
    if (++done % ROWS_A_TURN === 0) yield NO_REQUEST
  }
}

/** Both validators, as servers differ in which they honour (RFC 9110 §13.1). */
export function headersOf({ headers, mark }: Ask): Record<string, string> {
  return {
    ...headers,
    ...(mark?.etag === undefined ? {} : { 'if-none-match': mark.etag }),
    ...(mark?.lastModified === undefined ? {} : { 'if-modified-since': mark.lastModified }),
  }
}
