/**
 * A delivery worker for a site: the makers of all that is sent (002 §6.3), out of the same options as everything else of the site.
 *
 *   const memory = new DeliveryWorkerMemory(await openDeliveryWorkerRows('/var/lib/mysite'))
 *   const deliveryWorker = createDeliveryWorker({ site, subscribers, memory, post: httpPost({ sign }), random: Math.random })
 *   await deliveryWorker.run(signal)
 */
import { AgentContent } from '../push/agent-content.ts'
import type { AgentOutbox } from '../push/agent-content.ts'
import { BatchContent, BatchNews } from '../serve/batch-content.ts'
import { ChangeNotificationContent } from '../push/change-notification-content.ts'
import { DeliveryWorker } from './delivery-worker.ts'
import type { DeliveryWorkerOptions } from './delivery-worker.ts'
import { baseOf } from '../push/difference-content.ts'
import type { HeldBy } from '../push/held-page.ts'
import { PageBodies } from '../serve/page-bodies.ts'
import { PageBundles } from '../serve/page-bundle.ts'
import { PageContent } from '../push/page-content.ts'
import { PublicView } from '../privacy/public-view.ts'
import type { WarcParts } from '../push/pushed-warc.ts'
import { SiteContent } from '../push/site-content.ts'
import { siteSetting } from '../site-options.ts'
import type { SiteOptions } from '../site-options.ts'
import type { ContentMaker, PushScheme } from '../hub/subscriber.ts'

export interface CreateDeliveryWorkerOptions extends Omit<DeliveryWorkerOptions, 'view' | 'makerOf' | 'now'> {
  readonly site: SiteOptions
  /** Batches are not sent: it is told that the change dump has something new. */
  readonly isBatchAnnounced?: boolean | undefined
  /** What agents here have to say; without it nobody is sent anything of the kind. */
  readonly agentResults?: AgentOutbox | undefined
  /** In place of our own, or for schemes that have none here. */
  readonly makers?: Readonly<Partial<Record<PushScheme, ContentMaker>>> | undefined
}

export function createDeliveryWorker(options: CreateDeliveryWorkerOptions): DeliveryWorker {
  const setting = siteSetting(options.site)
  const view = new PublicView(setting)
  const bodies = new PageBodies(setting)
  const warc: WarcParts = { view, bundles: new PageBundles(view, bodies), now: setting.now }
  const heldBy: HeldBy = (id, path) => options.memory.held(id, path)
  const { indexNowKey } = setting.push ?? {}
  const { agentResults } = options
  const makers: Partial<Record<PushScheme, ContentMaker>> = {
    changes: new ChangeNotificationContent(view, {
      indexNowKey,
      hasCapabilityList: setting.offered.has('resourcesync'),
    }),
    differences: new PageContent(warc, heldBy, baseOf),
    pages: new PageContent(warc, heldBy, () => undefined),
    batches: options.isBatchAnnounced === true ? new BatchNews(view) : new BatchContent(view, bodies),
    site: new SiteContent(view, bodies),
    ...(agentResults === undefined ? {} : { agent: new AgentContent(warc, heldBy, agentResults) }),
    ...options.makers,
  }
  return new DeliveryWorker({ ...options, now: setting.now, view, makerOf: ({ scheme }) => makers[scheme] })
}
