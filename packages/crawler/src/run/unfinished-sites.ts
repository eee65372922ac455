/** Sites that a run leaves with pages still waiting, and why. */
import type { Frontier } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import type { SiteOutcome } from '@comity/ingest'

/** Those that were given up, or that rest beyond `latest`. A site that merely has no turn any more is not named. */
export function* unfinishedSites(
  frontier: Frontier,
  latest: Instant,
): Generator<[site: number, outcome: SiteOutcome, problem: string]> {
  for (const site of frontier.sites) {
    if (site.waiting === 0) continue
    const until = Math.max(site.readyAt, site.askedUntil)
    if (site.givenUp) yield [site.id, 'robots-unreachable', 'its robots.txt is at a site that is given up']
    else if (until > latest) {
      yield [site.id, 'rests-too-long', `it asks to be left alone until ${new Date(until).toISOString()}`]
    }
  }
}
