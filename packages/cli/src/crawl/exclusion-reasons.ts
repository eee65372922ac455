/** Why known URLs are left alone, in words. */
import type { ExclusionReason } from '@comity/frontier'
import { tableOf } from '@comity/protocol'

export const OUTSIDE_SENTENCES: Readonly<Record<ExclusionReason, string>> = {
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
}

const byName = tableOf(OUTSIDE_SENTENCES)

export const exclusionSentence = (reason: string): string => byName.get(reason) ?? reason
