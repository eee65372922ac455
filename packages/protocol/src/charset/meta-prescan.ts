/** Meta prescan: the charset that a page names in its first bytes (HTML, "prescan a byte stream to determine its encoding"). */
import { encodingOf } from './decoders.ts'

/** How far into a page it is looked for before anything else is known of the page. */
export const PRESCAN_BYTES = 1_024

/** The first bytes in lower case, a character for each. */
export function headOf(bytes: Uint8Array): string {
  const head = bytes.subarray(0, PRESCAN_BYTES)
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1').toLowerCase()
}

export function prescanMeta(head: string): string | undefined {
  // Both ways to name a charset hold this; most pages without it are not worth a closer look.
  if (!head.includes('charset')) return undefined
  for (let at = head.indexOf('<'); at >= 0; at = head.indexOf('<', at)) {
    const first = head.charCodeAt(at + 1)
    if (head.startsWith('!--', at + 1)) {
      const end = head.indexOf('-->', at + 2)
      if (end < 0) break
      at = end + 3
    } else if (isLetter(first) || (first === 0x2f && isLetter(head.charCodeAt(at + 2)))) {
      const end = nameEnd(head, at + 1)
      const attributes = readAttributes(head, end)
      const { values } = attributes
      const found = head.slice(at, end) === '<meta' ? metaCharset((name) => values.get(name)) : undefined
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
  return undefined
}

/** HTML, "get an XML encoding": what XHTML says before its first element. */
export function xmlEncoding(head: string): string | undefined {
  const found = /^<\?xml\s[^>]*?encoding\s*=\s*(?:"([^">]*)"|'([^'>]*)')/.exec(head)
  return found === null ? undefined : metaEncodingOf(found[1] ?? found[2]!)
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

type MetaValue = (attribute: 'charset' | 'http-equiv' | 'content') => string | undefined

/** Of a `meta` among the first bytes, by its attributes: with a `charset` that nobody knows it says nothing. */
function metaCharset(valueOf: MetaValue): string | undefined {
  const own = valueOf('charset')
  return own === undefined ? pragmaCharset(valueOf) : metaEncodingOf(own)
}

/** Of one that comes when the page is being read: then its other attributes are looked at (HTML, 'A start tag whose tag name is "meta"'). */
export function lateMetaCharset(valueOf: MetaValue): string | undefined {
  const own = valueOf('charset')
  return (own === undefined ? undefined : metaEncodingOf(own)) ?? pragmaCharset(valueOf)
}

function pragmaCharset(valueOf: MetaValue): string | undefined {
  if (valueOf('http-equiv')?.toLowerCase() !== 'content-type') return undefined
  const label = charsetInContent(valueOf('content') ?? '')
  return label === undefined ? undefined : metaEncodingOf(label)
}

/** As `encodingOf`, for a page that is readable as ASCII and hence cannot be in UTF-16. */
function metaEncodingOf(label: string): string | undefined {
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252'
  const name = encodingOf(label)
  return name?.startsWith('utf-16') === true ? 'utf-8' : name
}

/** HTML, "extracting a character encoding from a meta element". */
function charsetInContent(content: string): string | undefined {
  const found = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(content)
  return found === null ? undefined : (found[1] ?? found[2] ?? found[3])
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
