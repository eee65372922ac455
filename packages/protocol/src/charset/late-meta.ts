/**
 * Late meta: the charset that a page names behind its first bytes. A browser that meets it reads the page again (HTML, "changing
 * the encoding while parsing"), and so a `meta` counts that is an element: one in a comment, a script, a title or a template does not.
 */
import { IN_ATTRIBUTE, FoldedText, TO_TAG } from '../html/html-text.ts'
import { attributeNames, elementNames } from '../html/html-names.ts'
import { HtmlScanner } from '../html/scanner.ts'
import type { HtmlSink } from '../html/scanner.ts'
import { lateMetaCharset } from './meta-prescan.ts'

/** A page that has not come to it by then has none. */
const MOST_BYTES = 1 << 20
/** Of a page that is ASCII, which hardly a charset changes a character of. */
const MOST_ASCII_BYTES = 1 << 12
const PIECE = 1 << 14
const MOST_VALUE = 1_000
/** That name no charset anybody knows. */
const MOST_METAS = 64

const META = elementNames.idOf('meta')
const TEMPLATE = elementNames.idOf('template')
const LESS = 0x3c

export function lateMeta(bytes: Uint8Array, isPlain: boolean): string | undefined {
  const part = bytes.subarray(0, isPlain ? MOST_ASCII_BYTES : MOST_BYTES)
  const text = Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  // Hardly a page that says nothing at its beginning says more later.
  if (!/<meta[\s/]/i.test(text) || !/charset/i.test(text)) return undefined
  const finder = new MetaFinder()
  for (let at = 0; at < text.length && finder.found === undefined; at += PIECE)
    finder.scanner.write(text.slice(at, at + PIECE))
  if (finder.found === undefined) finder.scanner.end()
  return finder.found
}

class MetaFinder implements HtmlSink {
  readonly scanner: HtmlScanner = new HtmlScanner(this)
  readonly #value = new FoldedText()
  found: string | undefined
  #templates = 0
  #metas = 0

  text(start: number, end: number, how: number): number {
    if ((how & TO_TAG) === 0) return end
    const tag = this.scanner.codes.indexOf(LESS, start)
    return tag < 0 || tag > end ? end : tag
  }

  open(element: number): void {
    // In a drawing it is an element like any other.
    if (element === TEMPLATE && (this.#templates > 0 || !this.scanner.inForeign)) this.#templates++
    else if (element === META && this.#templates === 0 && this.#metas++ < MOST_METAS)
      this.found ??= lateMetaCharset((name) => this.#valueOf(name))
  }

  close(element: number): void {
    if (element === TEMPLATE) this.#templates = Math.max(0, this.#templates - 1)
  }

  #valueOf(name: string): string | undefined {
    const attribute = attributeNames.idOf(name)
    const { attributes, codes } = this.scanner
    if (!attributes.has(attribute)) return undefined
    this.#value.clear(MOST_VALUE)
    this.#value.append(codes, attributes.starts[attribute]!, attributes.ends[attribute]!, IN_ATTRIBUTE)
    return this.#value.whole()
  }
}
