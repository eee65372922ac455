/** What a message of HTTP/1 begins with: to tell who is the client, to find the thread again, to see what is no HTTP. */
import type { Direction, Flow } from '../flows/flow.ts'
import { beginOfAnswer } from './head.ts'

const METHODS =
  /^(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|TRACE|CONNECT|PATCH|PROPFIND|PROPPATCH|REPORT|SEARCH|QUERY|MKCOL|COPY|MOVE|LOCK|UNLOCK) /

type Role = 'request' | 'response'

/** Whether a packet begins a message: asked where the thread was lost, and of a connection whose sides are not known. */
export function beginsMessage(bytes: Uint8Array, role: Role): boolean {
  const text = latin1(bytes, 16)
  return role === 'response' ? /^HTTP\/1\.[01] /.test(text) : METHODS.test(text)
}

/** Whether it can be the beginning of a head at all; true while too little is there to tell. */
export function mayBegin(bytes: Uint8Array, role: Role): boolean {
  const text = latin1(bytes, 48)
  if (role === 'request') {
    // TLS, and most that is not text, begins below the blank.
    return /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}(?:\s|$)/.test(text)
  }
  if (beginOfAnswer(text) !== -1) return true
  const shown = text.replace(/^[\s\0]{1,8}/, '').toUpperCase()
  return shown === '' || (shown.length < 4 && ('HTTP'.startsWith(shown) || 'ICY'.startsWith(shown)))
}

/** The first bytes of TLS, of HTTP/2 and of SSH: nothing to be read here. */
export function isOtherProtocol(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x16 && bytes[1] === 3) return true
  return /^(?:PRI \* HTTP\/2|SSH-)/.test(latin1(bytes, 16))
}

/** Which side asks; undefined: it is no HTTP. Ports tell nothing; what is said does, and failing that who opened the connection. */
export function clientOf(flow: Flow, direction: Direction, bytes: Uint8Array): Direction | undefined {
  if (isOtherProtocol(bytes)) return undefined
  const other: Direction = direction === 0 ? 1 : 0
  if (beginsMessage(bytes, 'response')) return other
  if (beginsMessage(bytes, 'request')) return direction
  return flow.client === -1 ? undefined : flow.client
}

const latin1 = (bytes: Uint8Array, most: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, most)).toString('latin1')
