/** Why a known URL is not fetched: its name, as it stands in JSON and by its number on disk, and what a person is told. */
import { tableOf } from '@comity/protocol'

/** What a later run of the same collection must be told otherwise for a page to wait again; what a site or page asked for is not ours. */
type ReadmittedBy = 'scope' | 'type' | 'never'

interface Row {
  readonly sentence: string
  readonly readmittedBy: ReadmittedBy
}

/** A new reason goes to the end: the order is on disk, and nothing is ever renumbered. */
const REASONS = {
  scope: { sentence: 'on a site, domain or folder you did not ask for (--scope)', readmittedBy: 'scope' },
  depth: { sentence: 'more clicks away than --max-depth', readmittedBy: 'scope' },
  nofollow: { sentence: 'the page that links there asks not to follow', readmittedBy: 'never' },
  type: { sentence: 'a kind of file that --types does not name', readmittedBy: 'type' },
  trap: { sentence: 'looks like an endless maze of made-up pages', readmittedBy: 'scope' },
  'side-effect': {
    sentence: 'looks like a program or a button: fetching it could do something (--programs)',
    readmittedBy: 'scope',
  },
  robots: { sentence: 'robots.txt asks us to stay away', readmittedBy: 'never' },
  excluded: { sentence: 'by a pattern of --include or --exclude', readmittedBy: 'scope' },
  'do-not-crawl': { sentence: 'on the do-not-crawl list', readmittedBy: 'scope' },
  'plug-in': { sentence: 'left out by the hook', readmittedBy: 'scope' },
  'told-type': {
    sentence: 'its site says that it is a kind of file that --types does not name',
    readmittedBy: 'type',
  },
} as const

export type ExclusionReason = keyof typeof REASONS

export const EXCLUSION_REASONS: readonly ExclusionReason[] = Object.keys(REASONS) as ExclusionReason[]

export const reasonCode = (reason: ExclusionReason): number => EXCLUSION_REASONS.indexOf(reason)
export const reasonNamed = (code: number): ExclusionReason => EXCLUSION_REASONS[code] ?? 'scope'

const byName = tableOf<Row>(REASONS)

export const readmittedBy = (reason: ExclusionReason): ReadmittedBy => REASONS[reason].readmittedBy

/** A name that a newer version wrote is its own sentence. */
export const exclusionSentence = (reason: string): string => byName.get(reason)?.sentence ?? reason
