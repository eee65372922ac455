/**
 * Dictionary negotiation (RFC 9842 §2): which earlier answer may be the dictionary of a later one.
 *
 *   first   200, Use-As-Dictionary: match="/page", id="v1"
 *   later   GET /page, Available-Dictionary: :sha-256:, Dictionary-ID: "v1", Accept-Encoding: gzip, dcb, dcz
 *           200, Content-Encoding: dcz, Vary: accept-encoding, available-dictionary
 *
 * A pattern is a stranger's: it is run by a backtracking engine, so one whose wildcards could take long on a URL is
 * treated as if it did not match.
 */
import { hash } from 'node:crypto'
import type { HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import type { DictionaryCoding } from './dictionary-coding.ts'
import type { Instant } from '../instant.ts'
import { parseQualityList, qualityOf } from '../http/quality-list.ts'
import { parseFieldDictionary, parseFieldItem, writeFieldBytes, writeFieldString } from '../http/structured-field.ts'

/** What a Use-As-Dictionary field says. */
export interface DictionaryUse {
  /** A URL pattern, relative to the URL it came with. */
  readonly match: string
  /** Fetch destinations; none stands for all. */
  readonly destinations: readonly string[]
  /** To be sent back in Dictionary-ID; empty for none. */
  readonly id: string
}

/** Of the id (§2.1.3); and of a pattern, which has no limit in the RFC. */
const MAX_ID_CHARS = 1_024
const MAX_PATTERN_CHARS = 1_024

/** The value of Use-As-Dictionary; undefined when it cannot be written: too long, or not of printable ASCII. */
export function writeUseAsDictionary(use: Pick<DictionaryUse, 'match'> & Partial<DictionaryUse>): string | undefined {
  const { match, destinations = [], id = '' } = use
  if (match === '' || match.length > MAX_PATTERN_CHARS || id.length > MAX_ID_CHARS) return undefined
  const parts = [`match=${writeFieldString(match)}`]
  if (destinations.length > 0) parts.push(`match-dest=(${destinations.map(writeFieldString).join(' ')})`)
  if (id !== '') parts.push(`id=${writeFieldString(id)}`)
  const isWritable = [match, id, ...destinations].every((text) => writeFieldString(text) !== undefined)
  return isWritable ? parts.join(', ') : undefined
}

/** What the field says; undefined when it is malformed or of a type other than raw, and so not to be used (§2.1). */
export function parseUseAsDictionary(field: string): DictionaryUse | undefined {
  const members = parseFieldDictionary(field)
  const match = members?.get('match')
  const type = members?.get('type') ?? { kind: 'token', value: 'raw' }
  const id = members?.get('id') ?? { kind: 'string', value: '' }
  const destinations = members?.get('match-dest') ?? { kind: 'list', value: [] }
  if (match?.kind !== 'string' || match.value === '' || match.value.length > MAX_PATTERN_CHARS) return undefined
  if (type.kind !== 'token' || type.value !== 'raw') return undefined
  if (id.kind !== 'string' || id.value.length > MAX_ID_CHARS || destinations.kind !== 'list') return undefined
  const names = destinations.value.flatMap((item) => (item.kind === 'string' ? [item.value] : []))
  return names.length < destinations.value.length
    ? undefined
    : { match: match.value, destinations: names, id: id.value }
}

/** An answer that may serve as dictionary. */
export interface StoredDictionary {
  readonly url: string
  readonly use: DictionaryUse
  readonly fetchedAt: Instant
}

/**
 * May this dictionary be offered for that URL (§2.2.2)? Without a destination, as for a crawler, every one matches
 * (§2.1.2). Only over HTTPS, or to this machine: others on the way may not know the codings (§8).
 */
export function dictionaryMatches({ url, use }: StoredDictionary, requestUrl: string, destination?: string): boolean {
  if (use.destinations.length > 0 && destination !== undefined && !use.destinations.includes(destination)) return false
  if (!URL.canParse(url) || !URL.canParse(requestUrl)) return false
  const target = new URL(requestUrl)
  target.hash = ''
  if (new URL(url).origin !== target.origin || !isSecure(target)) return false
  return isQuick(use.match, target.href.length) && (patternOf(use.match, url)?.test(target.href) ?? false)
}

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))

function patternOf(match: string, url: string): URLPattern | undefined {
  try {
    const pattern = new URLPattern(match, url)
    return pattern.hasRegExpGroups ? undefined : pattern
  } catch {
    // Not a pattern at all (or Node 22, which has none): a dictionary of it matches nothing, as if it did not exist (§2.1.1).
    return undefined
  }
}

/** Steps of the engine; some ten nanoseconds each. */
const MAX_STEPS = 1e6

/** Each wildcard may end at each character, in order: n of k. A repeated group may do so 2ⁿ times and is refused. */
function isQuick(match: string, urlChars: number): boolean {
  if (/[})][*+]|\*\*|:[\p{L}\p{N}_$]+[*+]/u.test(match)) return false
  const wildcards = match.match(/[*:{]/g)?.length ?? 0
  let steps = 1
  for (let place = 1; place <= wildcards; place++) steps *= urlChars / place
  return steps <= MAX_STEPS
}

/** The fields a request offers a dictionary with; Accept-Encoding must then list dcb or dcz, and only then may. */
export function offerDictionary(dictionary: Uint8Array, id: string): HeaderList {
  const offer: [string, string][] = [['Available-Dictionary', writeFieldBytes(hash('sha256', dictionary, 'buffer'))]]
  const written = writeFieldString(id)
  if (id !== '' && written !== undefined) offer.push(['Dictionary-ID', written])
  return offer
}

export interface DictionaryOffer {
  readonly sha256: Uint8Array
  /** As given in Use-As-Dictionary; empty for none. */
  readonly id: string
  /** What Accept-Encoding lists of the two, best first. */
  readonly codings: readonly DictionaryCoding[]
}

/** What a request offers; undefined when it offers no dictionary, or none in a readable way. */
export function parseDictionaryOffer(request: HeaderList): DictionaryOffer | undefined {
  const digest = parseFieldItem(combinedField(request, 'available-dictionary') ?? '')
  if (digest?.kind !== 'bytes' || digest.value.length !== 32) return undefined
  const id = parseFieldItem(combinedField(request, 'dictionary-id') ?? '')
  const accepted = parseQualityList(combinedField(request, 'accept-encoding')).filter(({ name }) => name !== '*')
  const codings = (['dcz', 'dcb'] as const)
    .filter((coding) => qualityOf(accepted, coding) > 0)
    .toSorted((a, b) => qualityOf(accepted, b) - qualityOf(accepted, a))
  return codings.length === 0 ? undefined : { sha256: digest.value, id: id?.kind === 'string' ? id.value : '', codings }
}

/** What an answer varies by when it might have been coded so, and also when it was not (§6.2). */
export const DICTIONARY_VARY = 'accept-encoding, available-dictionary'
