/**
 * Living front: a living site that tells crawlers of its changes: those who ask, and, where its spec says so, those who want
 * to be called (`living/caller.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Instant } from '@comity/protocol'
import { createSiteFront, nodeMiddleware } from '@comity/site'
import type { SiteFrontOptions, SiteScheme } from '@comity/site'
import { robotsText } from './answer.ts'
import { LivingJournal } from './journal.ts'
import type { LivingSite } from './site.ts'

/** Answers what is the front's to answer; otherwise the site has to, and what it says is seen on its way out. */
export type LivingFront = (request: IncomingMessage, response: ServerResponse) => Promise<'answered' | 'not ours'>

/** A list of all pages for those who know only that, a filter and a batch for those who ask. */
const SCHEMES: readonly SiteScheme[] = ['robots', 'sitemap', 'catalog', 'changes', 'batch']

/** Many sites live in one process, and none of them is large. */
const CACHE_BYTES = 4 << 20
export const LIVING_CACHES: Pick<SiteFrontOptions, 'coding' | 'limits'> = {
  coding: { cacheBytes: CACHE_BYTES },
  limits: { cacheBytes: CACHE_BYTES },
}

/** The site itself must send neither validators nor codings: those are the front's. */
export function createLivingFront(site: LivingSite, clock: () => Instant): LivingFront {
  const living = new LivingJournal(site)
  const front = createSiteFront({
    journal: living.journal,
    base: `${site.origin}/`,
    now: clock,
    robots: robotsText(site),
    schemes: SCHEMES,
    ...LIVING_CACHES,
    tell: () => undefined,
  })
  return frontOf(nodeMiddleware(front), () => living.upTo(clock()))
}

/** `ready`: what has to be done before an answer. */
export function frontOf(middleware: ReturnType<typeof nodeMiddleware>, ready: () => Promise<void>): LivingFront {
  return async (request, response) => {
    await ready()
    return await new Promise((resolve, reject) => {
      response.once('close', () => resolve('answered'))
      middleware(request, response, (error) => (error === undefined ? resolve('not ours') : reject(error)))
    })
  }
}
