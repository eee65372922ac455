/**
 * Own host: is a request for a page of the owner's really for us? Pure, for every server that trusts whoever can reach it.
 *
 * By default only this machine can. But a browser on this machine runs pages of strangers, and two of their tricks reach
 * loopback: a host name of theirs that suddenly resolves to 127.0.0.1 (DNS rebinding), and requests sent across sites. So the
 * Host must be one that no stranger can own, and browsers' word on where a request comes from is believed (Fetch Metadata).
 */
import { isIP } from 'node:net'

export interface AskedFor {
  readonly method: string
  readonly header: (name: string) => string | undefined
}

/** Where the client believes to be, as `host:port`; undefined when that is not us. `names`: those we were started with. */
export function ownHost({ header }: AskedFor, names: readonly string[]): string | undefined {
  const given = header('host') ?? ''
  const url = /^[\w.:[\]-]{1,255}$/.test(given) ? URL.parse(`http://${given}/`) : null
  const name = url?.hostname ?? ''
  // An address cannot be rebound, and `localhost` never leaves the machine (RFC 6761 §6.3).
  const isOurs = isIP(name.replace(/^\[|\]$/g, '')) !== 0 || name === 'localhost' || names.includes(name)
  return isOurs ? url?.host : undefined
}

/** Does another site's page make a browser ask this? Following a link to here is allowed. */
export function isAskedFromElsewhere({ method, header }: AskedFor, host: string): boolean {
  const site = header('sec-fetch-site')
  const origin = header('origin')
  const isNavigation = method === 'GET' && header('sec-fetch-mode') === 'navigate'
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none' && !isNavigation
  return isForeign || (origin !== undefined && URL.parse(origin)?.host !== host)
}
