/**
 * Archive line: one page in a metadata archive (000 §3.2), as the common log format writes dates:
 *
 *   05/Feb/1999:16:01:30 -0800 people/pics/line/colorbars.gif 99999
 *   06/Feb/1999:00:01:30 +0000 manual/index.html?lang=de 5120 text/html       where the archive's name tells no type
 *   06/Feb/1999:00:02:00 +0000 people/old.html gone                           deleted, and when
 *   - . -                                                                     the site's root; no date, no size known
 *
 * The path is the URL without scheme, host and first slash. In a URL as the URL standard writes it there is no blank,
 * so blanks part the fields; we write such URLs only. A blank that somebody else left in a path is read as part of it,
 * since date and size have fixed places. Fields behind the size that we do not know are skipped. Dates are to the
 * second, as in HTTP.
 */
import type { Instant } from '../instant.ts'
import type { PageEntry } from '../feeds/page-entry.ts'

/** A page, or what is left of one. */
export interface ArchiveEntry extends PageEntry {
  /** It was deleted, at `modifiedAt`. */
  readonly gone?: boolean | undefined
}

export interface ArchiveLineOptions {
  /** Write the media type behind the size. */
  readonly withType?: boolean
  /** Write the digest as well: 72 bytes that do not compress below 32, where all the rest takes about ten. */
  readonly withDigest?: boolean
}

/** Origin of a site, checked; throws a RangeError when it is none. */
export function archiveOrigin(site: string): string {
  const url = URL.parse(site)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.origin
  throw new RangeError(`"${site}" is no site: an archive needs an absolute http or https URL as its root`)
}

/** The line of an entry, without its end. Throws a RangeError for a page of another site. */
export function formatArchiveLine(entry: ArchiveEntry, origin: string, options: ArchiveLineOptions = {}): string {
  const url = URL.parse(entry.url)
  if (url?.origin !== origin) throw new RangeError(`"${entry.url}" is no page of ${origin}: leave it out`)
  const path = `${url.pathname.slice(1)}${url.search}`
  const size = entry.gone === true ? GONE : (entry.bytes ?? '-')
  let line = `${logDate(entry.modifiedAt)} ${path === '' ? '.' : path} ${size}`
  if (options.withType === true && entry.type !== undefined && TYPE.test(entry.type)) line += ` ${entry.type}`
  if (options.withDigest === true && entry.digest !== undefined && DIGEST.test(entry.digest)) line += ` ${entry.digest}`
  return line
}

/** `type` is what the archive's name says of all its pages. Undefined when the line cannot be read. */
export function parseArchiveLine(line: string, origin: string, type?: string): ArchiveEntry | undefined {
  const fields = line.split(' ')
  const extras = takeExtras(fields)
  const size = fields.pop() ?? ''
  const date = fields[0] === '-' ? fields.shift() : fields.splice(0, 2).join(' ')
  const modifiedAt = date === '-' ? undefined : parseLogDate(date ?? '')
  const path = fields.join(' ')
  if (!SIZE.test(size) || Number.isNaN(modifiedAt) || path === '') return undefined
  // Put together, not resolved: a path such as `//other.example/` or `a:b` must not lead to another site.
  const url = URL.parse(`${origin}/${path === '.' ? '' : path}`)
  if (url === null) return undefined
  url.hash = ''
  const own = extras.type ?? type
  return {
    url: url.href,
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    ...(size === '-' || size === GONE ? {} : { bytes: Number(size) }),
    ...(own === undefined ? {} : { type: own }),
    ...(extras.digest === undefined ? {} : { digest: extras.digest }),
    ...(size === GONE ? { gone: true } : {}),
  }
}

const GONE = 'gone'
const SIZE = /^(?:\d{1,15}|-|gone)$/
const TYPE = /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/
const DIGEST = /^sha-256:[0-9a-f]{64}$/
/** How a field of a later version would look. */
const UNKNOWN = /^[a-z][a-z0-9-]{0,30}[=:]\S+$/
const MAX_EXTRAS = 8

/** Takes off what stands behind the size; leaves `fields` alone when there is no size before it. */
function takeExtras(fields: string[]): { readonly type?: string; readonly digest?: string } {
  let count = 0
  const fromEnd = (i: number): string => fields[fields.length - 1 - i] ?? ''
  while (count < MAX_EXTRAS && isExtra(fromEnd(count))) count++
  if (count === 0 || !SIZE.test(fromEnd(count))) return {}
  const extras = fields.splice(fields.length - count)
  const type = extras.find((field) => TYPE.test(field))
  const digest = extras.find((field) => DIGEST.test(field))
  return { ...(type === undefined ? {} : { type }), ...(digest === undefined ? {} : { digest }) }
}

function isExtra(field: string): boolean {
  return TYPE.test(field) || UNKNOWN.test(field)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Always in UTC: one zone for all lines compresses better than each page's own. */
function logDate(at: Instant | undefined): string {
  if (at === undefined || !(at >= FIRST_SECOND && at <= LAST_SECOND)) return '-'
  const date = new Date(at)
  const [day = '', time = ''] = date.toISOString().split('T')
  return `${day.slice(8)}/${MONTHS[date.getUTCMonth()]}/${day.slice(0, 4)}:${time.slice(0, 8)} +0000`
}

/** The years of four digits that are no system's "never". */
const FIRST_SECOND = Date.UTC(1_000, 0)
const LAST_SECOND = 253_402_300_799_999

/** NaN when it is none. */
function parseLogDate(text: string): Instant {
  const [, day, name = '', year, time, sign, hours, minutes] = LOG_DATE.exec(text) ?? []
  const month = MONTHS.findIndex((known) => known.toLowerCase() === name.toLowerCase()) + 1
  if (month === 0) return NaN
  const at = Date.parse(`${year}-${String(month).padStart(2, '0')}-${day}T${time}Z`)
  // Date.parse takes 30 February for a day in March.
  if (at < FIRST_SECOND || new Date(at).getUTCDate() !== Number(day)) return NaN
  return at - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const LOG_DATE = /^(\d\d)\/([A-Za-z]{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-])(\d\d)([0-5]\d)$/
