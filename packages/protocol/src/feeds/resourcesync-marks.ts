/**
 * ResourceSync marks: what the attributes of an `rs:md` or `rs:ln` say, each checked and capped. A value that is none
 * is left out and counted; it never takes the rest of its element with it.
 */
import { parseClaimedDate } from './claimed-date.ts'
import type { ChangeKind } from './page-entry.ts'
import { COMITY_NAMESPACE, SYNC_CAPABILITIES } from './resourcesync.ts'
import type { SyncCapability, SyncFacts, SyncLink } from './resourcesync.ts'
import type { SitemapMark } from './sitemap-entry.ts'
import { webUrl } from '../url/web-url.ts'
import type { XmlAttributes } from './xml-scan.ts'

export type MarkProblem =
  | 'unknown-capability'
  | 'bad-change'
  | 'bad-date'
  | 'bad-hash'
  | 'bad-length'
  | 'bad-type'
  | 'bad-path'
  /** No relation, no target, or a target that is not http(s). */
  | 'bad-link'
  | 'bad-priority'
  | 'value-too-long'
  | 'too-many-marks'

/** What an `rs:md` says. */
export type SyncMd = Omit<SyncFacts, 'url' | 'modifiedAt' | 'links' | 'accesses'>

export class MarkReader {
  readonly #url: string
  readonly #report: (problem: MarkProblem) => undefined
  /** Prefixes that the root binds to our own namespace. */
  #prefixes: readonly string[] = []

  constructor(url: string, report: (problem: MarkProblem) => undefined) {
    this.#url = url
    this.#report = report
  }

  root({ attributes }: SitemapMark): void {
    this.#prefixes = prefixesIn(attributes)
  }

  md({ attributes }: SitemapMark): SyncMd {
    return known({
      capability: this.#read(attributes, 'capability', capabilityOf, 'unknown-capability'),
      change: this.#read(attributes, 'change', changeOf, 'bad-change'),
      changedAt: this.#read(attributes, 'datetime', parseClaimedDate, 'bad-date'),
      ...this.#facts(attributes),
      path: this.#read(attributes, 'path', pathOf, 'bad-path'),
      at: this.#read(attributes, 'at', parseClaimedDate, 'bad-date'),
      completedAt: this.#read(attributes, 'completed', parseClaimedDate, 'bad-date'),
      from: this.#read(attributes, 'from', parseClaimedDate, 'bad-date'),
      until: this.#read(attributes, 'until', parseClaimedDate, 'bad-date'),
      extension: this.#extension(attributes),
    })
  }

  link({ attributes }: SitemapMark): SyncLink | undefined {
    const rel = this.#required(attributes, 'rel', (text) => (text.trim() === '' ? undefined : text.trim()))
    const href = rel === undefined ? undefined : this.#required(attributes, 'href', (text) => webUrl(text, this.#url))
    if (rel === undefined || href === undefined) return undefined
    return known({
      rel,
      href,
      ...this.#facts(attributes),
      modifiedAt: this.#read(attributes, 'modified', parseClaimedDate, 'bad-date'),
      priority: this.#read(attributes, 'pri', priorityOf, 'bad-priority'),
    })
  }

  #facts(attributes: XmlAttributes): Pick<SyncMd, 'digest' | 'bytes' | 'type'> {
    const hashes = this.#read(attributes, 'hash', (text) => text.split(/\s+/), 'bad-hash')
    const digest = hashes?.find((hash) => /^sha-256:/i.test(hash))?.toLowerCase()
    if (digest !== undefined && !DIGEST.test(digest)) this.#report('bad-hash')
    return {
      digest: digest !== undefined && DIGEST.test(digest) ? digest : undefined,
      bytes: this.#read(attributes, 'length', lengthOf, 'bad-length'),
      type: this.#read(attributes, 'type', typeOf, 'bad-type'),
    }
  }

  #extension(attributes: XmlAttributes): Readonly<Record<string, string>> | undefined {
    const prefixes = [...this.#prefixes, ...prefixesIn(attributes)]
    if (prefixes.length === 0) return undefined
    const own = [...attributes.keys()].flatMap((name): [string, string][] => {
      const [prefix = '', local = ''] = name.split(':')
      const value = prefixes.includes(prefix)
        ? this.#read(attributes, name, (text) => text, 'value-too-long')
        : undefined
      return value === undefined ? [] : [[local, value]]
    })
    return own.length === 0 ? undefined : Object.fromEntries(own.slice(0, MAX_EXTENSIONS))
  }

  #required(attributes: XmlAttributes, name: string, parse: (text: string) => string | undefined): string | undefined {
    return attributes.has(name) ? this.#read(attributes, name, parse, 'bad-link') : this.#report('bad-link')
  }

  /** The value of an attribute as `parse` makes it; counted when it is there and none. */
  #read<Value>(
    attributes: XmlAttributes,
    name: string,
    parse: (text: string) => Value | undefined,
    problem: MarkProblem,
  ): Value | undefined {
    const text = attributes.get(name)
    if (text === undefined) return undefined
    if (text.length > MAX_VALUE_CHARS) return this.#report('value-too-long')
    return parse(text) ?? this.#report(problem)
  }
}

/** Without the keys that have no value. */
export function known<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}

function capabilityOf(text: string): SyncCapability | undefined {
  return SYNC_CAPABILITIES.find((capability) => capability === text.trim())
}

const changeOf = (text: string): ChangeKind | undefined => CHANGES.find((change) => change === text.trim())

const lengthOf = (text: string): number | undefined => (/^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined)

const priorityOf = (text: string): number | undefined => (/^\s*[1-9]\d{0,5}\s*$/.test(text) ? Number(text) : undefined)

/** The media type that the marks of an entry say. */
export function typeOfMarks(marks: readonly SitemapMark[]): string | undefined {
  const said = marks.find(({ name }) => name === 'md')?.attributes.get('type')
  return said === undefined || said.length > MAX_TYPE_CHARS ? undefined : typeOf(said)
}

const MAX_TYPE_CHARS = 300

/** Without parameters, in lower case. */
function typeOf(text: string): string | undefined {
  const [type = ''] = text.split(';')
  return /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/.test(type.trim()) ? type.trim().toLowerCase() : undefined
}

/** A path that leaves the package, or that some system takes for another, is none. */
function pathOf(text: string): string | undefined {
  if (!text.startsWith('/') || text.includes('\\') || text.includes('\0')) return undefined
  return text.split('/').includes('..') ? undefined : text
}

/** The prefixes an element binds to our own namespace. */
function prefixesIn(attributes: XmlAttributes): readonly string[] {
  const bound = [...attributes].filter(([name, value]) => name.startsWith('xmlns:') && value === COMITY_NAMESPACE)
  return bound.slice(0, MAX_EXTENSIONS).map(([name]) => name.slice('xmlns:'.length))
}

const CHANGES: readonly ChangeKind[] = ['created', 'updated', 'deleted']
const DIGEST = /^sha-256:[0-9a-f]{64}$/
/** As long as a loc may be. */
const MAX_VALUE_CHARS = 2_048
const MAX_EXTENSIONS = 16
