/**
 * Request guard: may this request be answered at all? Pure.
 *
 * The server trusts whoever can reach it to read, and by default only this machine can; what pages of strangers in a browser
 * here can do about that is told, and decided, in `client/own-host.ts` of the protocol. What changes anything needs a token that
 * stands in a header, which no form can set (CSRF).
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isAskedFromElsewhere, ownHost } from '@comity/protocol'
import type { AskedFor } from '@comity/protocol'
import { Problem } from '@comity/receiver'

type RequestFacts = AskedFor

/** Where the client believes to be, as `host:port`; throws a Problem when that is not us. */
export function checkedHost(facts: RequestFacts, hostNames: readonly string[]): string {
  const host = ownHost(facts, hostNames)
  if (host !== undefined) return host
  throw new Problem(
    'wrong-host',
    'This server answers to its address, to localhost, and to the host names it was started with (--host-name).',
  )
}

/** Refuse what another site's page makes a browser ask. Following a link to here is allowed. */
export function checkOrigin(facts: RequestFacts, host: string): void {
  if (!isAskedFromElsewhere(facts, host)) return
  throw new Problem('foreign-origin', "Another site's page asks for this. Open this server's own pages instead.")
}

/** Throws unless the request carries the token (RFC 6750 §2.1). */
export function checkToken({ header }: RequestFacts, token: string): void {
  const given = /^Bearer +([\w.~+/=-]{1,500})$/i.exec(header('authorization') ?? '')?.[1]
  if (given === undefined) {
    throw new Problem(
      'token-needed',
      'What changes the crawl needs "Authorization: Bearer TOKEN". The token is in the file serve.token of the collection.',
      { 'WWW-Authenticate': 'Bearer realm="comity"' },
    )
  }
  // Of digests, so that neither time nor length tells how near a guess is.
  if (!timingSafeEqual(digestOf(given), digestOf(token))) {
    throw new Problem('token-wrong', 'The token is in the file serve.token of the collection that is served.', {
      'WWW-Authenticate': 'Bearer realm="comity", error="invalid_token"',
    })
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
