/**
 * Archive name: what a metadata archive holds, told by its file name, so that a crawler takes only those it needs
 * (000 §3.3). The paper's `1.4.2000-1.22.2000.HTML.gz` becomes
 *
 *   20000104T000000Z-20000122T235959Z.0003.text~html.gz        changes from … to …, segment 3, pages of one type
 *   20000104T000000Z-20000122T235959Z.0003-1.text~html.gz      written anew by a compaction
 *   20000122T235959Z-.0004.other.gz                            changes from …; where they end, the next segment begins
 *
 * Names sort by time, hold nothing that two file systems or two readers would see differently (no colon, no letter
 * that counts by its case), and number and revision tell two segments of one range apart. What stands under a name with an end
 * never changes. Of those without one, only that with the highest number still does.
 */
import type { Instant } from '../instant.ts'

export interface MetadataArchiveName {
  /** First change in it, to the second. */
  readonly from: Instant
  /** Last change in it, to the end of its second. */
  readonly to?: Instant | undefined
  /** Of the segment. Later changes are in segments with higher numbers, and a page's highest is the one that counts. */
  readonly number: number
  /** Tells what was written anew from what it was before. */
  readonly revision: number
  /** A media type, or `other` for all that have no archive of their own. */
  readonly group: string
}

/** Group of small types together, and of the newest changes, which are not split. */
export const OTHER_GROUP = 'other'

export function formatMetadataArchiveName({ from, to, number, revision, group }: MetadataArchiveName): string {
  const count = `${String(number).padStart(4, '0')}${revision > 0 ? `-${revision}` : ''}`
  return `${stamp(from)}-${to === undefined ? '' : stamp(to)}.${count}.${group.replace('/', '~')}.gz`
}

/** From a name, or a URL that ends in one; undefined when it is none. */
export function parseMetadataArchiveName(text: string): MetadataArchiveName | undefined {
  if (text.length > LONGEST) return undefined
  const path = text.split(/[?#]/, 1)[0] ?? ''
  const file = path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('%7E', '~')
    .replaceAll('%2B', '+')
  const [, from = '', to = '', number, revision = '0', group = ''] = NAME.exec(file.toLowerCase()) ?? []
  if (number === undefined) return undefined
  const begins = instantOf(from)
  const ends = to === '' ? undefined : instantOf(to)
  if (Number.isNaN(begins) || Number.isNaN(ends)) return undefined
  return {
    from: begins,
    ...(ends === undefined ? {} : { to: ends + 999 }),
    number: Number(number),
    revision: Number(revision),
    group: group.replace('~', '/'),
  }
}

/** Whether a media type can be in a name as it is; the characters left out are allowed by RFC 6838 §4.2 and in no use. */
export function canBeGroup(type: string): boolean {
  return type.length <= 100 && GROUP.test(type)
}

const LONGEST = 2_048
const NAME =
  /^(\d{8}t\d{6}z)-(\d{8}t\d{6}z)?\.(\d{1,12})(?:-(\d{1,12}))?\.(other|[a-z0-9][a-z0-9.+_-]*~[a-z0-9.+_-]+)\.gz$/
const GROUP = /^[a-z0-9][a-z0-9.+_-]*\/[a-z0-9.+_-]+$/

/** ISO 8601's basic form, to the second. Before 1970 and after 9999 no page was changed: some clock was wrong. */
function stamp(at: Instant): string {
  const date = new Date(Math.min(Math.max(at, 0), LAST_SECOND))
  return `${date.toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}Z`
}

const LAST_SECOND = 253_402_300_799_000

function instantOf(text: string): Instant {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)z$/.exec(text) ?? []
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
