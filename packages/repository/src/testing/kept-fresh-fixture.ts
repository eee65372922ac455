/** What a watch leaves with a collection, for tests: a site that tells of changes, a page that is due, what it came to. */
import type { Collection } from '@comity/collection'
import type { CooperationRow, WatchMemory } from '@comity/follow'
import { RevisitQueue, encodeRevisitRecord, policyNamed } from '@comity/frontier'
import { watchAt } from './pages-fixture.ts'
import { AT } from './sample-repository.ts'
import type { LoggedCrawl } from './sample-repository.ts'
import { recordWatchRun } from '@comity/follow'

const DAY = 86_400_000

/** The site calls, and was found to send other pages than it serves. */
const CALLS: Pick<CooperationRow, 'calls' | 'pushes' | 'worth'> = {
  calls: {
    subscription: { scheme: 'pages', state: 'active', leaseUntil: AT + 400 * DAY },
    outcomes: { applied: 3, hint: 1 },
    schemes: { pages: 4 },
    bytes: 9_000,
    lastAt: AT,
    door: 'websub',
    proof: 'subscription',
    refused: { forged: 1 },
  },
  pushes: {
    taken: 3,
    checked: 3,
    different: 2,
    recentlyChecked: 0,
    recentlyDifferent: 0,
    strikes: 1,
    restsUntil: AT + 400 * DAY,
    agreed: 0,
  },
  worth: { worth: 4, at: AT },
}
const policy = policyNamed('value')

/** Site 0 and its page 1: visited twice since, with one change found, and told of again by the filter. */
export async function keptFresh(collection: Collection, crawl: LoggedCrawl): Promise<void> {
  const queue = new RevisitQueue({ policy, budget: { requestsPerSecond: 5 }, random: () => 0.5 })
  queue.added(1, { site: 0, visitedAt: AT - 9 * DAY }, AT)
  const told = { url: 'https://a.example/1', change: 'updated', channel: 'filter' } as const
  queue.signalled(1, told, AT - 8 * DAY)
  queue.visited(1, { at: AT - 7 * DAY, changed: true, bytes: 900 })
  queue.visited(1, { at: AT - 2 * DAY, changed: false, bytes: 300 })
  queue.signalled(1, told, AT - DAY)
  collection.putFreshness(1, encodeRevisitRecord(queue.recordOf(1)!))
  const offer = { url: 'https://a.example/changes', checkedAt: AT, news: 2, failures: 0, restsUntil: 0 }
  const row: CooperationRow = {
    trust: queue.trustOf(0)!.state(),
    offers: {
      lookedAt: AT,
      lookAgainAt: AT + DAY,
      toldAt: AT,
      push: { hub: 'https://a.example/push/hub', topics: { pages: 'https://a.example/push/pages' } },
      offers: [
        { ...offer, kind: 'filter' },
        { ...offer, kind: 'sitemap', failures: 2, problem: 'status 500', restsUntil: AT + 400 * DAY },
      ],
    },
  }
  collection.putCooperation(0, { ...row, ...CALLS } satisfies CooperationRow)
  const memory: WatchMemory = { at: AT, price: 0.01, bytesPerSecond: Infinity, sample: watchAt(0) }
  recordWatchRun(collection, memory)
  await crawl.commit()
}
