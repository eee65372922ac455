/** Why a known URL is not fetched: its name, as it stands in JSON and by its number on disk, and what a person is told. */
import { tableOf } from '@comity/protocol'

/** What a later run of the same collection must be told otherwise for a page to wait again; what a site or page asked for is not ours. */
type ReadmittedBy = 'scope' | 'type' | 'never'
/** When a page is judged anew as another link to it is found: at any link, at one nearer to a start page, or at none. */
type JudgedAgain = 'any-link' | 'nearer-link'

interface Row {
  readonly sentence: string
  readonly readmittedBy: ReadmittedBy
  readonly judgedAgain?: JudgedAgain
  /** An operator's wish of today: it keeps also those out that were let in before. */
  readonly holdsForKnown?: true
  /** Keeps a crawl out of what has no end: a crawl of a maze may end by it (`test/security/hostile.test.ts`). */
  readonly endsMazes?: true
}

/** A new reason goes to the end: the order is on disk, and nothing is ever renumbered. */
const REASONS = {
  scope: { sentence: 'on a site, domain or folder you did not ask for (--scope)', readmittedBy: 'scope' },
  depth: { sentence: 'more clicks away than --max-depth', readmittedBy: 'scope', judgedAgain: 'nearer-link' },
  nofollow: {
    sentence: 'the page that links there asks not to follow',
    readmittedBy: 'never',
    judgedAgain: 'any-link',
  },
  type: { sentence: 'a kind of file that --types does not name', readmittedBy: 'type', judgedAgain: 'any-link' },
  trap: { sentence: 'looks like an endless maze of made-up pages', readmittedBy: 'scope', endsMazes: true },
  'side-effect': {
    sentence: 'looks like a program or a button: fetching it could do something (--programs)',
    readmittedBy: 'scope',
    endsMazes: true,
  },
  robots: { sentence: 'robots.txt asks us to stay away', readmittedBy: 'never' },
  excluded: { sentence: 'by a pattern of --include or --exclude', readmittedBy: 'scope', holdsForKnown: true },
  'do-not-crawl': { sentence: 'on the do-not-crawl list', readmittedBy: 'scope', holdsForKnown: true },
  'plug-in': { sentence: 'left out by the hook', readmittedBy: 'scope' },
  'told-type': {
    sentence: 'its site says that it is a kind of file that --types does not name',
    readmittedBy: 'type',
  },
  elsewhere: { sentence: 'at home in another shard of the cluster, which is told of it', readmittedBy: 'never' },
} as const

export type ExclusionReason = keyof typeof REASONS

export const EXCLUSION_REASONS: readonly ExclusionReason[] = Object.keys(REASONS) as ExclusionReason[]

export const reasonCode = (reason: ExclusionReason): number => EXCLUSION_REASONS.indexOf(reason)
export const reasonNamed = (code: number): ExclusionReason => EXCLUSION_REASONS[code] ?? 'scope'

const byName = tableOf<Row>(REASONS)

const rowOf = (reason: ExclusionReason): Row => REASONS[reason]

export const readmittedBy = (reason: ExclusionReason): ReadmittedBy => rowOf(reason).readmittedBy
export const holdsForKnown = (reason: ExclusionReason): boolean => rowOf(reason).holdsForKnown === true
/** A name that a newer version wrote ends none. */
export const endsMazes = (reason: string): boolean => byName.get(reason)?.endsMazes === true

/** Whether a link to an excluded page is worth judging it anew. */
export function judgedAgain(reason: ExclusionReason, isNearer: boolean): boolean {
  const when = rowOf(reason).judgedAgain
  return when === 'any-link' || (when === 'nearer-link' && isNearer)
}

/** A name that a newer version wrote is its own sentence. */
export const exclusionSentence = (reason: string): string => byName.get(reason)?.sentence ?? reason
