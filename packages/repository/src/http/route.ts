/** Route: one thing the server answers. All of them are in tables; there is no other way in. */
import type { ServerResponse } from 'node:http'
import type { Parameter, Parameters } from './parameter.ts'

export interface Route {
  readonly method: 'GET' | 'POST'
  /** `/page/view`; a `*` at the end stands for one name, without a slash. */
  readonly path: string
  /** Who it is for: programs get problems as JSON, people as a page. */
  readonly audience: 'program' | 'person'
  readonly parameters: readonly Parameter[]
  /** A JSON object of the request's body, where there is one. */
  readonly takesBody?: boolean
  readonly answer: (call: Call) => Promise<Answer> | Answer
}

export interface Call {
  readonly parameters: Parameters
  /** What stands for the `*` of the path. */
  readonly name: string
  readonly body: unknown
  /** Where this server is, as the client sees it: `http://127.0.0.1:8080`. */
  readonly base: string
  readonly header: (name: string) => string | undefined
  /** Who asks, for sharing (`admit/client-address.ts` of receiver). */
  readonly client: string
}

export type Answer = WholeAnswer | StreamAnswer

export interface WholeAnswer {
  readonly status?: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Another policy than the usual one of its audience. */
  readonly policy?: string
}

/** An answer that goes on. It ends when `run` does. */
export interface StreamAnswer {
  readonly type: string
  /** The signal is aborted when the client has gone or the server stops. */
  readonly run: (response: ServerResponse, signal: AbortSignal) => Promise<void>
  /** Called once, when it has run, or need not. */
  readonly over: () => void
}

export const json = (value: unknown, type = 'application/json; charset=utf-8'): WholeAnswer => ({
  type,
  body: `${JSON.stringify(value)}\n`,
})

const shared = new WeakMap<object, WholeAnswer>()

/** The same for a model that many ask for at once and that nobody changes: its text is made once. */
export function sharedJson(model: object): WholeAnswer {
  let answer = shared.get(model)
  if (answer === undefined) {
    const { type, body } = json(model)
    shared.set(model, (answer = { type, body: Buffer.from(body) }))
  }
  return answer
}

export const html = (body: string): WholeAnswer => ({ type: 'text/html; charset=utf-8', body })
