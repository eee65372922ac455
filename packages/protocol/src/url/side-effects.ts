/**
 * Side effects: URLs that look like a program, an action or an endless calendar.
 *
 * Following a link must not change anything, but sites exist where it votes, logs out or deletes; and programs make
 * pages without end. For both reasons the WebBase crawler left out whatever contained `/cgi-bin/` (Cho, Garcia-Molina
 * and Page 1998, §5.1: a crawl may end up voting in an election). These tables are the same idea a few decades on.
 *
 * A URL is judged by what it does, not by the words in it: manuals have a `logout.html` and a chapter `CGI/Request.html`.
 * A file that ends as documents do is read, whatever it is called, unless what comes with it names an object to act on,
 * or somebody's session. A word that does something stands last, or last but for its object, and not where words are
 * explained (`/wiki/Logout`); what stands below `cgi-bin`, or behind a script, is run.
 *
 * A wrong yes loses a page and a wrong no does harm, so words that pages are also written about (the HTTP method
 * DELETE) count only beside an identifier or before a query.
 */
import { likelyKindOf } from '../http/media-kind.ts'

export type SideEffect = 'program' | 'action' | 'calendar'

/** Grows with each change of the rules: what an earlier version excluded is looked at again. */
export const SIDE_EFFECT_RULES = 6

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
  // Some part them with `;` (`?action=logout;sesc=1`), and in a link that was escaped twice it stands behind `&amp`.
  const parameters = query === '' ? [] : query.split(/[&;]/, MAX_PARTS)
  return (
    effectOfPath(segments, parameters) ??
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

/** Folders whose files are run, whatever they end with. */
const FOLDERS: readonly Row[] = [
  { effect: 'program', words: ['cgi-bin', 'cgi-local', 'fcgi-bin', 'scgi-bin'], reason: 'the paper’s own heuristic' },
]

/** Folders of programs, as well as chapters about them: what is below and ends as a document does is one. */
const LIKELY_FOLDERS: readonly Row[] = [
  { effect: 'program', words: ['cgi', 'fcgi'], reason: '/cgi/finger/novak is run, /cgi/interface.html is read' },
]

/** Last segments that say it alone, also as a program’s (`logout.php`), and before what they are about (`/optout/17`). */
const SEGMENTS: readonly Row[] = [
  {
    effect: 'action',
    words:
      'logout log-out log_out logoff log-off signout sign-out sign_out special:userlogout j_spring_security_logout'.split(
        ' ',
      ),
    reason: 'ends our session',
  },
  { effect: 'action', words: ['add-to-cart', 'add_to_cart', 'addtocart', 'addtobasket'], reason: 'fills a cart' },
  { effect: 'action', words: ['unsubscribe', 'optout', 'opt-out'], reason: 'takes somebody off a list' },
  { effect: 'action', words: ['upvote', 'downvote'], reason: 'the vote in an online election' },
]

/** Segments that say it only beside an identifier or before a query: `/item/17/delete`, `/vote?id=17`. */
const SEGMENTS_WITH_OBJECT: readonly Row[] = [
  { effect: 'action', words: ['delete', 'remove', 'destroy', 'trash'], reason: 'destroys what it names' },
  { effect: 'action', words: ['vote', 'like', 'dislike'], reason: 'counts as somebody’s opinion' },
  { effect: 'action', words: ['edit', 'rollback', 'unpublish', 'reply'], reason: 'changes a page, or offers a form' },
  { effect: 'action', words: ['subscribe', 'follow', 'unfollow'], reason: 'joins somebody to a list' },
]

/**
 * The same in one word with what they are done to, as programs are called beside an identifier or before a query: `deletepost.php?p=3`,
 * `edit_comment.asp?id=17`. A page without a program's ending tells how: `/guide/edit-page/2`.
 */
const VERB_AND_OBJECT =
  /^(?:delete|remove|destroy|del|edit|report|vote|add)[-_]?(?:post|comment|message|msg|topic|thread|reply|item|entry|article|page|file|photo|image|picture|user|member|product|record|event|poll|link|bookmark|friend)s?$/

/** Segments that say it right behind a list that is kept for each visitor: `/checkout/cart/add/17`, `route=checkout/cart/add`. */
const SEGMENTS_BEHIND_LIST: readonly Row[] = [
  { effect: 'action', words: ['add', 'remove', 'delete'], reason: 'carts and lists of Magento, OpenCart and others' },
]
const VISITORS_LIST = /^(?:cart|basket|bag|wish[-_]?list|(?:product_)?compare|favou?rites)$/

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
const VERB_PARAMETERS: readonly string[] = 'action act do op cmd task mode func method _method veaction wc-ajax'.split(
  ' ',
)

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
    words: ['post', 'reply', 'quote', 'newtopic', 'newthread', 'newreply', 'report', 'markread', 'notify'],
    reason: 'forums: phpBB, SMF, vBulletin',
  },
  {
    effect: 'action',
    words: ['vote', 'rate', 'like', 'watch', 'unwatch', 'follow'],
    reason: 'counts as somebody’s opinion',
  },
  {
    effect: 'action',
    words: ['add', 'buy', 'buy_now', 'add-to-cart', 'add_to_cart', 'addtocart', 'remove_from_cart'],
    reason: 'shops',
  },
  { effect: 'action', words: ['logout', 'logoff', 'signout', 'unsubscribe'], reason: 'ends our session' },
]

