/**
 * Request guard: may this request be answered at all? Pure.
 *
 * The server trusts whoever can reach it to read, and by default only this machine can. But a browser on this machine
 * runs pages of strangers, and two of their tricks reach loopback: a host name of theirs that suddenly resolves to
 * 127.0.0.1 (DNS rebinding), and requests sent across sites (CSRF). So the Host must be one that no stranger can own,
 * browsers' word on where a request comes from is believed (Fetch Metadata), and what changes anything needs a token
 * that stands in a header, which no form can set.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Problem } from './problem.ts'

export interface RequestFacts {
  readonly method: string
  readonly header: (name: string) => string | undefined
}

/** Where the client believes to be, as `host:port`; throws a Problem when that is not us. */
export function checkedHost({ header }: RequestFacts, hostNames: readonly string[]): string {
  const given = header('host') ?? ''
  const url = /^[\w.:[\]-]{1,255}$/.test(given) ? URL.parse(`http://${given}/`) : null
  const name = url?.hostname ?? ''
  // An address cannot be rebound, and `localhost` never leaves the machine (RFC 6761 §6.3).
  const isOurs = isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || hostNames.includes(name)
  if (url !== null && isOurs) return url.host
  throw new Problem(
    'wrong-host',
    'This server answers to its address, to localhost, and to the host names it was started with (--host-name).',
  )
}

/** Refuse what another site's page makes a browser ask. Following a link to here is allowed. */
export function checkOrigin({ method, header }: RequestFacts, host: string): void {
  const site = header('sec-fetch-site')
  const origin = header('origin')
  const isNavigation = method === 'GET' && header('sec-fetch-mode') === 'navigate'
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation
  const isElsewhere = origin !== undefined && URL.parse(origin)?.host !== host
  if (!isForeign && !isElsewhere) return
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
