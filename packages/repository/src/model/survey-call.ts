/** Survey call: what goes between a server and its survey's thread. One question, one reply, in any order. */
import type { SurveyPort } from '../ports.ts'

export type SurveyMethod = Exclude<keyof SurveyPort, symbol>

export interface SurveyCall {
  readonly id: number
  readonly method: SurveyMethod
  readonly args: readonly unknown[]
}

export type SurveyReply = { readonly id: number } & ({ readonly value: unknown } | { readonly error: Error })

export interface SurveyThreadData {
  readonly dir: string
  readonly maxLinks?: number | undefined
}

/** What is asked of the thread itself. */
export const CLOSE = 'close'