/**
 * Parameters that name what a front controller runs: `?q=user/logout` (Drupal), `?r=site/logout` (Yii), `?route=account/logout`
 * (OpenCart), `?task=user.logout` (Joomla). The first are also what people search for, or an article: alone, a word is that.
 */
const SEARCHED_ROUTES: readonly string[] = ['q', 'p', 's', 'title']
const ROUTE_PARAMETERS: ReadonlySet<string> = new Set([
  ...SEARCHED_ROUTES,
  'r',
  'route',
  'path',
  'page',
  'view',
  'task',
  'module',
  'section',
])

/**
 * Endings of what answers by running, though it gives a page; `json` and `xml` are forms of an answer, which any action has
 * as well (Rails: `/users/sign_out.json`). All other endings that we know are those of files.
 */
const ANSWERING: ReadonlySet<string> = new Set(
  'php php3 php5 phtml asp aspx jsp jspx cfm cgi do json jsonl ndjson xml exe dll'.split(' '),
)
/** Files that `likelyKindOf` has no need to know: sources, and pages of the manual by their section. */
const SOURCE_ENDING = /^(?:\d[a-z]{0,2}|c|h|cc|cpp|hh|hpp|java|go|rs|pm|rst|adoc|pod|texi|info|diff|patch)$/
/** Apache's content negotiation adds a language: `index.html.pl` is a page in Polish. */
const TRANSLATED = /\.x?html?\.[a-z]{2,3}(?:-[a-z]{2,4})?$/

/** A copy of a site stands below its name, which ends like a script in Poland. */
const HOST = /^www\..+\./

/** Folders whose pages explain the word that they are called by. */
const EXPLAINING =
  /^(?:wiki|man|man\d[a-z]?|tags?|topics?|categor(?:y|ies)|articles?|docs|reference|glossary|dictionary|definitions?|words?)$/

/** A language or a version, whatever word stands before it: `/delete?lang=de`. */
const FORM_PARAMETERS: readonly string[] = ['v', 'ver', 'version', 'lang', 'hl', 'highlight']

/** Parameters that choose a view of a file, whatever number they have: `delete.html?v=17`. */
const VIEW_PARAMETERS: ReadonlySet<string> = new Set([...FORM_PARAMETERS, 'rev', 'page', 'q', 't', 'time'])

const folderEffects = effectsOf(FOLDERS)
const likelyFolderEffects = effectsOf(LIKELY_FOLDERS)
const segmentEffects = effectsOf(SEGMENTS)
const segmentWithObjectEffects = effectsOf(SEGMENTS_WITH_OBJECT)
const listEffects = effectsOf(SEGMENTS_BEHIND_LIST)
const extensionEffects = effectsOf(EXTENSIONS)
const parameterEffects = effectsOf(PARAMETERS)
const verbEffects = effectsOf(VERBS)
const verbParameters = new Set(VERB_PARAMETERS)

function effectsOf(rows: readonly Row[]): ReadonlyMap<string, SideEffect> {
  return new Map(rows.flatMap(({ words, effect }) => words.map((word): [string, SideEffect] => [word, effect])))
}

function effectOfPath(segments: readonly string[], parameters: readonly string[]): SideEffect | undefined {
  // `/logout/` is `/logout` to many servers; `;v=1` is a parameter of its segment, no part of its name (RFC 3986 §3.3).
  const names = segments.map((segment) => segment.split(';', 1)[0]!).filter((name) => name !== '')
  const last = names.length - 1
  const isDocument =
    isDocumentName(names[last] ?? '') && ![...parameters, ...pathParameters(segments)].some(namesObject)
  for (const [i, name] of names.entries()) {
    const [word, ending] = wordAndEnding(name)
    const run = folderEffects.get(name) ?? extensionEffects.get(ending)
    if (run !== undefined && !TRANSLATED.test(name) && !HOST.test(name)) return run
    if (isDocument) continue
    const effect =
      (i < last || parameters.length > 0 ? likelyFolderEffects.get(word) : undefined) ??
      (isSaidAlone(names, i) ? segmentEffects.get(word) : undefined) ??
      (isBesideObject(names, i, parameters) ? effectOnObject(word, ending) : undefined) ??
      (isBehindList(names, i) ? listEffects.get(word) : undefined)
    if (effect !== undefined) return effect
  }
  return undefined
}

const pathParameters = (segments: readonly string[]): readonly string[] => segments.at(-1)?.split(';').slice(1) ?? []

