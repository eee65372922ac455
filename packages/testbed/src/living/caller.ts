/**
 * Living caller: a living site that pushes those who want to hear of its changes: a hub at the site, and a delivery worker that sends
 * what changed a moment after it did. Time is real here: somebody is called, not asked.
 *
 * One that lies sends other pages than it serves. It does so well: its signatures, digests and dates are right, and only
 * whoever fetches a page finds out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '@comity/protocol'
import {
  DeliveryWorkerMemory,
  MemoryRows,
  MemorySubscribers,
  createDeliveryWorker,
  createSiteFront,
  httpPost,
  nodeMiddleware,
} from '@comity/site'
import type {
  AgentOutbox,
  DeliveryWorker,
  DeliveryWorkerState,
  PushOptions,
  SiteScheme,
  SiteOptions,
  Subscribers,
} from '@comity/site'
import { pageText, robotsText } from './answer.ts'
import { LIVING_CACHES, frontOf } from './front.ts'
import type { LivingFront } from './front.ts'
import { LivingJournal } from './journal.ts'
import type { LivingPage, LivingSite } from './site.ts'

interface LivingCaller extends AsyncDisposable {
  readonly front: LivingFront
  /** How things stand with each of those who are called. */
  states(): readonly DeliveryWorkerState[]
}

/** Programs of search engines that run at a site: what can be subscribed to then, what they said, and who runs them. */
interface LivingAgents {
  readonly push: Pick<PushOptions, 'schemes' | 'validate'>
  readonly results: AgentOutbox
  run(terms: LivingAgentTerms, signal: AbortSignal): Promise<void>
}

interface LivingAgentTerms {
  readonly site: SiteOptions
  readonly everyMs: number
  readonly onResult: () => void
}

/** Undefined for a site that lets none in. */
export type AgentsOf = (site: LivingSite, subscribers: Subscribers) => LivingAgents | undefined

/** Who pushes need not be asked: only what leads to the hub; and to the change list, where that is a topic. */
const SCHEMES: readonly SiteScheme[] = ['robots', 'catalog', 'push']
/** Between a change and the look at the journal that finds it. */
const LOOK_MS = 50
/** Least time between two runs of an agent. */
const AGENT_MS = 500
/** A timer cannot wait for ever, and what is far away may come nearer. */
const MAX_WAIT_MS = 60_000

export const LIE = 'Only here, cheaper than anywhere: words that this site serves to nobody who asks.'

export function createLivingCaller(
  site: LivingSite,
  clock: () => Instant,
  agentsOf: AgentsOf = () => undefined,
): LivingCaller {
  const { calls = [], lies = false } = site.spec
  const bodyOf = (page: LivingPage, now: Instant): string =>
    lies ? pageText(site, page, now).replace('<main>', `<main><p>${LIE}</p>`) : pageText(site, page, now)
  const living = new LivingJournal(site, bodyOf)
  const subscribers = new MemorySubscribers()
  const { journal } = living
  const schemes: readonly SiteScheme[] = calls.includes('changes') ? [...SCHEMES, 'resourcesync'] : SCHEMES
  const agents = calls.includes('agent') ? agentsOf(site, subscribers) : undefined
  const push = { subscribers, schemes: calls, allowPrivate: true, ...agents?.push }
  const own = { journal, base: `${site.origin}/`, now: clock, robots: robotsText(site), schemes, push }
  const front = createSiteFront({ ...own, ...LIVING_CACHES, tell: () => undefined })
  const served = { ...own, read: async (): Promise<undefined> => undefined }
  const deliveryWorker = createDeliveryWorker({
    site: served,
    subscribers,
    memory: new DeliveryWorkerMemory(new MemoryRows()),
    post: httpPost({ allowPrivate: true }),
    random: Math.random,
    lookEveryMs: LOOK_MS,
    agentResults: agents?.results,
  })
  const answered = frontOf(nodeMiddleware(front), () => living.upTo(clock()))
  const stop = new AbortController()
  const running = Promise.all([
    deliveryWorker.run(stop.signal),
    follow(living, deliveryWorker, clock, stop.signal),
    agents?.run({ site: served, everyMs: AGENT_MS, onResult: () => deliveryWorker.wake() }, stop.signal),
  ])
  return {
    // A front learns from the pages that pass. A liar keeps them apart.
    front: async (request, response) =>
      lies && site.resources.has(request.url ?? '') ? 'not ours' : await answered(request, response),
    states: () => deliveryWorker.states(),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
      front.site[Symbol.dispose]()
    },
  }
}

/** Every change is in the journal a moment after it happened. */
async function follow(
  living: LivingJournal,
  deliveryWorker: DeliveryWorker,
  clock: () => Instant,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const now = clock()
    await living.upTo(now)
    deliveryWorker.wake()
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(1, living.nextAt(now) - clock()))
    // A rejection only says that it is over.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}
