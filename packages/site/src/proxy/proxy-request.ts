/**
 * ProxyRequest: what a client's head asks for, and what of it goes to the origin. Where its body ends must be beyond doubt
 * (RFC 9112 §6.3, §11.2); fields for this hop alone stay behind (RFC 9110 §7.6.1), and what a client says of where it comes
 * from is replaced by what we see.
 */
import { clientIn, plainAddress, plainHost } from '@comity/protocol'
import type { Proxies, WireHead } from '@comity/protocol'
import { exchangeLines } from './hop-fields.ts'
import type { ClientPlace } from './proxy-context.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { refusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export interface ProxyRequest {
  readonly method: string
  /** In origin form with one slash at its beginning, or `*`: nobody can take a part of it for a host. */
  readonly target: string
  /** What was asked for, written plainly, or what the proxy goes by where it has one name. */
  readonly host: string
  readonly isHttp10: boolean
  readonly keepsAlive: boolean
  /** Of the body; -1: in chunks. */
  readonly length: number
  /** It had a Content-Length, perhaps of 0. */
  readonly saysLength: boolean
  /** Lines that pass on, without Host, framing, and what we add. */
  readonly fields: string
  /** The protocol to change to, when one is asked for that may pass. */
  readonly upgrade: string | undefined
  readonly wantsTrailers: boolean
  /** The client waits with its body until it is told to go on (RFC 9110 §10.1.1). */
  readonly expectsContinue: boolean
  /** What a proxy of ours said of the client, where one stands in front. */
  readonly said: SaidOfClient | undefined
}

interface SaidOfClient {
  readonly address: string | undefined
  readonly scheme: 'http' | 'https' | undefined
  readonly host: string | undefined
}

const LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\S+) HTTP\/(\d)\.(\d)$/
const HOST = /^(?:[A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/
/** A backslash in the path, a fragment anywhere. */
const ODD_PATH = /^[^?]*\\|#/
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i
/** Not offered to the origin: HTTP/2 or TLS inside of a connection would pass by every check here. */
const NO_UPGRADE = /(?:^|[\s,])(?:h2c|tls\/|http\/)/i

/** What was found while the fields were gone through. */
interface Found {
  host: string | undefined
  hosts: number
  length: string | undefined
  lengths: number
  coding: string | undefined
  codings: number
  connection: string
  upgrade: string | undefined
  expect: string | undefined
  te: string
  isDisguised: boolean
}

export type RequestRules = Pick<ProxyOptions, 'isBehindProxy' | 'behind' | 'knownAs'>

/** `from`: who is at the other end of the connection, and how they speak to us. */
export function readProxyRequest(
  head: WireHead,
  { isBehindProxy, behind, knownAs }: RequestRules,
  from: Pick<ClientPlace, 'address' | 'scheme'>,
): ProxyRequest | Refusal {
  const parts = LINE.exec(head.line)
  if (parts === null) return refusal('bad-request', 'The first line is no request line of HTTP/1.')
  const [, method, written, major, minor] = parts as unknown as [string, string, string, string, string]
  if (major !== '1')
    return refusal('version-unknown', 'This server speaks HTTP/1.1, and HTTP/2 where TLS or its preface says so.')
  if (method === 'CONNECT' || method === 'TRACE')
    return refusal('method-not-passed', `${method} is not passed on here: this is a reverse proxy of one site.`)
  const isHttp10 = minor === '0'
  const found = find(head)
  const length = framing(found, isHttp10)
  if (typeof length !== 'number') return length
  const place = placeOf(written, method, found, isHttp10, knownAs?.host)
  if ('reason' in place) return place
  const isTrusted = isBehindProxy || (behind.size > 0 && behind.has(plainAddress(from.address) ?? ''))
  const said = isTrusted ? saidOfClient(head, behind) : undefined
  // The origin hears the name that the page is filed under: of another spelling it may say that there is nothing.
  const host = knownAs?.host ?? (place.host === '' ? '' : plainHost(place.host, said?.scheme ?? from.scheme))
  if (host === undefined) return refusal('bad-request', 'Its Host is no host.')
  if (found.expect !== undefined && found.expect.toLowerCase() !== '100-continue')
    return refusal('expectation-unknown', 'The only expectation known here is 100-continue.')
  const tokens =
    found.connection === ''
      ? []
      : found.connection
          .toLowerCase()
          .split(',')
          .map((token) => token.trim())
  const isUpgrade = !isHttp10 && length === 0 && found.upgrade !== undefined && tokens.includes('upgrade')
  return {
    method,
    target: place.target,
    host,
    isHttp10,
    keepsAlive: isHttp10 ? tokens.includes('keep-alive') : !tokens.includes('close'),
    length,
    saysLength: found.lengths > 0,
    fields: exchangeLines(head, tokens, isTrusted ? 'trusted-request' : 'request'),
    upgrade: isUpgrade && !NO_UPGRADE.test(found.upgrade!) ? found.upgrade : undefined,
    said,
    expectsContinue: found.expect !== undefined && !isHttp10,
    wantsTrailers: found.te !== '' && /(?:^|,)\s*trailers\s*(?:,|$)/i.test(found.te),
  }
}

/** The proxy in front has added its word at the end; what is before it, anybody may have written, but for others of ours. */
function saidOfClient(head: WireHead, behind: Proxies): SaidOfClient {
  const last = (name: string): string => head.valuesOf(name).join(',').split(',').at(-1)!.trim()
  const [scheme, host] = [last('x-forwarded-proto').toLowerCase(), last('x-forwarded-host')]
  return {
    address: clientIn(head.valuesOf('x-forwarded-for').join(','), behind),
    scheme: scheme === 'http' || scheme === 'https' ? scheme : undefined,
    host: HOST.test(host) ? host : undefined,
  }
}

function find(head: WireHead): Found {
  const found: Found = {
    host: undefined,
    hosts: 0,
    length: undefined,
    lengths: 0,
    coding: undefined,
    codings: 0,
    connection: '',
    upgrade: undefined,
    expect: undefined,
    te: '',
    isDisguised: false,
  }
  const { names } = head
  for (let at = 0; at < names.length; at++) {
    switch (names[at]) {
      case 'host':
        found.host = head.value(at)
        found.hosts++
        break
      case 'content-length':
        found.length = head.value(at)
        found.lengths++
        break
      case 'transfer-encoding':
        found.coding = head.value(at)
        found.codings++
        break
      case 'connection':
        found.connection += found.connection === '' ? head.value(at) : `,${head.value(at)}`
        break
      case 'upgrade':
        found.upgrade = found.upgrade === undefined ? head.value(at) : `${found.upgrade}, ${head.value(at)}`
        break
      case 'expect':
        found.expect = found.expect === undefined ? head.value(at) : `${found.expect}, ${head.value(at)}`
        break
      case 'te':
        found.te += found.te === '' ? head.value(at) : `,${head.value(at)}`
        break
      // Servers that turn names into variables take these for the real ones.
      case 'content_length':
      case 'transfer_encoding':
        found.isDisguised = true
        break
      default:
    }
  }
  return found
}

const ambiguous = (why: string): Refusal =>
  refusal('ambiguous-framing', `Where the request ends is not sure (RFC 9112 §6.3): ${why}.`)

/** Of the body; -1: in chunks. */
function framing({ length, lengths, coding, codings, isDisguised }: Found, isHttp10: boolean): number | Refusal {
  if (isDisguised) return ambiguous('a field of framing is written with an underscore')
  if (codings > 0) {
    if (lengths > 0) return ambiguous('it has both Content-Length and Transfer-Encoding')
    if (isHttp10) return ambiguous('HTTP/1.0 has no Transfer-Encoding')
    if (codings > 1) return ambiguous('it has more than one Transfer-Encoding')
    if (coding!.toLowerCase() !== 'chunked')
      return refusal('coding-unknown', 'The only transfer coding known here is chunked.')
    return -1
  }
  if (lengths === 0) return 0
  if (lengths > 1) return ambiguous('it has more than one Content-Length')
  return /^\d{1,15}$/.test(length!) ? Number(length) : ambiguous('its Content-Length is no number')
}

/** `ownHost`: the one that the proxy goes by, whatever clients call it. */
function placeOf(
  written: string,
  method: string,
  { host, hosts }: Found,
  isHttp10: boolean,
  ownHost: string | undefined,
): { readonly target: string; readonly host: string } | Refusal {
  if (hosts > 1 || (hosts === 0 && !isHttp10))
    return refusal('bad-request', 'A request names one host (RFC 9112 §3.2).')
  if (host !== undefined && host !== '' && !HOST.test(host)) return refusal('bad-request', 'Its Host is no host.')
  const asked = ownHost ?? host ?? ''
  if (written.charCodeAt(0) === 47) return pathOf(written, asked)
  if (written === '*') {
    if (method === 'OPTIONS') return { target: written, host: asked }
    return refusal('bad-request', 'Only OPTIONS asks for *.')
  }
  const absolute = ABSOLUTE.exec(written)
  if (absolute === null || !HOST.test(absolute[1]!)) return refusal('bad-request', 'Its target is no path.')
  const [, named = '', rest = '/'] = absolute
  // One reader would take the target's host and another that of the field, so they must be the same (RFC 9112 §3.2).
  if (host !== undefined && host !== '' && !isSameHost(host, named))
    return refusal('bad-request', 'Its target and its Host name two hosts.')
  if (ownHost !== undefined && !isSameHost(ownHost, named))
    return refusal('misdirected', `This server answers for ${ownHost}, and is no proxy for others.`)
  return pathOf(rest.startsWith('/') ? rest : `/${rest}`, ownHost ?? (host || named))
}

const isSameHost = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * Only a path goes on. What two slashes begin is a host to some readers (RFC 3986 §4.2), so one is left; what a backslash
 * begins is one to browsers, who never send it.
 */
function pathOf(written: string, host: string): { readonly target: string; readonly host: string } | Refusal {
  if (ODD_PATH.test(written)) return refusal('bad-request', 'Its target is no path (RFC 9112 §3.2.1).')
  return { target: written.replace(/^\/{2,}/, '/'), host }
}
