/**
 * Which charset a page is written in, decided as browsers decide it: byte order mark, then Content-Type, then the
 * first 1,024 bytes, then a look at the bytes (HTML, "determining the character encoding"; Encoding standard).
 */
import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

export interface Charset {
  /** The Encoding standard's name, lower-case: `utf-8`, `windows-1252`, `shift_jis`. */
  readonly label: string
  readonly source: 'bom' | 'header' | 'meta' | 'guess'
}

export interface DecodedText {
  readonly text: string
  readonly charset: Charset
}

/** How far into a page its own word on the matter counts. */
const PRESCAN_BYTES = 1_024
/** Longer than any Content-Type that means well. */
const MAX_HEADER = 1_000

export function sniffCharset(bytes: Uint8Array, contentType?: string): Charset {
  const bom = bomOf(bytes)
  if (bom !== undefined) return { label: bom, source: 'bom' }
  const header = headerCharset(contentType)
  if (header !== undefined) return { label: header, source: 'header' }
  const meta = prescan(bytes)
  if (meta !== undefined) return { label: meta, source: 'meta' }
  return { label: isUtf8(wholeCharacters(bytes)) ? 'utf-8' : 'windows-1252', source: 'guess' }
}

/** The text of a body, without its byte order mark. Never throws: what is not in the charset becomes U+FFFD. */
export function decodeText(bytes: Uint8Array, contentType?: string): DecodedText {
  const charset = sniffCharset(bytes, contentType)
  const { label } = charset
  // A string known to be Latin-1 takes one byte a character and is the quickest to scan. Only these two are asked, as
  // the bytes of some other charsets look like ASCII and are not.
  const sharesAscii = label === 'utf-8' || label === 'windows-1252'
  if (sharesAscii && isAscii(bytes)) return { text: asBuffer(bytes).toString('latin1'), charset }
  return { text: decoderOf(label)!.decode(bytes), charset }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function bomOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

/** Without a last character that is only half there, as in a body that was cut. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1
  while (start > bytes.length - 4 && start > 0 && (bytes[start]! & 0xc0) === 0x80) start--
  const lead = bytes[start] ?? 0
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + size > bytes.length ? bytes.subarray(0, start) : bytes
}

/** The `charset` parameter of a Content-Type, as a name we can decode. */
export function headerCharset(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i.exec(contentType.slice(0, MAX_HEADER))
  return found === null ? undefined : encodingOf(found[1] ?? found[2] ?? found[3]!)
}

const decoders = new Map<string, TextDecoder>()

/** A decoder by its standard name; made once, and only for names that exist, so the map stays small. */
function decoderOf(name: string): TextDecoder | undefined {
  const known = decoders.get(name)
  if (known !== undefined) return known
  try {
    const decoder = new TextDecoder(name)
    decoders.set(decoder.encoding, decoder)
    return decoder
  } catch {
    // Not a label of the Encoding standard, or one this runtime cannot decode: the next source decides.
    return undefined
  }
}

/** The standard name for a label a page or server gives (Encoding standard §4.2). */
function encodingOf(label: string): string | undefined {
  const trimmed = label.trim().toLowerCase()
  return trimmed.length > 40 ? undefined : decoderOf(trimmed)?.encoding
}

/** As `encodingOf`, for a page that is readable as ASCII and hence cannot be in UTF-16. */
function metaEncodingOf(label: string): string | undefined {
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const name = encodingOf(label)
  return name?.startsWith('utf-16') === true ? 'utf-8' : name
}

/** HTML, "prescan a byte stream to determine its encoding", on the lower-cased first bytes. */
function prescan(bytes: Uint8Array): string | undefined {
  const head = asBuffer(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1').toLowerCase()
  // Both ways to name a charset hold this; most pages without it are not worth a closer look.
  if (!head.includes('charset')) return xmlEncoding(head)
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at)) {
    const first = head.charCodeAt(at + 1)
    if (head.startsWith('!--', at + 1)) {
      const end = head.indexOf('-->', at + 2)
      if (end < 0) break
      at = end + 3
    } else if (isLetter(first) || (first === 0x2f && isLetter(head.charCodeAt(at + 2)))) {
      const end = nameEnd(head, at + 1)
      const attributes = readAttributes(head, end)
      const found = head.slice(at, end) === '<meta' ? metaCharset(attributes.values) : undefined
      if (found !== undefined) return found
      at = attributes.end
    } else if (first === 0x21 || first === 0x2f || first === 0x3f) {
      const end = head.indexOf('>', at)
      if (end < 0) break
      at = end + 1
    } else {
      at++
    }
  }
  return xmlEncoding(head)
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122
}

/** Where a tag's name ends: at white space, `/` or `>`. */
function nameEnd(head: string, start: number): number {
  let at = start + 1
  while (at < head.length && head.charCodeAt(at) > 0x20 && head[at] !== '>' && head[at] !== '/') at++
  return at
}

function metaCharset(values: ReadonlyMap<string, string>): string | undefined {
  const own = values.get('charset')
  if (own !== undefined) return metaEncodingOf(own)
  if (values.get('http-equiv') !== 'content-type') return undefined
  const label = charsetInContent(values.get('content') ?? '')
  return label === undefined ? undefined : metaEncodingOf(label)
}

/** HTML, "extracting a character encoding from a meta element". */
function charsetInContent(content: string): string | undefined {
  const found = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/.exec(content)
  return found === null ? undefined : (found[1] ?? found[2] ?? found[3])
}

/** HTML, "get an XML encoding": what XHTML says before its first element. */
function xmlEncoding(head: string): string | undefined {
  const found = /^<\?xml\s[^>]*?encoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')/.exec(head)
  return found === null ? undefined : metaEncodingOf(found[1] ?? found[2]!)
}

const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(?=>)))?/y

/** HTML, "get an attribute", until there is none left; of two with one name the first counts. */
function readAttributes(head: string, start: number): { values: Map<string, string>; end: number } {
  const values = new Map<string, string>()
  let end = start
  while (end < head.length && head[end] !== '>') {
    attribute.lastIndex = end
    const found = attribute.exec(head)
    if (found === null) break
    end = attribute.lastIndex
    const name = found[1]!
    if (!values.has(name)) values.set(name, found[2] ?? found[3] ?? found[4] ?? '')
  }
  return { values, end }
}
