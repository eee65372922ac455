/**
 * Which lines of a head go on to the next hop. Fields of this hop alone do not (RFC 9110 §7.6.1): those that are so by
 * themselves, and those that Connection names, except what a message cannot do without, for a client could take it away
 * from others that way. Framing is written anew by whoever sends.
 */
import type { WireHead } from '@comity/protocol'

/** A trusted request comes from a proxy of ours: what it says of the client passes on. */
type HeadKind = 'request' | 'trusted-request' | 'response'

const HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'content-length', 'upgrade']
/** `Proxy` becomes a setting of programs behind CGI. */
const ASKED = [...HOP, 'host', 'proxy', 'http2-settings']
const SAID = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-real-ip']

const LEFT_OUT: Readonly<Record<HeadKind, ReadonlySet<string>>> = {
  request: new Set([...ASKED, ...SAID]),
  // Of these there is one value each, so it is written anew.
  'trusted-request': new Set([...ASKED, 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port']),
  response: new Set(HOP),
}

/** Fields that say where a client is are ours to write, whatever they are called after that beginning. */
const OWN_WORD = 'x-forwarded-'

/** Programs behind CGI and the like take an underscore for a dash: what is left out is left out in both spellings. */
function isLeftOut(name: string, kind: HeadKind): boolean {
  const plain = name.includes('_') ? name.replaceAll('_', '-') : name
  return LEFT_OUT[kind].has(plain) || (kind === 'request' && plain.startsWith(OWN_WORD))
}

/** What Connection may not take away. */
const KEPT = new Set([
  'authorization',
  'cache-control',
  'content-type',
  'content-encoding',
  'content-range',
  'cookie',
  'date',
  'etag',
  'expect',
  'host',
  'location',
  'range',
  'set-cookie',
  'via',
  'vary',
])
const USUAL = new Set(['close', 'keep-alive', 'upgrade', 'te', ''])

export function exchangeLines(head: WireHead, tokens: readonly string[], kind: HeadKind): string {
  const named = tokens.length === 0 ? undefined : tokens.filter((token) => !USUAL.has(token) && !KEPT.has(token))
  const { names, lines } = head
  let observed = ''
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!
    if (isLeftOut(name, kind)) continue
    if (named !== undefined && named.length > 0 && named.includes(name)) continue
    observed += lines[at]!
  }
  return observed
}
