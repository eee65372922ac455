/**
 * Side effects: URLs that look like a program, an action or an endless calendar.
 *
 * Following a link must not change anything, but sites exist where it votes, logs out or deletes; and programs make
 * pages without end. For both reasons the WebBase crawler left out whatever contained `/cgi-bin/` (Cho, Garcia-Molina
 * and Page 1998, §5.1: a crawl may end up voting in an election). These tables are the same idea a few decades on.
 *
 * A wrong yes loses a page and a wrong no does harm, so words that pages are also written about (the HTTP method
 * DELETE) count only beside an identifier or before a query.
 */
export type SideEffect = 'program' | 'action' | 'calendar'

/** How far from now a calendar's page may be dated: archives reach back, plans hardly reach ahead. */
const calendarWindow: { readonly yearsBack: number; readonly yearsAhead: number } = {
  yearsBack: 25,
  yearsAhead: 2,
}

/** What a canonical URL looks like; `year` is the current one, as time is always an argument. */
export function sideEffectOf(url: string, year: number): SideEffect | undefined {
  const lower = url.toLowerCase()
  const mark = lower.indexOf('?')
  const pathStart = lower.indexOf('/', lower.indexOf('://') + 3)
  const path = pathStart < 0 ? '' : lower.slice(pathStart + 1, mark < 0 ? undefined : mark)
  const query = mark < 0 ? '' : lower.slice(mark + 1)
  // Longer ones are no URL of a program we know; the cap keeps this cheap for whatever a page may hold.
  const segments = path.split('/', MAX_PARTS)
  const parameters = query === '' ? [] : query.split('&', MAX_PARTS)
  return (
    effectOfPath(segments, query !== '') ??
    effectOfQuery(parameters) ??
    (isFarCalendar(segments, parameters, year) ? 'calendar' : undefined)
  )
}

const MAX_PARTS = 64

interface Row {
  readonly effect: SideEffect
  readonly words: readonly string[]
  readonly reason: string
}

/** Path segments that say it alone, with or without an extension (`logout.php`). */
const SEGMENTS: readonly Row[] = [
  {
    effect: 'program',
    words: ['cgi-bin', 'cgi-local', 'cgi', 'fcgi-bin', 'fcgi', 'scgi-bin'],
    reason: 'the paper’s own heuristic',
  },
  {
    effect: 'action',
    words: ['logout', 'log-out', 'log_out', 'logoff', 'signout', 'sign-out', 'sign_out'],
    reason: 'ends our session',
  },
  { effect: 'action', words: ['add-to-cart', 'add_to_cart', 'addtocart', 'addtobasket'], reason: 'fills a cart' },
  { effect: 'action', words: ['unsubscribe', 'optout', 'opt-out'], reason: 'takes somebody off a list' },
  { effect: 'action', words: ['upvote', 'downvote'], reason: 'the vote in an online election' },
]

/** Path segments that say it only beside an identifier or before a query: `/item/17/delete`, `/vote?id=17`. */
const SEGMENTS_WITH_OBJECT: readonly Row[] = [
  { effect: 'action', words: ['delete', 'remove', 'destroy', 'trash'], reason: 'destroys what it names' },
  { effect: 'action', words: ['vote', 'like', 'dislike'], reason: 'counts as somebody’s opinion' },
  { effect: 'action', words: ['edit', 'rollback', 'unpublish'], reason: 'changes a page, or offers a form' },
  { effect: 'action', words: ['subscribe', 'follow', 'unfollow'], reason: 'joins somebody to a list' },
]

/** Extensions of programs that are run, not of pages that are filled in: `.php` and `.asp` are ordinary pages today. */
const EXTENSIONS: readonly Row[] = [
  { effect: 'program', words: ['cgi', 'fcgi', 'pl'], reason: 'a CGI script wherever it stands' },
  { effect: 'program', words: ['exe', 'dll'], reason: 'an ISAPI program, or a download that holds no text' },
]

/** Parameters that say it by their name. */
const PARAMETERS: readonly Row[] = [
  {
    effect: 'action',
    words: ['add-to-cart', 'add_to_cart', 'addtocart', 'remove_item'],
    reason: 'carts of WooCommerce and others',
  },
  { effect: 'action', words: ['replytocom'], reason: 'WordPress: the same page once for each comment, with a form' },
  {
    effect: 'action',
    words: ['logout', 'unsubscribe', 'vote', 'upvote', 'downvote', 'delete'],
    reason: 'a verb as a flag',
  },
  { effect: 'action', words: ['add_to_wishlist', 'add_to_compare'], reason: 'lists kept for each visitor' },
]

/** Parameters whose value is a verb … */
const VERB_PARAMETERS: readonly string[] = ['action', 'act', 'do', 'op', 'cmd', 'task', 'mode', '_method', 'veaction']

