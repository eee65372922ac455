/**
 * XML encoding: how the bytes of an XML document become text. A byte order mark, the zeros of UTF-16, or what the XML
 * declaration says; UTF-8 otherwise (XML 1.0, appendix F). Only the first bytes are looked at, so that it does not matter in
 * which pieces a document comes.
 */
import { TextDecoder } from 'node:util'

/** So many bytes have to be there, or the end. */
export const SNIFF_BYTES = 256

/** `isKnown`: false where it names an encoding that nobody knows; most such files are UTF-8 or ASCII all the same. */
export function xmlDecoder(bytes: Uint8Array): { readonly decoder: TextDecoder; readonly isKnown: boolean } {
  try {
    return { decoder: new TextDecoder(sniffEncoding(bytes)), isKnown: true }
  } catch {
    return { decoder: new TextDecoder(), isKnown: false }
  }
}

function sniffEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  if (first === 0xef && second === 0xbb) return 'utf-8'
  const head = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1')
  const named = /^\s{0,99}<\?xml[^>]{0,99}\sencoding\s?=\s?["']([\w:.-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8'
  // Read as ASCII it cannot be in UTF-16: many programs write the declaration before the encoding is chosen.
  return /^(?:utf-?16|ucs-2|iso-10646-ucs-2|unicode)/i.test(named) ? 'utf-8' : named
}