/** The ending that decides what a file is; none in `logout` or `.profile`. */
function wordAndEnding(name: string): [word: string, ending: string] {
  const dot = name.lastIndexOf('.')
  return dot < 1 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
}

function isDocumentName(name: string): boolean {
  const [, ending] = wordAndEnding(name)
  if (ending === '' || name.includes('@') || name.includes('%40')) return false
  if (TRANSLATED.test(name) || SOURCE_ENDING.test(ending)) return true
  return !ANSWERING.has(ending) && likelyKindOf(`/${name}`) !== undefined
}

const effectOnObject = (word: string, ending: string): SideEffect | undefined =>
  segmentWithObjectEffects.get(word) ?? (ANSWERING.has(ending) && VERB_AND_OBJECT.test(word) ? 'action' : undefined)

function isSaidAlone(names: readonly string[], i: number): boolean {
  const last = names.length - 1
  // `/wiki/Special:UserLogout` is no article.
  if (i === last) return names[i]!.includes(':') || !isExplained(names, i)
  return i === last - 1 && isObject(names[last]) && !isDated(names, last)
}

/** `/wiki/Logout`, `/man/8/logout`, `/2026/11/logout`. */
function isExplained(names: readonly string[], i: number): boolean {
  const before = names[i - 1] ?? ''
  return EXPLAINING.test(before) || (/^\d$/.test(before) && names[i - 2] === 'man') || isDated(names, i - 1)
}

function isBesideObject(names: readonly string[], i: number, parameters: readonly string[]): boolean {
  const isLast = i === names.length - 1
  if (isLast && parameters.some((parameter) => !FORM_PARAMETERS.includes(nameAndValue(parameter)[0]))) return true
  // TWiki runs everything below `bin`.
  if (names[i - 1] === 'bin' && !isLast) return true
  return [i - 1, i + 1].some((at) => isIdentifier(names[at]) && !isDated(names, at))
}

function isBehindList(names: readonly string[], i: number): boolean {
  const list = names[i - 1] === 'index' ? i - 2 : i - 1
  // `/docs/api/cart/add` tells how.
  return VISITORS_LIST.test(names[list] ?? '') && !names.slice(0, list).some((name) => EXPLAINING.test(name))
}

/**
 * The number here is part of a date, `/2026/11/19/`: below it stands what was written then. A year alone may be any number, but where
 * things are kept by year (`/news/2016/vote`).
 */
function isDated(names: readonly string[], at: number): boolean {
  if (YEAR.test(names[at] ?? '') && BY_YEAR.test(names[at - 1] ?? '')) return true
  return [at, at - 1, at - 2].some((year) => {
    const [month, day] = [names[year + 1] ?? '', names[year + 2] ?? '']
    return YEAR.test(names[year] ?? '') && MONTH.test(month) && (at < year + 2 || DAY.test(day))
  })
}

const BY_YEAR = /^(?:news|blogs?|archives?|press|stories|elections?|events|reports|magazine|history)$/
const YEAR = /^(?:19|20)\d\d$/
const MONTH = /^(?:0?[1-9]|1[0-2])$/
const DAY = /^(?:0?[1-9]|[12]\d|3[01])$/

/** A number, or a long hexadecimal name (a UUID, a database key). */
function isIdentifier(segment: string | undefined): boolean {
  return segment !== undefined && /^(?:\d+|[0-9a-f-]{16,})$/.test(segment)
}

/** Also somebody’s address, or a ticket. */
const isObject = (name: string | undefined): boolean =>
  isIdentifier(name) || /@|%40|^(?=.*\d)[\w~%=-]{12,}$/.test(name ?? '')

function namesObject(parameter: string): boolean {
  const [name, value] = nameAndValue(parameter)
  return value !== '' && !VIEW_PARAMETERS.has(name) && isObject(value)
}

function effectOfQuery(parameters: readonly string[]): SideEffect | undefined {
  for (const parameter of parameters) {
    const [name, value] = nameAndValue(parameter)
    const effect =
      parameterEffects.get(name) ??
      (verbParameters.has(name) ? verbEffects.get(value) : undefined) ??
      (ROUTE_PARAMETERS.has(name) ? effectOfRoute(name, value) : undefined)
    if (effect !== undefined) return effect
  }
  return undefined
}

function effectOfRoute(name: string, value: string): SideEffect | undefined {
  const route = value.replaceAll('%2f', '/').replaceAll('%3a', ':')
  // `Special:UserLogout` is a name by itself; what has a slash in a title is an article below another.
  if (route.includes(':') || name === 'title') return route.includes(':') ? segmentEffects.get(route) : undefined
  const parts = route.split(/[/.]/, MAX_PARTS)
  if (parts.length === 1 && SEARCHED_ROUTES.includes(name)) return undefined
  const [last, word] = [parts.length - 1, parts.at(-1)!]
  return (
    (isSaidAlone(parts, last) ? segmentEffects.get(word) : undefined) ??
    (isBehindList(parts, last) ? listEffects.get(word) : undefined)
  )
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
