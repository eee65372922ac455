/** HTTP/2 by hand (RFC 9113, RFC 7541), for tests: what a proper client never sends. */

export type Http2Field = readonly [name: string, value: string]

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [0, 1, 3, 4, 7]
const [END_STREAM, END_HEADERS] = [1, 4]

export const HTTP2_HELLO: Buffer = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0))])

export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A literal that nobody puts into a table, without Huffman: bytes as they are. */
export const literal = ([name, value]: Http2Field): Buffer => Buffer.concat([Buffer.from([0]), text(name), text(value)])

function text(characters: string): Buffer {
  const bytes = Buffer.from(characters, 'latin1')
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  // Longer ones: 127 in the prefix, and the rest in groups of seven bits (RFC 7541 §5.1).
  const length = [127]
  let rest = bytes.length - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128)
  return Buffer.concat([Buffer.from([...length, rest]), bytes])
}

/** A connection with one request on it. `data`: pieces of its body, the last of which ends it; none: the head does. */
export function http2Request(
  fields: readonly Http2Field[],
  data: readonly string[] = [],
  trailers: readonly Http2Field[] = [],
): Buffer {
  const hasBody = data.length > 0
  const pieces = data.map((piece, at) => {
    const isLast = at === data.length - 1 && trailers.length === 0
    return frame(DATA, isLast ? END_STREAM : 0, 1, Buffer.from(piece, 'latin1'))
  })
  return Buffer.concat([
    PREFACE,
    frame(SETTINGS, 0, 0, Buffer.alloc(0)),
    frame(HEADERS, END_HEADERS | (hasBody ? 0 : END_STREAM), 1, Buffer.concat(fields.map(literal))),
    ...pieces,
    ...(trailers.length === 0
      ? []
      : [frame(HEADERS, END_HEADERS | END_STREAM, 1, Buffer.concat(trailers.map(literal)))]),
  ])
}

/** It was answered to its end, reset, or the connection was given up. */
export function isHttp2Over(heard: string): boolean {
  const bytes = Buffer.from(heard, 'latin1')
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    const [type, flags] = [bytes[at + 3]!, bytes[at + 4]!]
    if (type === GOAWAY || type === RST_STREAM) return true
    if ((type === DATA || type === HEADERS) && (flags & END_STREAM) !== 0) return true
  }
  return false
}
