/**
 * Canonical path: one form for all the ways in which a path can be spelled, so that what is decided of one spelling is
 * decided of all of them.
 *
 *   /draft%73/a            /drafts/a      percent-decoded, once: `%2573` is the text `%73`, and no `s`
 *   //drafts///a           /drafts/a      one slash is as good as many
 *   /x/%2e%2e/drafts/a     /drafts/a      dot segments are gone, however they were written
 *   /drafts%2Fa            /drafts/a      an encoded slash is a slash to many servers
 *   /b%c3%bc*              /b%C3%BC%2A    what cannot stand for itself is encoded again, with upper-case digits
 *
 * A path with a control character in it has no canonical form: no page is called that, and servers cut it there.
 *
 * This is for decisions, not for identity: sites may answer two spellings with two pages, and `url/canonical-url.ts` leaves
 * them apart. Whoever refuses asks all of `pathSpellings`; whoever allows asks the canonical form alone.
 *
 * Invariant: canonicalPath(canonicalPath(x)) === canonicalPath(x).
 */
import { toOctets } from '../robots/match.ts'

/** Path and query in their canonical form; undefined when `target` does not begin with a slash, or no page is called so. */
export function canonicalPath(target: string): string | undefined {
  return partsOf(target)?.canonical
}

/**
 * All that a server may take a path and query for: as it was written, its canonical form, and where they differ the form
 * in which encoded slashes are data, the one in which backslashes are slashes (Windows), the one without parameters of
 * segments (`/account;v=1/`, as servers of Java have them), and the forms of these: servers in a row each take a step. One
 * only for most paths; none when there is no canonical form.
 */
export function pathSpellings(target: string): readonly string[] {
  if (!NEEDS_LOOK.test(target)) return target.startsWith('/') ? [target] : []
  const spellings = new Set([target])
  // Those that are added on the way are come to, too. Each has fewer backslashes, parameters or dots, so there is an end.
  for (const spelling of spellings) for (const form of formsOf(spelling)) spellings.add(form)
  return canonicalPath(target) === undefined ? [] : [...spellings]
}

function formsOf(target: string): string[] {
  const parts = partsOf(target)
  if (parts === undefined) return []
  const { octets, steps, query, canonical } = parts
  return [
    canonical,
    ...(steps === undefined ? [] : [`${encoded(withoutDots(steps), SEGMENT_ENCODED)}${query}`]),
    ...(octets.includes('\\') ? [`${encodedPath(octets.replaceAll('\\', '/'))}${query}`] : []),
    ...(octets.includes(';') ? [`${encodedPath(octets.replaceAll(/;[^/]*/g, ''))}${query}`] : []),
  ]
}

/**
 * The same of an absolute http(s) URL without a fragment, or of a path; as it was written always comes first. Where there is no
 * canonical form, a crawl may come by it all the same, and servers drop control characters, or all that stands behind the first.
 */
export function urlSpellings(url: string): readonly string[] {
  const start = pathStart(url)
  const path = url.slice(start)
  if (!NEEDS_LOOK.test(path)) return [url]
  const found = pathSpellings(path)
  const spellings = found.length > 0 ? found : [path, ...withoutControls(path).flatMap(pathSpellings)]
  return spellings.map((spelling) => url.slice(0, start) + spelling)
}

function withoutControls(path: string): readonly string[] {
  const first = path.search(CONTROL_OR_ESCAPE)
  return first < 0 ? [] : [path.replaceAll(new RegExp(CONTROL_OR_ESCAPE, 'gi'), ''), path.slice(0, first)]
}

/** An absolute http(s) URL with its path in the canonical form; as it is when there is none. */
export function withCanonicalPath(url: string): string {
  const start = pathStart(url)
  const path = canonicalPath(url.slice(start))
  return path === undefined ? url : url.slice(0, start) + path
}

function pathStart(url: string): number {
  if (url.startsWith('/')) return 0
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? url.length : start
}

/**
 * Is a path written as sites and browsers write it? Nobody encodes letters, sends dot segments or doubles slashes but to
 * have another spelling of a page.
 */
export function isPlainPath(target: string): boolean {
  return !ODD.test(target.split('?', 1)[0]!)
}

const ODD = /\\|\/\/|\/\.{1,2}(?:\/|$)|%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])/i

/** The segments of a path, percent-decoded once, one character for each octet; undefined where no page is called so. */
export function pathSteps(path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined
  const steps = path.slice(1).split('/').map(decodedOctets)
  return steps.some((step) => CONTROL.test(step)) ? undefined : steps
}

