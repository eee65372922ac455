/**
 * Anchors: the places in a page that a link can lead to, `#like-this`: every `id`, and the `name` of an `a` (HTML, "the indicated part of
 * the document"). Only who looks for broken links asks for them, so a crawl does not pay for it. One pass, in time to the length of
 * the page, whatever is left open in it.
 */
import { decodeReferences } from './entities.ts'

const MOST_ANCHORS = 100_000

const START = /<(?:(!--)|([a-z][^\s/>]*))/gi
/** One attribute, or the end of the tag. A value that is never ended takes all that is left. */
const ATTRIBUTE = /[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'>][^\s>]*)))?)/y
/** What stands in these is no markup. */
const RAW = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes)$/

export interface Anchors {
  readonly names: ReadonlySet<string>
  /** There were more than are kept. */
  readonly isCut: boolean
}

export function readAnchors(html: string): Anchors {
  const names = new Set<string>()
  START.lastIndex = 0
  for (let start = START.exec(html); start !== null && names.size < MOST_ANCHORS; start = START.exec(html)) {
    const [, comment, written = ''] = start
    const element = written.toLowerCase()
    let at =
      comment === undefined ? readTag(html, START.lastIndex, element, names) : html.indexOf('-->', start.index + 2)
    if (at >= 0 && RAW.test(element)) at = endOfRaw(html, at, element)
    // Nothing ends what was begun, so there is no more of the page.
    if (at < 0) break
    START.lastIndex = at
  }
  return { names, isCut: names.size >= MOST_ANCHORS }
}

/** Where the tag ends; -1 for one that does not, which names nothing. */
function readTag(html: string, from: number, element: string, names: Set<string>): number {
  const named: string[] = []
  ATTRIBUTE.lastIndex = from
  for (let found = ATTRIBUTE.exec(html); found !== null; found = ATTRIBUTE.exec(html)) {
    const [, end, name = '', double, single, bare] = found
    if (end !== undefined) {
      for (const one of named) names.add(one)
      return ATTRIBUTE.lastIndex
    }
    const written = name.toLowerCase()
    if (written !== 'id' && !(written === 'name' && element === 'a')) continue
    const value = decodeReferences(double ?? single ?? bare ?? '', true)
    // Of two the first counts, as in a browser; and a tag of a million names is no page.
    if (value !== '' && named.length < 2) named.push(value)
  }
  return -1
}

function endOfRaw(html: string, from: number, element: string): number {
  const end = new RegExp(`</${element}(?=[\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? -1
}

/** Whether a link to this fragment has a place to lead to. The top of a page, and words to look for, need none. */
export function hasAnchor({ names, isCut }: Anchors, fragment: string): boolean {
  if (isCut || fragment === '' || fragment.includes(':~:')) return true
  return names.has(fragment) || names.has(decoded(fragment)) || fragment.toLowerCase() === 'top'
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
