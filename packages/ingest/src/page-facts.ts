/**
 * Page facts: what a person is told of a page, name by name. One table, which `comity inspect` prints, the web page of the
 * page's story draws, and the API sends: a new fact is a new row here.
 */
import type { PageRow } from '@comity/collection'
import type { Instant } from '@comity/protocol'

/** How a value is shown. Text is a stranger's, and so is a URL. */
export type PageFactKind = 'text' | 'outcome' | 'language' | 'moment' | 'bytes' | 'duration' | 'url'

export interface PageFact {
  readonly name: string
  readonly kind: PageFactKind
  /** An instant, bytes, or milliseconds, where it is a number. */
  readonly value: string | number
}

interface PageFactSource {
  readonly url: string
  /** Undefined of a page that was never visited: then little is told. */
  readonly row: PageRow | undefined
  readonly firstSeenAt?: Instant | undefined
  readonly sameBodyAs?: string | undefined
  readonly nearDuplicateOf?: string | undefined
}

type Value = string | number | undefined

const FACTS: readonly (readonly [
  name: string,
  kind: PageFactKind,
  of: (row: PageRow, all: PageFactSource) => Value,
])[] = [
  ['Last outcome', 'outcome', ({ outcome }) => outcome],
  ['Problem', 'text', ({ problem }) => problem],
  ['Status', 'text', ({ status }) => (status > 0 ? String(status) : undefined)],
  ['Type', 'text', ({ type }) => type],
  ['Language', 'language', ({ language }) => language],
  ['Character set', 'text', ({ charset }) => charset],
  ['Size', 'bytes', ({ bytes }) => (bytes > 0 ? bytes : undefined)],
  ['Digest', 'text', ({ digest }) => digest],
  ['First heard of', 'moment', (_, { firstSeenAt }) => firstSeenAt],
  ['Last visited', 'moment', ({ visitedAt }) => visitedAt],
  ['Last seen to change', 'moment', ({ changedAt }) => changedAt],
  ['Time to connect', 'duration', ({ timings }) => timings.connectMs],
  ['Time to the first byte', 'duration', ({ timings }) => timings.firstByteMs],
  ['Time of transfer', 'duration', ({ timings }) => timings.transferMs],
  ['Validators', 'text', ({ etag, lastModified }) => listed([etag, lastModified])],
  ['Redirects to', 'url', ({ redirectTo }) => redirectTo],
  ['Canonical address', 'url', ({ canonical }, { url }) => (canonical === url ? undefined : canonical)],
  ['Asks for', 'text', directives],
  ['Topic', 'text', topic],
  ['Content', 'text', ({ isDropped }) => (isDropped === true ? 'dropped for want of room (--keep)' : undefined)],
  ['Same body as', 'url', (_, { sameBodyAs }) => sameBodyAs],
  ['Nearly the same as', 'url', (_, { nearDuplicateOf }) => nearDuplicateOf],
]

/** Those that are known, in the order in which they are shown. */
export function pageFacts(of: PageFactSource): readonly PageFact[] {
  const { row } = of
  if (row === undefined) return []
  return FACTS.flatMap(([name, kind, valueOf]) => {
    const value = valueOf(row, of)
    return value === undefined || value === '' ? [] : [{ name, kind, value }]
  })
}

function directives({ noindex, nofollow, noarchive }: PageRow): string {
  return listed([noindex && 'noindex', nofollow && 'nofollow', noarchive && 'noarchive'])
}

function topic({ similarity, isHot }: PageRow): string | undefined {
  return similarity === undefined ? undefined : `${isHot === true ? 'hot, ' : ''}similarity ${similarity.toFixed(3)}`
}

const listed = (words: readonly (string | false | undefined)[]): string => words.filter(Boolean).join(', ')
