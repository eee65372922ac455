/**
 * Receiver call: what goes between a process and its receiver's thread. The process asks the thread, one question, one reply,
 * in any order; the thread asks the process to fetch something from a site, and says when something was kept.
 */
import { textOf } from '@comity/protocol'
import type { ReceiverPort, ReceiverSettings } from './port.ts'
import type { FetchedFrom } from './proof/speaker-proof.ts'

export type ReceiverMethod = Exclude<keyof ReceiverPort, symbol>

export interface ReceiverCall {
  readonly kind: 'call'
  readonly id: number
  readonly method: ReceiverMethod
  readonly args: readonly unknown[]
}

interface ReceiverFetched {
  readonly kind: 'fetched'
  readonly id: number
  readonly fetched: FetchedFrom
}

interface ReceiverClose {
  readonly kind: 'close'
}

/** To the thread. */
export type ReceiverMessage = ReceiverCall | ReceiverFetched | ReceiverClose

/** From the thread. */
export type ReceiverReport =
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'fetch'; readonly id: number; readonly origin: string; readonly path: string }
  | { readonly kind: 'kept'; readonly last: number }
  | { readonly kind: 'trouble'; readonly fault: Fault }
  | { readonly kind: 'told'; readonly sentence: string }

export type ReceiverThreadData = ReceiverSettings

/** An error on its way: of our own ones, name and code count, and copying an error between threads drops both. */
interface Fault {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly code: unknown
}

export function faultOf(error: unknown): Fault {
  const given = error instanceof Error ? error : new Error(textOf(error))
  return {
    name: given.name,
    message: given.message,
    stack: given.stack,
    code: 'code' in given ? given.code : undefined,
  }
}

export function errorOf({ name, message, stack, code }: Fault): Error {
  return Object.assign(new Error(message), { name, stack }, code === undefined ? {} : { code })
}
