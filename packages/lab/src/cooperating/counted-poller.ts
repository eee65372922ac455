/** A crawler on a counted line that holds the site already, and does not read pages: bytes are all that counts. */
import { SiteCopy } from './copy.ts'
import type { CountedLine } from './counted-line.ts'
import { holdSite } from './counted-site.ts'
import type { CountedEndpoint, CountedSite } from './counted-site.ts'
import { SiteFollower } from './site-follower.ts'
import type { FollowerParts } from './site-follower.ts'
import type { ChangeOfferKind } from '@comity/follow'

export interface CountedPoller {
  readonly line: CountedLine
  readonly poll: () => Promise<unknown>
}

type Polled = (follower: SiteFollower, line: CountedLine) => Promise<unknown>

/** A first copy is the same work for all, and is not made. */
export function countedPoller(
  site: CountedSite,
  parts: Omit<FollowerParts, 'base' | 'copy'>,
  poll: Polled,
  door: CountedEndpoint = 'helping',
): CountedPoller {
  const copy = new SiteCopy({ isRead: false })
  holdSite(copy, site, door)
  const [line, follower] = [site.line(door), new SiteFollower({ ...parts, base: site.base, copy })]
  return { line, poll: async () => await poll(follower, line) }
}

/** One that is told what changed, and fetches it. */
export const countedFollower = (
  site: CountedSite,
  kind: ChangeOfferKind,
  parts: Omit<FollowerParts, 'base' | 'copy'> = {},
): CountedPoller =>
  countedPoller(site, { offers: [kind, 'sitemap'], ...parts }, (follower, line) =>
    follower.follow(line, kind, site.now),
  )
