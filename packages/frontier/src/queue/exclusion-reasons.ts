/** Why a known URL is not fetched: its name, as it stands in JSON and by its number on disk, and what a person is told. */
import { tableOf } from '@comity/protocol'

/** A new reason goes to the end: the order is on disk, and nothing is ever renumbered. */
const SENTENCES = {
  scope: 'on a site, domain or folder you did not ask for (--scope)',
  depth: 'more clicks away than --max-depth',
  nofollow: 'the page that links there asks not to follow',
  type: 'a kind of file that --types does not name',
  trap: 'looks like an endless maze of made-up pages',
  'side-effect': 'looks like a program or a button: fetching it could do something (--programs)',
  robots: 'robots.txt asks us to stay away',
  excluded: 'by --include or --exclude',
  'do-not-crawl': 'on the do-not-crawl list',
  'plug-in': 'left out by the hook',
  'told-type': 'its site says that it is a kind of file that --types does not name',
}

export type ExclusionReason = keyof typeof SENTENCES

export const EXCLUSION_REASONS: readonly ExclusionReason[] = Object.keys(SENTENCES) as ExclusionReason[]

export const reasonCode = (reason: ExclusionReason): number => EXCLUSION_REASONS.indexOf(reason)
export const reasonNamed = (code: number): ExclusionReason => EXCLUSION_REASONS[code] ?? 'scope'

const byName = tableOf<string>(SENTENCES)

/** A name that a newer version wrote is its own sentence. */
export const exclusionSentence = (reason: string): string => byName.get(reason) ?? reason
