/**
 * The element and attribute names the HTML reader knows, and a lookup that finds them in place.
 *
 * A crawl meets some five hundred tags a page. Making a string of each name only to compare it would cost more than
 * all the rest, so names are packed into integers where they stand in the code units.
 */

/** What an element means to the scanner and the reader; an element may be several. */
export const LINE = 1
export const CELL = 2
/** Its attributes are read; those of other elements are stepped over. */
export const ATTRIBUTES = 4
/** The reader does something at its tags beyond spacing. */
export const ACTS = 8
/** Text up to its end tag holds no tags and no character references, nor, unless `SHOWN`, anything to show. */
export const RAW = 16
/** Text up to its end tag holds character references but no tags. */
export const RCDATA = 32
/** SVG and MathML: other rules inside (HTML, "the rules for parsing tokens in foreign content"). */
export const FOREIGN = 64
/** Inside foreign content, a place where HTML rules hold again. */
export const ISLAND = 128
/** Its start tag ends foreign content: nobody means a `div` to be part of a drawing. */
export const BREAKOUT = 256
/** Its raw text is for the reader. */
export const SHOWN = 512

const READ = ATTRIBUTES | ACTS

// oxfmt-ignore
const elements: readonly (readonly [flags: number, names: string])[] = [
  [READ, 'a area base link frame source video audio track object input'],
  [READ | BREAKOUT, 'meta img embed'],
  [READ | RAW, 'script iframe'],
  [READ | LINE, 'html'],
  [RAW, 'style noembed noframes'],
  [LINE | RAW | SHOWN, 'xmp'],
  [LINE | ACTS | RCDATA, 'title'],
  [LINE | RCDATA, 'textarea'],
  [LINE, 'plaintext'],
  [ACTS, 'template'],
  [LINE | ACTS | BREAKOUT, 'h1 h2 h3 h4 h5 h6 body'],
  [LINE | BREAKOUT, 'blockquote br center dd div dl dt head hr li listing menu ol p pre table ul'],
  [LINE, 'address article aside caption details dialog dir fieldset figcaption figure footer form header hgroup ' +
         'legend main nav optgroup option search section select summary tbody tfoot thead tr'],
  [CELL, 'td th'],
  [FOREIGN, 'svg math'],
  [ISLAND, 'foreignobject desc'],
  [BREAKOUT, 'b big code em i nobr ruby s small span strike strong sub sup tt u var'],
]

/** At most 31, so that the attributes seen on one tag fit the bits of a small integer. */
const attributes = 'href src srcset rel alt name content http-equiv lang type poster data charset'

/**
 * What a code unit is in a name: 0 ends it, 1 to 37 are letters of either case, digits and the dash, and 63 is
 * anything else. Above 127 all is 63.
 */
const nameClasses: Uint8Array = new Uint8Array(128).fill(63)
for (const end of '\t\n\f\r />') nameClasses[end.charCodeAt(0)] = 0
for (const [place, letter] of Array.from('abcdefghijklmnopqrstuvwxyz0123456789-').entries()) {
  nameClasses[letter.charCodeAt(0)] = nameClasses[letter.toUpperCase().charCodeAt(0)] = place + 1
}

export function nameClass(code: number): number {
  return code < 128 ? nameClasses[code]! : 63
}

export function isLetter(code: number): boolean {
  const letter = code | 0x20
  return letter >= 97 && letter <= 122
}

export function isSpace(code: number): boolean {
  return code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c)
}

export function endsName(code: number): boolean {
  return nameClass(code) === 0
}

/** Five letters of six bits make a key that says it all; longer names are compared letter by letter. */
const KEY_LETTERS = 5
const SLOTS = 1024

/** Finds lower-case names in code units, whatever their case there. Names are numbered from 1; 0 is none of them. */
class NameTable {
  readonly names: readonly string[]
  readonly #slots: Uint8Array = new Uint8Array(SLOTS)
  readonly #keys: Int32Array
  readonly #lengths: Uint8Array

  constructor(names: readonly string[]) {
    this.names = ['', ...names]
    this.#keys = Int32Array.from(this.names, keyOf)
    this.#lengths = Uint8Array.from(this.names, (name) => name.length)
    for (let id = 1; id < this.names.length; id++) {
      let slot = slotOf(this.#keys[id]!)
      while (this.#slots[slot] !== 0) slot = (slot + 1) % SLOTS
      this.#slots[slot] = id
    }
  }

  idOf(name: string): number {
    return Math.max(0, this.names.indexOf(name))
  }

  /** `key` is each letter's class, shifted left by six for every further one: the last five letters and a bit. */
  find(key: number, codes: Uint16Array, start: number, end: number): number {
    for (let slot = slotOf(key); ; slot = (slot + 1) % SLOTS) {
      const id = this.#slots[slot]!
      if (id === 0) return 0
      if (this.#keys[id] !== key || this.#lengths[id] !== end - start) continue
      if (end - start <= KEY_LETTERS || this.matches(id, codes, start, end)) return id
    }
  }

  matches(id: number, codes: Uint16Array, start: number, end: number): boolean {
    const name = this.names[id]!
    if (name.length !== end - start) return false
    for (let at = 0; at < name.length; at++) {
      if (nameClass(codes[start + at]!) !== nameClasses[name.charCodeAt(at)]) return false
    }
    return true
  }
}

function keyOf(name: string): number {
  let key = 0
  for (let at = 0; at < name.length; at++) key = (key << 6) | nameClass(name.charCodeAt(at))
  return key
}

function slotOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 22
}

const elementList = elements.flatMap(([flags, names]) => names.split(' ').map((name) => [name, flags] as const))

export const elementNames: NameTable = new NameTable(elementList.map(([name]) => name))
export const attributeNames: NameTable = new NameTable(attributes.split(' '))
/** The flags of each element by its number. */
export const elementFlags: Uint16Array = Uint16Array.from([0, ...elementList.map(([, flags]) => flags)])