/** … and the verbs that change something, or offer the form for it. */
const VERBS: readonly Row[] = [
  {
    effect: 'action',
    words: ['edit', 'submit', 'rollback', 'revert', 'undo', 'protect'],
    reason: 'wikis: MediaWiki, MoinMoin, DokuWiki',
  },
  { effect: 'action', words: ['delete', 'remove', 'destroy', 'purge', 'trash'], reason: 'destroys what it names' },
  {
    effect: 'action',
    words: ['post', 'reply', 'quote', 'newtopic', 'report', 'markread'],
    reason: 'forums: phpBB, SMF, vBulletin',
  },
  {
    effect: 'action',
    words: ['vote', 'rate', 'like', 'watch', 'unwatch', 'follow'],
    reason: 'counts as somebody’s opinion',
  },
  { effect: 'action', words: ['add', 'buy', 'buy_now', 'add-to-cart', 'add_to_cart', 'addtocart'], reason: 'shops' },
  { effect: 'action', words: ['logout', 'logoff', 'signout', 'unsubscribe'], reason: 'ends our session' },
]

const segmentEffects = effectsOf(SEGMENTS)
const segmentWithObjectEffects = effectsOf(SEGMENTS_WITH_OBJECT)
const extensionEffects = effectsOf(EXTENSIONS)
const parameterEffects = effectsOf(PARAMETERS)
const verbEffects = effectsOf(VERBS)
const verbParameters = new Set(VERB_PARAMETERS)

function effectsOf(rows: readonly Row[]): ReadonlyMap<string, SideEffect> {
  return new Map(rows.flatMap(({ words, effect }) => words.map((word): [string, SideEffect] => [word, effect])))
}

function effectOfPath(segments: readonly string[], hasQuery: boolean): SideEffect | undefined {
  for (const [i, segment] of segments.entries()) {
    const dot = segment.lastIndexOf('.')
    const word = dot < 0 ? segment : segment.slice(0, dot)
    const effect = segmentEffects.get(word) ?? (dot < 0 ? undefined : extensionEffects.get(segment.slice(dot + 1)))
    if (effect !== undefined) return effect
    const verb = segmentWithObjectEffects.get(word)
    const isLast = i === segments.length - 1
    if (verb !== undefined && ((isLast && hasQuery) || isIdentifier(segments[i - 1]) || isIdentifier(segments[i + 1])))
      return verb
  }
  return undefined
}

/** A number, or a long hexadecimal name (a UUID, a database key). */
function isIdentifier(segment: string | undefined): boolean {
  return segment !== undefined && /^(?:\d+|[0-9a-f-]{16,})$/.test(segment)
}

function effectOfQuery(parameters: readonly string[]): SideEffect | undefined {
  for (const parameter of parameters) {
    const [name, value] = nameAndValue(parameter)
    const effect = parameterEffects.get(name) ?? (verbParameters.has(name) ? verbEffects.get(value) : undefined)
    if (effect !== undefined) return effect
  }
  return undefined
}

function nameAndValue(parameter: string): [name: string, value: string] {
  const equals = parameter.indexOf('=')
  return equals < 0 ? [parameter, ''] : [parameter.slice(0, equals), parameter.slice(equals + 1)]
}

/** Words of a path under which dates follow one another for ever. A bare `/1998/05/` is an archive, and those end. */
const CALENDAR_SEGMENT = /calendar|kalender|calendrier|calendario|agenda|^events?$|^(?:month|week|day)(?:view)?$/
const CALENDAR_PARAMETER = /calendar|^(?:tribe-bar-date|cal_?(?:date|month|year)|month|mon|week|day|yr|year|y)$/
const DATE_PARAMETER = /^(?:tribe-bar-date|cal_?(?:date|year)|date|yr|year|y)$/

/** A year, or a date that starts with one: `2031`, `2031-05`, `20310517`. */
const YEAR_AT_START = /^([12]\d{3})(?=$|[-/.]\d|\d{2}$|\d{4}$)/

function isFarCalendar(segments: readonly string[], parameters: readonly string[], year: number): boolean {
  const inPath = segments.some((segment) => CALENDAR_SEGMENT.test(segment))
  if (inPath && segments.some((segment) => isFar(segment, year))) return true
  if (parameters.length === 0) return false
  const pairs = parameters.map(nameAndValue)
  // One `year` alone is a list's filter; with a month, or under /calendar, it is one leaf of a calendar.
  const named = pairs.filter(([name]) => CALENDAR_PARAMETER.test(name)).length
  if (!inPath && named < 2 && !pairs.some(([name]) => name === 'tribe-bar-date')) return false
  return pairs.some(([name, value]) => DATE_PARAMETER.test(name) && isFar(value, year))
}

function isFar(date: string, year: number): boolean {
  const dated = Number(YEAR_AT_START.exec(date)?.[1])
  return dated > year + calendarWindow.yearsAhead || dated < year - calendarWindow.yearsBack
}
