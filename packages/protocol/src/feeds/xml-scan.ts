/**
 * XML scan: tags and text from what only resembles XML, for documents a real parser refuses.
 *
 * It knows tags, text, CDATA and comments, and nothing else is an error: a `<` that begins no tag is text, an `&` that
 * begins no known reference too. Time is linear in the input, memory is bounded by the longest tag allowed.
 */
import { tableOf } from '../lookup.ts'
export interface XmlEvents {
  /** `attribute` and `attributes`, which gives all, may be called only before `open` returns. */
  open(name: string, attribute: (name: string) => string | undefined, attributes: () => XmlAttributes): void
  text(text: string): void
  close(name: string): void
}

/** By name, prefix included; the first of each name. */
export type XmlAttributes = ReadonlyMap<string, string>

export class XmlScan {
  readonly #events: XmlEvents
  #held = ''
  /** What ends the part we are inside of. */
  #until: '' | '-->' | ']]>' | '?>' = ''

  constructor(events: XmlEvents) {
    this.#events = events
  }

  write(text: string): void {
    this.#held += text
    this.#scan(false)
  }

  end(): void {
    this.#scan(true)
    if (this.#until !== '-->' && this.#held !== '') this.#text(this.#held)
    this.#held = ''
  }

  #scan(ended: boolean): void {
    const text = this.#held
    let at = 0
    while (at < text.length) {
      const next = this.#until === '' ? this.#markup(text, at, ended) : this.#inside(text, at)
      if (next === at) break
      at = next
    }
    this.#held = text.slice(at)
  }

  /** Inside CDATA, a comment or an instruction: everything up to its end. */
  #inside(text: string, at: number): number {
    const end = text.indexOf(this.#until, at)
    // The last two characters may be the first of the end mark.
    const stop = end < 0 ? Math.max(at, text.length - 2) : end
    if (this.#until === ']]>' && stop > at) this.#events.text(text.slice(at, stop))
    if (end < 0) return stop
    this.#until = ''
    return end + 3 - (text[end] === '?' ? 1 : 0)
  }

  #markup(text: string, at: number, ended: boolean): number {
    if (text[at] !== '<') return this.#run(text, at, ended)
    for (const [start, until] of PARTS) {
      if (text.startsWith(start, at)) {
        this.#until = until
        return at + start.length
      }
      if (!ended && start.startsWith(text.slice(at, at + start.length))) return at
    }
    let end = at + 1
    // A run of them is noise.
    while (text[end] === '<' && text[end + 1] === '<') end += 1
    while (end < text.length && text[end] !== '>' && text[end] !== '<') end += 1
    if (end === text.length && !ended && end - at < TAG_CHARS) return at
    if (text[end] === '>' && end - at < TAG_CHARS) this.#tag(text.slice(at + 1, end))
    else this.#text(text.slice(at, end))
    return text[end] === '>' ? end + 1 : end
  }

  #run(text: string, at: number, ended: boolean): number {
    const end = text.indexOf('<', at)
    // Text is held back until a tag ends it, so that no reference is cut in two.
    if (end < 0 && !ended && text.length - at < TAG_CHARS) return at
    this.#text(text.slice(at, end < 0 ? text.length : end))
    return end < 0 ? text.length : end
  }

  #text(text: string): void {
    this.#events.text(decodeReferences(text))
  }

  #tag(inner: string): void {
    const [, slash, name] = /^(\/?)\s*([^\s/>"'=]{1,200})/.exec(inner) ?? []
    if (name === undefined || !/^[A-Za-z_]/.test(name)) return
    if (slash === '/') return this.#events.close(name)
    this.#events.open(
      name,
      (wanted) => attributeOf(inner, wanted),
      () => attributesOf(inner),
    )
    if (inner.endsWith('/')) this.#events.close(name)
  }
}

const PARTS: readonly (readonly [start: string, until: '-->' | ']]>' | '?>'])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]
const TAG_CHARS = 16_384

function attributeOf(inner: string, wanted: string): string | undefined {
  for (const match of inner.matchAll(ATTRIBUTE)) {
    if (match[1] === wanted) return decodeReferences(match[2] ?? match[3] ?? '')
  }
  return undefined
}

function attributesOf(inner: string): XmlAttributes {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of inner.matchAll(ATTRIBUTE)) {
    if (!found.has(name)) found.set(name, decodeReferences(double ?? single ?? ''))
  }
  return found
}

const ATTRIBUTE = /\s([\w:.-]{1,64})\s?=\s?(?:"([^"]*)"|'([^']*)')/g

/** The five predefined entities and character references; whatever else follows an `&` stays as it is. */
function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (all, decimal, hex, name) => {
    if (typeof name === 'string') return PREDEFINED.get(name) ?? all
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code > 0x10ffff ? all : String.fromCodePoint(code)
  })
}

const PREDEFINED: ReadonlyMap<string, string> = tableOf({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })
