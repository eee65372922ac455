/**
 * HTML places: what kind of place each hole of a template stands in, read from the template's fixed parts alone.
 *
 * A value is safe or not only for its place: `javascript:…` is harmless as text and a program as an href. So the fixed
 * parts are scanned once per template, and a hole where no escaping would be enough (a script, an event handler, a
 * style, an unquoted value, half an address) is refused there and then: it is a bug, and no visitor has to find it.
 *
 *   text ──<──▶ tag name ──space──▶ tag ──name──▶ attribute ──=──▶ before value ──quote──▶ value
 *    ▲                                │                                                     │
 *    └───────────────>────────────────┘◀──────────────────────quote─────────────────────────┘
 */
export type Place =
  | { readonly kind: 'text' }
  /** Whole attributes, as `attributes()` makes them. */
  | { readonly kind: 'attributes' }
  | { readonly kind: 'value'; readonly attribute: string }
  /** The whole of an address that a browser would follow or load. */
  | { readonly kind: 'address'; readonly attribute: string }

/** Attributes whose value is an address. */
export const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data'])

/** Attributes that hold a program, a style, a document or a list of addresses: never with a value from outside. */
export const isForbidden = (attribute: string): boolean =>
  /^on|^(?:style|srcdoc|srcset|http-equiv|xlink:href)$/.test(attribute)

export class TemplateError extends Error {
  override readonly name: string = 'TemplateError'
}

/** One place for each hole between two of `parts`. Throws TemplateError for a hole that nothing may fill. */
export function placesOf(parts: readonly string[]): readonly Place[] {
  const scanner = new Scanner()
  const places: Place[] = []
  for (const [i, part] of parts.entries()) {
    scanner.read(part)
    if (i < parts.length - 1) places.push(scanner.hole(parts[i + 1]!))
  }
  if (scanner.state !== 'text') throw new TemplateError(`the template ends inside a tag: …${parts.at(-1)!.slice(-40)}`)
  return places
}

type State = 'text' | 'raw' | 'tag-name' | 'tag' | 'attribute' | 'before-value' | 'value'

class Scanner {
  state: State = 'text'
  #tag = ''
  #attribute = ''
  #quote = ''
  /** Nothing of the value has been read yet. */
  #isStart = false

  read(part: string): void {
    for (let i = 0; i < part.length; i++) this.#step(part.charAt(i), part.slice(i + 1, i + 4))
  }

  hole(next: string): Place {
    if (this.state === 'text') return { kind: 'text' }
    // Directly after the name too: attributes bring their own space.
    if (this.state === 'tag' || (this.state === 'tag-name' && this.#tag !== '')) return { kind: 'attributes' }
    if (this.state !== 'value') throw new TemplateError(`nothing may be filled in at ${this.state} of <${this.#tag}`)
    const attribute = this.#attribute
    if (isForbidden(attribute)) throw new TemplateError(`nothing may be filled in at ${attribute}= of <${this.#tag}>`)
    if (!ADDRESSES.has(attribute)) {
      this.#isStart = false
      return { kind: 'value', attribute }
    }
    // Half an address cannot be judged: "/" + "/elsewhere" leaves this server.
    if (this.#isStart && next.startsWith(this.#quote)) return { kind: 'address', attribute }
    throw new TemplateError(`${attribute}= of <${this.#tag}> must be filled in whole`)
  }

  #step(c: string, ahead: string): void {
    if (this.state === 'text') this.#inText(c, ahead)
    else if (this.state === 'raw') this.#inRaw(c, ahead)
    else if (this.state === 'value') this.#inValue(c)
    else this.#inTag(c)
  }

  #inText(c: string, ahead: string): void {
    if (c !== '<') return
    if (ahead.startsWith('!--')) throw new TemplateError('a template has no comments')
    ;[this.state, this.#tag] = ['tag-name', '']
  }

  #inRaw(c: string, ahead: string): void {
    if (c === '<' && ahead.startsWith('/')) [this.state, this.#tag] = ['tag-name', '']
  }

  #inValue(c: string): void {
    this.#isStart = false
    if (c === this.#quote) this.state = 'tag'
  }

  #inTag(c: string): void {
    if (c === '>') this.state = /^(?:script|style)$/i.test(this.#tag) ? 'raw' : 'text'
    else if (this.state === 'before-value') this.#openValue(c)
    else if (/[\s/]/.test(c) && this.#tag !== '') this.state = 'tag'
    else if (this.state === 'tag-name') this.#tag += c
    else if (c === '=') this.state = 'before-value'
    else if (this.state === 'attribute') this.#attribute += c.toLowerCase()
    else [this.state, this.#attribute] = ['attribute', c.toLowerCase()]
  }

  #openValue(c: string): void {
    if (c !== '"' && c !== "'") throw new TemplateError(`${this.#attribute}= of <${this.#tag}> is not quoted`)
    ;[this.state, this.#quote, this.#isStart] = ['value', c, true]
  }
}
