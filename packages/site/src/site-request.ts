/**
 * Site request and answer: HTTP without a server. Whatever framework a site runs on, its adapter makes the one and sends
 * the other; all schemes are written against these two.
 */
import type { HeaderList } from '@comity/protocol'

export interface SiteRequest {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly path: string
  readonly headers: HeaderList
  /** The address it came from, as far as that is known: nobody takes all that there is (`client/client-places.ts` of the protocol). */
  readonly client?: string | undefined
  /** The body, content coding on; `too-large` as soon as it has more bytes than that. Asked for once at most. */
  body(maxBytes: number): Promise<Uint8Array | 'too-large'>
}

export interface SiteAnswer {
  readonly status: number
  /** All but Date and what belongs to the connection. */
  readonly headers: HeaderList
  /** Whoever stops reading a stream early must say so (`return()`), as `for await` does by itself. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

export const NO_BODY: Uint8Array = new Uint8Array(0)

/** An answer that says in one sentence what is wrong, and what to do. */
export function sentenceAnswer(status: number, sentence: string, headers: HeaderList = []): SiteAnswer {
  const body = Buffer.from(`${sentence}\n`)
  const own: HeaderList = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Length', String(body.length)],
    ['Cache-Control', 'no-store'],
  ]
  return { status, headers: [...own, ...headers], body }
}
