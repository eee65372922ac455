/**
 * Robots directives: what a page says about itself, in `X-Robots-Tag` fields and `<meta name="robots">`.
 *
 * The vocabulary is the one that the large search engines document together; there is no RFC. A value is a list of
 * directives, perhaps behind the name of one crawler: `noindex`, `otherbot: noindex, nofollow`. A meta element named
 * after a crawler is handed in the same way, as `name: content`.
 *
 * The most restrictive wins: between values, between header and document, between "everybody" and our own name.
 */
import type { Instant } from '../instant.ts'
import { tableOf } from '../lookup.ts'

export interface RobotsDirectives {
  /** Do not show the page in answers. */
  readonly noindex: boolean
  /** Do not follow its links. */
  readonly nofollow: boolean
  /** Do not show our copy of it. */
  readonly noarchive: boolean
  /** From this moment on treat the page as `noindex`. */
  readonly unavailableAfter?: Instant
}

export const noDirectives: RobotsDirectives = { noindex: false, nofollow: false, noarchive: false }

/** Reads the values that apply to everybody or to `productToken`; what is unknown or for others is ignored. */
export function parseRobotsDirectives(values: readonly string[], productToken: string): RobotsDirectives {
  const token = productToken.toLowerCase()
  return mergeRobotsDirectives(
    ...values.slice(0, MAX_VALUES).map((value) => directivesOf(value.slice(0, MAX_LENGTH), token)),
  )
}

/** The most restrictive of several. */
export function mergeRobotsDirectives(...all: readonly RobotsDirectives[]): RobotsDirectives {
  const merged = {
    noindex: all.some((one) => one.noindex),
    nofollow: all.some((one) => one.nofollow),
    noarchive: all.some((one) => one.noarchive),
  }
  const instants = all.flatMap((one) => one.unavailableAfter ?? [])
  return instants.length === 0 ? merged : { ...merged, unavailableAfter: Math.min(...instants) }
}

/** Real pages send a handful of short values; a stranger may send more. */
const MAX_VALUES = 64
const MAX_LENGTH = 4_096

const DIRECTIVES: ReadonlyMap<string, Partial<RobotsDirectives>> = tableOf({
  noindex: { noindex: true },
  nofollow: { nofollow: true },
  none: { noindex: true, nofollow: true },
  noarchive: { noarchive: true },
  nocache: { noarchive: true }, // the older name, still common
})

/** Directives that have a colon of their own; any other word before a colon is the name of a crawler. */
const WITH_VALUE = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview'])

function directivesOf(value: string, token: string): RobotsDirectives {
  const pieces = value.split(',')
  const found: RobotsDirectives[] = []
  // Fields may arrive joined by commas, so a name holds until the next name.
  let isForUs = true
  for (const [i, piece] of pieces.entries()) {
    const { agent, name, text } = readPiece(piece)
    if (agent !== undefined) isForUs = agent === token || agent === '*' || agent === 'robots'
    if (!isForUs) continue
    const directive = DIRECTIVES.get(name)
    if (directive !== undefined) found.push({ ...noDirectives, ...directive })
    const unavailableAfter = name === 'unavailable_after' ? dateOf(text, pieces[i + 1]) : undefined
    if (unavailableAfter !== undefined) found.push({ ...noDirectives, unavailableAfter })
  }
  return mergeRobotsDirectives(...found)
}

/** `noindex`, `name: noindex`, `unavailable_after: date` or `name: unavailable_after: date`. */
function readPiece(piece: string): { agent?: string; name: string; text: string } {
  const [head, rest] = atColon(piece)
  if (rest === undefined || WITH_VALUE.has(head)) return { name: head, text: rest ?? '' }
  // The second half of a date such as `Wed, 25 Jun 2031 15:00:00 GMT` has colons but names nobody.
  if (!/^[a-z*][\w*-]*$/.test(head)) return { name: '', text: '' }
  const [name, text] = atColon(rest)
  return { agent: head, name, text: text ?? '' }
}

function atColon(text: string): [head: string, rest: string | undefined] {
  const colon = text.indexOf(':')
  if (colon < 0) return [text.trim().toLowerCase(), undefined]
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1)]
}

const DAY_OF_WEEK = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*$/i
const HAS_ZONE = /(?:\bz|[a-z]{3,4}|[+-]\d\d:?\d\d)\s*$/i
const DATE_ONLY = /^\d{4}-\d\d-\d\d$/

/** RFC 850, RFC 822 or ISO 8601, as the engines take them. A day of the week leaves its date behind the comma. */
function dateOf(text: string, next: string | undefined): Instant | undefined {
  const date = (DAY_OF_WEEK.test(text) ? (next ?? '') : text).trim()
  // Without a zone the answer would depend on where we run.
  const zoned =
    DATE_ONLY.test(date) || /[zZ]$/.test(date) || HAS_ZONE.test(date)
      ? date
      : `${date}${date.includes('T') ? 'Z' : ' GMT'}`
  const instant = Date.parse(zoned)
  return Number.isNaN(instant) ? undefined : instant
}
