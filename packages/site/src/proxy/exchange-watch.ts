/**
 * ExchangeWatch: who is told of what passes through a proxy. It hears of every request and answer once it is sure what they
 * are, gets the bytes of bodies as clients do, without their framing, and can hold up nobody.
 */
import type { HeaderList } from '@comity/protocol'

/** Of an exchange, before its body. Fields are read out only when somebody wants them. */
export interface PassedExchange {
  readonly at: number
  readonly client: string
  /** The same for all that is said on one connection of a client's. */
  readonly connection: object
  readonly scheme: 'http' | 'https'
  /** Written plainly, as the origin was asked for it. */
  readonly host: string
  readonly method: string
  readonly target: string
  readonly version: string
  readonly request: () => HeaderList
}

export interface PassedAnswer {
  readonly status: number
  readonly version: string
  readonly headers: () => HeaderList
}

export interface ExchangeWatch {
  /** Called when the answer's head has come. */
  begin(exchange: PassedExchange, answer: PassedAnswer): BodyWatch
  /** There was no answer. */
  unanswered(exchange: PassedExchange): void
}

export interface BodyWatch {
  /** The piece is good during the call alone. */
  add(piece: Uint8Array): void
  /** Once. */
  end(verdict: 'whole' | 'cut-short' | 'switched'): void
}

const nobody: BodyWatch = { add: () => undefined, end: () => undefined }

/** Nobody watches. */
export const noWatch: ExchangeWatch = { begin: () => nobody, unanswered: () => undefined }
