/**
 * Link header (RFC 8288 §3): `<uri>; rel="next"; title="…", <uri2>; …`.
 *
 * Read in the spirit of its appendix B.2: what cannot be read is passed over up to the next comma, names are in any
 * case, the first of each parameter counts. Time is linear in the text, and everything is capped.
 */
import type { HeaderList } from '../capture.ts'
import { webUrl } from '../url/web-url.ts'

export interface HeaderLink {
  /** As written: to be resolved against the URL of the answer. */
  readonly href: string
  /** One link may have several; in lower case, since names of relations have no case (§2.1.1). */
  readonly rels: readonly string[]
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/** The links of one field value, or of several joined by commas. */
export function parseLinkHeader(value: string): readonly HeaderLink[] {
  const cursor = new Cursor(value.slice(0, MAX_CHARS))
  const links: HeaderLink[] = []
  while (links.length < MAX_LINKS && !cursor.isAtEnd) {
    cursor.take(SEPARATORS)
    const href = cursor.take(TARGET)?.[1]?.trim()
    if (href !== undefined) {
      const parameters = parametersAt(cursor)
      const rels = (parameters.get('rel') ?? '').toLowerCase().split(/\s+/)
      links.push({ href, parameters, rels: rels.filter((rel) => rel !== '') })
    }
    cursor.take(REST)
  }
  return links
}

/**
 * Where the links of an answer with this relation lead, absolute; `url` is what was asked for. Links that a header says
 * of another page (`anchor`, §3.2) are left out, for nobody vouches for them.
 */
export function linkTargets(headers: HeaderList, rel: string, url: string): readonly string[] {
  const values = headers.filter(([name]) => name.toLowerCase() === 'link').map(([, value]) => value)
  const links = parseLinkHeader(values.join(', ')).filter(({ rels }) => rels.includes(rel.toLowerCase()))
  const own = links.filter(({ parameters }) => webUrl(parameters.get('anchor') ?? '', url) === webUrl('', url))
  return [...new Set(own.flatMap(({ href }) => webUrl(href, url) ?? []))]
}

function parametersAt(cursor: Cursor): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  while (cursor.take(SEMICOLON) !== null) {
    const [, name, quoted, token] = cursor.take(PARAMETER) ?? []
    const key = name?.toLowerCase()
    if (key === undefined || parameters.has(key) || parameters.size >= MAX_PARAMETERS) continue
    parameters.set(key, quoted?.replace(/\\(.)/gs, '$1') ?? token ?? '')
  }
  return parameters
}

class Cursor {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** What a sticky pattern matches here, and past it. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    this.#at += match?.[0].length ?? 0
    return match
  }
}

const SEPARATORS = /[\s,]*/y
/** A URL has neither `<` nor `>`; stopping at both keeps a run of `<` linear. */
const TARGET = /<([^<>]*)>/y
const SEMICOLON = /\s*;\s*/y
const PARAMETER = /([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/sy
/** What is left of a link that is done with, or of what is no link. */
const REST = /[^,]*/y

const MAX_CHARS = 65_536
const MAX_LINKS = 256
const MAX_PARAMETERS = 32