/**
 * A part of a pattern in the spelling that paths have in their canonical form. `isQuery`: it stands behind a `?`. An encoded
 * slash stays as it is unless `slashes`: whoever writes one into a pattern may mean it.
 */
export function patternSpelling(part: string, isQuery: boolean, slashes: boolean): string {
  if (isQuery) return canonicalQuery(encoded(toOctets(part), NO_QUERY))
  if (slashes) return encoded(decodedOctets(part), PATH_ENCODED)
  return part
    .split(/%2f/i)
    .map((piece) => encoded(decodedOctets(piece), PATH_ENCODED))
    .join('%2F')
}

/** For comparisons that go by what people see: letters of either case, and of either form of Unicode, are alike. */
export function foldedSpelling(spelling: string): string {
  if (PLAIN.test(spelling)) return spelling.toLowerCase()
  return spelling
    .replaceAll(/(?:%[89A-F][0-9A-F])+/gi, (run) => letters(run) ?? run)
    .normalize('NFC')
    .toLowerCase()
}

interface Parts {
  readonly canonical: string
  /** The path, percent-decoded. */
  readonly octets: string
  /** Only where a segment holds an encoded slash. */
  readonly steps: readonly string[] | undefined
  readonly query: string
}

/** Nothing in it is encoded, doubled or a dot segment: it is its own canonical form. */
const NEEDS_LOOK = /[^\w\-.~!$&'()+,:@/=?]|\/\/|\/\./
const PLAIN = /^[\w\-.~!$&'()+,:@/=?]*$/
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x1f\x7f]/
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL_OR_ESCAPE = /[\0-\x1f\x7f]|%(?:[01][\da-f]|7f)/i

/** All but pchar and the slash (RFC 3986 §3.3), and the asterisk, which is a wildcard in patterns. */
const PATH_ENCODED = /[^\w\-.~!$&'()+,;=:@/]/g
const SEGMENT_ENCODED = /[^\w\-.~!$&'()+,;=:@]/g
/** All that cannot stand in a query (RFC 3986 §3.4), but `%`; and the asterisk again. */
const NO_QUERY = /[^\w\-.~!$&'()+,;=:@/?%]/g

function partsOf(target: string): Parts | undefined {
  if (!target.startsWith('/')) return undefined
  if (!NEEDS_LOOK.test(target)) return { canonical: target, octets: '', steps: undefined, query: '' }
  const mark = target.indexOf('?')
  const steps = pathSteps(mark < 0 ? target : target.slice(0, mark))
  if (steps === undefined) return undefined
  const octets = `/${steps.join('/')}`
  const query = mark < 0 ? '' : canonicalQuery(encoded(toOctets(target.slice(mark)), NO_QUERY))
  const isSlashed = steps.some((step) => step.includes('/'))
  return { canonical: `${encodedPath(octets)}${query}`, octets, steps: isSlashed ? steps : undefined, query }
}

/** A `%` that begins no escape stands for itself. */
function decodedOctets(text: string): string {
  if (!/[^\x20-$&-~]/.test(text)) return text
  return toOctets(text).replaceAll(/%([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const encodedPath = (octets: string): string => encoded(withoutDots(octets.slice(1).split('/')), PATH_ENCODED)

/** Of segments; those that are empty are no more than the slashes beside them. */
function withoutDots(steps: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const step of steps) {
    if (step === '..') kept.pop()
    else if (step !== '' && step !== '.') kept.push(step)
  }
  const isFolder = /^\.{0,2}$/.test(steps.at(-1) ?? '')
  return isFolder ? [...kept, ''] : kept
}

function encoded(text: string | readonly string[], characters: RegExp): string {
  if (typeof text !== 'string') return `/${text.map((step) => encoded(step, characters)).join('/')}`
  return text.replaceAll(characters, (octet) => percent(octet.charCodeAt(0)))
}

const percent = (octet: number): string => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`

/** Delimiters of parameters stay encoded: `a%26b=1` is one of them, `a&b=1` are two. */
function canonicalQuery(query: string): string {
  return query.replaceAll(/%([0-9A-F]{2})|%/gi, (escape: string, hex: string | undefined) => {
    if (hex === undefined) return '%25'
    const octet = Number.parseInt(hex, 16)
    return /[\w\-.~!$'(),:@/?]/.test(String.fromCharCode(octet)) ? String.fromCharCode(octet) : escape.toUpperCase()
  })
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function letters(run: string): string | undefined {
  try {
    return UTF8.decode(Buffer.from(run.replaceAll('%', ''), 'hex'))
  } catch {
    return undefined
  }
}
