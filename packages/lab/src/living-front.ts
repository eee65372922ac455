/**
 * Living front: a living site that tells crawlers of its changes. Its journal is brought up to date before each request,
 * as a CMS would on every save: what a page is at an instant is known, so nothing has to tick, and no change is told
 * before it has happened.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Instant } from '@comity/protocol'
import { MemoryJournal, MemoryVersions, createSiteFront, nodeMiddleware, noteChange, publicRules } from '@comity/site'
import { PAGE_TYPE, pageText, robotsText } from './living-answer.ts'
import type { Scheme } from '@comity/site'
import { changedAt, versionOf } from './living-site.ts'
import type { LivingPage, LivingSite } from './living-site.ts'

/** Answers what is the front's to answer; otherwise the site has to, and what it says is seen on its way out. */
export type LivingFront = (request: IncomingMessage, response: ServerResponse) => Promise<'answered' | 'not ours'>

/** A list of all pages for those who know only that, a filter and a batch for those who ask. */
const SCHEMES: readonly Scheme[] = ['robots', 'sitemap', 'catalog', 'changes', 'batch']

/** The site itself must send neither validators nor codings: those are the front's. */
export function createLivingFront(site: LivingSite, clock: () => Instant): LivingFront {
  const robots = robotsText(site)
  const journal = new MemoryJournal({ versions: new MemoryVersions() })
  const base = `${site.origin}/`
  const front = createSiteFront({ journal, base, now: clock, robots, schemes: SCHEMES, tell: () => undefined })
  const middleware = nodeMiddleware(front)
  const rules = { rules: publicRules({ robots }) }
  const told = new Map<string, number>()
  let telling: Promise<unknown> = Promise.resolve()

  const tell = async (now: Instant): Promise<void> => {
    for (const { page, at } of untold(site, told, now)) {
      told.set(page.path, versionOf(page, site.epoch, now))
      const body = Buffer.from(pageText(site, page, now))
      await noteChange(journal, { path: page.path, body, type: PAGE_TYPE }, rules, at)
    }
  }

  return async (request, response) => {
    telling = telling.then(() => tell(clock()))
    await telling
    return await new Promise((resolve, reject) => {
      response.once('close', () => resolve('answered'))
      middleware(request, response, (error) => (error === undefined ? resolve('not ours') : reject(error)))
    })
  }
}

/** Pages that are not as they were last told, in the order of their changes. A page in trouble is none before it recovers. */
function untold(
  site: LivingSite,
  told: ReadonlyMap<string, number>,
  now: Instant,
): { page: LivingPage; at: Instant }[] {
  const changed: { page: LivingPage; at: Instant }[] = []
  for (const page of site.resources.values()) {
    if (page.kind !== 'page' || (page.trouble !== undefined && now < page.trouble.until)) continue
    if (told.get(page.path) === versionOf(page, site.epoch, now)) continue
    changed.push({ page, at: Math.max(changedAt(page, site.epoch, now), page.trouble?.until ?? 0) })
  }
  return changed.toSorted((a, b) => a.at - b.at)
}
