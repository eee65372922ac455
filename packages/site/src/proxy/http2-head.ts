/**
 * Heads of HTTP/2 in the words of HTTP/1, and the other way round. What HTTP/2 carries without harm, such as a line end in a
 * value, is how requests are smuggled where both meet: a head is made of lines first and then meets the very checks that all do.
 */
import type { OutgoingHttpHeaders } from 'node:http2'
import { isTrailer, WireHead } from '@comity/protocol'
import type { Trailers } from './asker.ts'

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
// oxlint-disable-next-line no-control-regex
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const PSEUDO: ReadonlySet<string> = new Set([':method', ':scheme', ':path', ':authority'])
/** Of a connection of HTTP/1 alone (RFC 9113 §8.2.2). */
const OF_HTTP1: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** As HTTP/1 would have it, or what is wrong with it. `isOpen`: more than the head follows, and it may not say how much. */
export function http1Head(raw: readonly string[], isOpen = false): WireHead | string {
  const pseudo = new Map<string, string>()
  const fields: [name: string, value: string][] = []
  const cookies: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at]!, raw[at + 1]!]
    if (!VALUE.test(value)) return 'A field has a control character.'
    if (name === ':protocol') return 'Extended CONNECT (RFC 8441) is not passed on here: a WebSocket goes by HTTP/1.1.'
    if (name.startsWith(':')) {
      if (!PSEUDO.has(name) || pseudo.has(name)) return 'It has a field of HTTP/2 twice, or one that nobody knows.'
      pseudo.set(name, value)
    } else if (!NAME.test(name)) return 'A field has no proper name.'
    else if (OF_HTTP1.has(name)) return `${name} has no place in HTTP/2 (RFC 9113 §8.2.2).`
    else if (name === 'cookie') cookies.push(value)
    else fields.push([name, value])
  }
  const hosts = fields.filter(([name]) => name === 'host').map(([, value]) => value)
  const authority = pseudo.get(':authority') ?? hosts[0] ?? ''
  if (hosts.some((host) => host.toLowerCase() !== authority.toLowerCase())) return 'Host and :authority differ.'
  const method = pseudo.get(':method') ?? ''
  const path = pseudo.get(':path') ?? (method === 'CONNECT' ? '*' : '')
  if (!/^\/|^\*$/.test(path)) return 'Its path is none (RFC 9113 §8.3.1).'
  if (!/^(?:https?|)$/i.test(pseudo.get(':scheme') ?? '')) return 'Its scheme is neither http nor https.'
  const head = new WireHead(`${method} ${path} HTTP/1.1`)
  add(head, 'host', authority)
  for (const [name, value] of fields) if (name !== 'host') add(head, name, value)
  if (isOpen && !head.names.includes('content-length')) add(head, 'transfer-encoding', 'chunked')
  // HTTP/2 may send crumbs (RFC 9113 §8.2.3).
  if (cookies.length > 0) add(head, 'cookie', cookies.join('; '))
  return head
}

function add(head: WireHead, name: string, value: string): void {
  head.names.push(name)
  head.lines.push(`${name}: ${value}\r\n`)
}

/** Lines of HTTP/1 as HTTP/2 writes them. */
export function http2Fields(lines: string): OutgoingHttpHeaders {
  const fields = new Map<string, string | string[]>()
  for (const line of lines.split('\r\n')) {
    if (line === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else if (name === 'set-cookie') fields.set(name, [before, value].flat())
    else fields.set(name, `${[before].flat().join(', ')}, ${value}`)
  }
  return Object.fromEntries(fields)
}

/** Fields behind a body, or what is wrong with them. */
export function http2Trailers(raw: readonly string[]): Trailers | string {
  const trailers: [name: string, value: string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at]!, raw[at + 1]!]
    if (!NAME.test(name) || !VALUE.test(value)) return 'It has no proper trailers.'
    if (!isTrailer(name)) return `${name} may not stand behind a body.`
    trailers.push([name, value])
  }
  return trailers
}
