/** Chunked body: takes the chunked transfer coding off (RFC 9112 §7.1), for files whose writers left it on. */

/** The bytes inside the chunks; undefined when these bytes are not chunks from the first to the last. */
export function dechunk(bytes: Uint8Array): Buffer | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: Uint8Array[] = []
  let at = 0
  while (at < buffer.length) {
    const newline = buffer.indexOf(10, at)
    if (newline < 0 || newline - at > SIZE_LINE_BYTES) return undefined
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?$/i.exec(buffer.toString('latin1', at, newline).trimEnd())?.[1]
    if (size === undefined) return undefined
    const start = newline + 1
    const end = start + Number.parseInt(size, 16)
    if (end === start) return Buffer.concat(parts)
    if (end > buffer.length) return undefined
    parts.push(buffer.subarray(start, end))
    if (buffer[end] === 13) at = end + 2
    else if (buffer[end] === 10) at = end + 1
    else return undefined
  }
  return undefined
}

/** A chunk size may carry extensions; nobody sends long ones but to waste memory. */
const SIZE_LINE_BYTES = 4_096
