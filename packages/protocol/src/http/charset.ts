/**
 * Which charset a page is written in, decided as browsers decide it: byte order mark, then Content-Type, then what the page says
 * itself, in its first 1,024 bytes or later, then what the bytes look like (HTML, "determining the character encoding"; Encoding
 * standard). XML says it in its declaration alone.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { guessCharset } from '../charset/charset-guess.ts'
import { decodeAs, encodingOf } from '../charset/decoders.ts'
import { lateMeta } from '../charset/late-meta.ts'
import { headOf, PRESCAN_BYTES, prescanMeta, xmlEncoding } from '../charset/meta-prescan.ts'
import { essenceOf, mediaKindOf } from './media-kind.ts'

export interface Charset {
  /** The Encoding standard's name, lower-case: `utf-8`, `windows-1252`, `shift_jis`. */
  readonly label: string
  /** `late-meta`: the page says so itself, but only behind its first 1,024 bytes. */
  readonly source: 'bom' | 'header' | 'meta' | 'late-meta' | 'guess'
}

export interface DecodedText {
  readonly text: string
  readonly charset: Charset
}

/** Longer than any Content-Type that means well. */
const MAX_HEADER = 1_000

export function sniffCharset(bytes: Uint8Array, contentType?: string): Charset {
  const bom = bomOf(bytes)
  if (bom !== undefined) return { label: bom, source: 'bom' }
  const header = headerCharset(contentType)
  if (header !== undefined) return { label: header, source: 'header' }
  const isPlain = isAscii(bytes)
  return saidInside(bytes, contentType, isPlain) ?? { label: guessCharset(bytes, isPlain), source: 'guess' }
}

/** Each kind of document says it in its own way, and none in that of another: a script that writes a page is none. */
function saidInside(bytes: Uint8Array, contentType: string | undefined, isPlain: boolean): Charset | undefined {
  const head = headOf(bytes)
  const xml = xmlEncoding(head)
  const declared: Charset | undefined = xml === undefined ? undefined : { label: xml, source: 'meta' }
  // To a reader of XML a `meta` says nothing, and what declares nothing is UTF-8 (XML 1.0 §4.3.3), if it can be.
  const isSettled = isXml(contentType) && (declared !== undefined || isUtf8(bytes))
  if (isSettled || !isPage(contentType)) return declared
  const meta = prescanMeta(head)
  if (meta !== undefined) return { label: meta, source: 'meta' }
  const late = bytes.length > PRESCAN_BYTES ? lateMeta(bytes, isPlain) : undefined
  return late === undefined ? declared : { label: late, source: 'late-meta' }
}

const isXml = (contentType: string | undefined): boolean =>
  /^(?:text|application)\/(?:\S+\+)?xml$/.test(essenceOf(contentType))

/** A text about HTML may well have a `meta` in it, as may a script that writes some. */
const isPage = (contentType: string | undefined): boolean => ['page', 'other'].includes(mediaKindOf(contentType))

/**
 * The text of a body, without its byte order mark. Never throws: what is not in the charset becomes U+FFFD. With `mostBytes`
 * that of its beginning, in the charset of the whole.
 */
export function decodeText(bytes: Uint8Array, contentType?: string, mostBytes: number = Infinity): DecodedText {
  const charset = sniffCharset(bytes, contentType)
  const { label } = charset
  const part = bytes.length > mostBytes ? bytes.subarray(0, mostBytes) : bytes
  // A string known to be Latin-1 takes one byte a character and is the quickest to scan. Only these two are asked, as
  // the bytes of some other charsets look like ASCII and are not.
  const sharesAscii = label === 'utf-8' || label === 'windows-1252'
  if (sharesAscii && isAscii(part)) return { text: latin1Of(part), charset }
  return { text: decodeAs(label, part), charset }
}

function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function bomOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

/** The `charset` parameter of a Content-Type, as a name we can decode. */
export function headerCharset(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType.slice(0, MAX_HEADER))
  return found === null ? undefined : encodingOf(found[1] ?? found[2] ?? found[3]!)
}
