/**
 * Addresses: which of them may become a link, and how the ones of this server are written.
 *
 * A link leads to http, to https, or to a path of this server. Judged by the URL parser that browsers use too, as they
 * drop tabs and turn backslashes: `java\tscript:` and `/\elsewhere` are what they look like only to a regular expression.
 */

/** What a link gets that must not be one: leads nowhere in every browser. */
export const INVALID_ADDRESS = 'about:invalid'

const OWN = 'http://own.invalid'

/** The address as it may be written into a page; undefined when no link may lead there. */
export function safeAddress(address: string): string | undefined {
  if (/^[/?#]/.test(address)) {
    const url = URL.parse(address, OWN)
    if (url?.origin !== OWN) return undefined
    // What is relative to the page stays so.
    return (address.startsWith('/') ? url.pathname : '') + url.search + url.hash
  }
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null
  // With a name in front of the host, `https://bank.example@evil.example` is for deceiving readers alone.
  return url === null || url.username !== '' || url.password !== '' ? undefined : url.href
}

type Query = Readonly<Record<string, string | number | undefined>>

/** `/site?origin=https://a.example`: a path of this server; what is undefined or empty is left out. */
export function ownPath(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (pairs.length === 0) return path
  return `${path}?${pairs.map(([name, value]) => `${name}=${encodeQuery(String(value))}`).join('&')}`
}

/** As people would write it: a query may hold `:` and `/` as they are (RFC 3986 §3.4). */
const encodeQuery = (value: string): string =>
  encodeURIComponent(value.toWellFormed())
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
    .replaceAll('%20', '+')
    .replaceAll("'", '%27')
