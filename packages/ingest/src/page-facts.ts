/**
 * Page facts: what a person is told of a page, name by name. One table, which `comity inspect` prints, the web page of the
 * page's story draws, and the API sends: a new fact is a new row here.
 */
import { knownAs } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import type { Instant } from '@comity/protocol'

/** How a value is shown, and what it is. Text is a stranger's, and so is a URL. */
interface PageFactValues {
  readonly text: string
  readonly outcome: string
  readonly language: string
  readonly url: string
  readonly moment: Instant
  readonly bytes: number
  /** Milliseconds. */
  readonly duration: number
  readonly count: number
}

type PageFactKind = keyof PageFactValues

export type PageFact<Kind extends PageFactKind = PageFactKind> = {
  readonly [One in Kind]: { readonly name: string; readonly kind: One; readonly value: PageFactValues[One] }
}[Kind]

/** Whoever shows facts has such a table: the compiler asks for a way of each kind. */
export type PageFactViews<View> = { readonly [Kind in PageFactKind]: (value: PageFactValues[Kind]) => View }

export function viewOfFact<View>({ kind, value }: PageFact, views: PageFactViews<View>): View {
  // A fact's value is of its kind: the compiler knows that of each fact, and not of all of them at once.
  return (views[kind] as (value: PageFact['value']) => View)(value)
}

interface PageFactSource {
  readonly url: string
  /** Undefined of a page that was never visited: then little is told. */
  readonly row: PageRow | undefined
  readonly firstSeenAt?: Instant | undefined
  readonly sameBodyAs?: string | undefined
  readonly nearDuplicateOf?: string | undefined
}

type FactRow<Kind extends PageFactKind> = readonly [
  name: string,
  kind: Kind,
  of: (row: PageRow, all: PageFactSource) => PageFactValues[Kind] | undefined,
]

const NEEDS_SCRIPTS = 'shows next to nothing: its words are not held'

const FACTS: readonly { readonly [Kind in PageFactKind]: FactRow<Kind> }[PageFactKind][] = [
  ['Last outcome', 'outcome', ({ outcome }) => outcome],
  ['Problem', 'text', ({ problem }) => problem],
  ['Status', 'text', statusText],
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
  ['Redirects in a row', 'count', ({ hops }) => hops],
  ['Canonical address', 'url', ({ canonical }, { url }) => (canonical === url ? undefined : canonical)],
  ['Asks for', 'text', directives],
  ['Without scripts', 'text', ({ needsScripts }) => (needsScripts === true ? NEEDS_SCRIPTS : undefined)],
  ['Topic', 'text', topic],
  ['Content', 'text', ({ isDropped }) => (isDropped === true ? 'dropped for want of room (--keep)' : undefined)],
  ['Same body as', 'url', (_, { sameBodyAs }) => sameBodyAs],
  ['Nearly the same as', 'url', (_, { nearDuplicateOf }) => nearDuplicateOf],
]

/** Those that are known, in the order in which they are shown. */
export function pageFacts(of: PageFactSource): readonly PageFact[] {
  const { row } = of
  if (row === undefined) return []
  return FACTS.flatMap((fact) => factOf(fact, row, of) ?? [])
}

function factOf<Kind extends PageFactKind>(
  [name, kind, valueOf]: FactRow<Kind>,
  row: PageRow,
  all: PageFactSource,
): PageFact<Kind> | undefined {
  const value = valueOf(row, all)
  return value === undefined || value === '' ? undefined : { name, kind, value }
}

function statusText(row: PageRow): string | undefined {
  const { status } = knownAs(row)
  return status > 0 ? String(status) : undefined
}

function directives({ noindex, nofollow, noarchive }: PageRow): string {
  return listed([noindex && 'noindex', nofollow && 'nofollow', noarchive && 'noarchive'])
}

function topic({ similarity, isHot }: PageRow): string | undefined {
  return similarity === undefined ? undefined : `${isHot === true ? 'hot, ' : ''}similarity ${similarity.toFixed(3)}`
}

const listed = (words: readonly (string | false | undefined)[]): string => words.filter(Boolean).join(', ')
