/**
 * Site agents: the agents of a site that is served: who may subscribe to what they say, when they are run, what is sent. What
 * `comity publish --agents` does, for any site with a delivery worker:
 *
 *   const agents = openSiteAgents({ dir, file, subscribers, base, tell })
 *   createSiteFront({ …, push: { subscribers, ...agents.push } })
 *   const deliveryWorker = createDeliveryWorker({ …, agentResults: agents.results })
 *   await Promise.all([deliveryWorker.run(signal), agents.run({ site, everyMs, onResult: () => deliveryWorker.wake() }, signal)])
 */
import { AgentStore } from '@comity/agent'
import type { AgentCaps } from '@comity/agent'
import { PUSH_SCHEMES, PublicPages, topicUrl } from '@comity/site'
import type { AgentOutbox, PushOptions, SiteOptions, Subscribers } from '@comity/site'
import { AgentOutboxFile } from '../agent/outbox.ts'
import { AgentRounds } from '../agent/rounds.ts'
import { HourlyHits } from '../agent/hourly-hits.ts'

export interface SiteAgentsOptions {
  /** Where the agents are: `comity agent install --agents DIR`. */
  readonly dir: string
  /** Where it is written down who was told what. */
  readonly file: string
  readonly subscribers: Pick<Subscribers, 'all'>
  /** The address of the home page. */
  readonly base: string
  readonly tell: (sentence: string) => void
}

interface AgentRunTerms {
  readonly site: SiteOptions
  readonly everyMs: number
  /** An access log, for agents that may know how often pages were read. */
  readonly accessLog?: string | undefined
  readonly caps?: AgentCaps | undefined
  readonly onResult?: (() => void) | undefined
}

export interface SiteAgents {
  /** For the hub: what can be subscribed to, and by whom. */
  readonly push: Pick<PushOptions, 'schemes' | 'validate'>
  /** For the delivery worker. */
  readonly results: AgentOutbox
  /** Runs agents as pages change, until told to stop. */
  run(terms: AgentRunTerms, signal: AbortSignal): Promise<void>
}

export function openSiteAgents({ dir, file, subscribers, base, tell }: SiteAgentsOptions): SiteAgents {
  const store = new AgentStore(dir)
  const outbox = new AgentOutboxFile({ store, subscribers, file, tell })
  const topic = topicUrl(base, 'agent')
  const validate = async (request: {
    readonly topic: string
    readonly callback: string
  }): Promise<string | undefined> => {
    const isOurs = request.topic !== topic || outbox.hasAgentFor(request.callback)
    return await Promise.resolve(isOurs ? undefined : NO_AGENT)
  }
  return {
    push: { schemes: PUSH_SCHEMES, validate },
    results: outbox,
    run: async ({ site, everyMs, accessLog, caps, onResult }, signal) => {
      const hits = accessLog === undefined ? undefined : new HourlyHits(accessLog, base, tell)
      const pages = new PublicPages(site)
      const log =
        hits === undefined ? undefined : async (): ReturnType<HourlyHits['read']> => await hits.read(site.now())
      await new AgentRounds({ store, outbox, pages, everyMs, caps, log, now: site.now, tell, onResult }).run(signal)
    },
  }
}

const NO_AGENT = 'No agent of yours runs here. Its owner may install one.'
