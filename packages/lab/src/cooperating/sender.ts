/**
 * A site that sends: the delivery worker of `@comity/site` with one subscriber, which goes out when the form says so: at each change,
 * at its times for batches, or as often as the owner sends the entire site or runs an agent.
 */
import { newKeyRing } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import {
  DeliveryWorkerMemory,
  createDeliveryWorker,
  hubUrl,
  MemoryRows,
  MemorySubscribers,
  pushSchedule,
  pushSubscriber,
  topicUrl,
} from '@comity/site'
import type { DeliveryWorker, KeySource, Post, SiteOptions, Subscriber } from '@comity/site'
import type { AgentRunner } from './agent.ts'
import type { PushTerms } from '../experiments/schemes/pushed.ts'

/** As long as one that somebody would choose. */
export const SECRET: string = 'ab'.repeat(32)
export const INDEXNOW_KEY: string = 'c0ffee'.repeat(5)
/** Of the one subscriber. */
export const SUBSCRIBER = 'copy'

/** Not for secrets: who sends and who receives here are one. */
const ring = newKeyRing(new Uint8Array(32).fill(7), 0)
export const SITE_KEYS: KeySource = { ring: () => ring }

interface SenderParts {
  readonly site: SiteOptions
  readonly terms: PushTerms
  /** Where the crawler listens; endpoints are below it. */
  readonly address: string
  readonly post: Post
  /** From change number so on; all pages unless given. */
  readonly begins?: number | undefined
  readonly memory?: DeliveryWorkerMemory | undefined
  /** Of forms that go out by neither changes nor a schedule of the delivery worker's; the first time now unless given. */
  readonly everyMs: number
  readonly firstAt?: Instant | undefined
  readonly agent?: AgentRunner | undefined
}

export class Sender {
  readonly #deliveryWorker: DeliveryWorker
  readonly #terms: PushTerms
  readonly #everyMs: number
  readonly #agent: AgentRunner | undefined
  /** When the owner sends next; a delivery worker knows its other times itself. */
  #ownTime: Instant

  constructor(parts: SenderParts) {
    const { site, terms, post, everyMs, agent, memory = new DeliveryWorkerMemory(new MemoryRows()) } = parts
    this.#terms = terms
    this.#everyMs = everyMs
    this.#agent = agent
    this.#ownTime = parts.firstAt ?? site.now()
    this.#deliveryWorker = createDeliveryWorker({
      site,
      subscribers: new MemorySubscribers([subscriberOf(parts)]),
      memory,
      post,
      random: () => 0,
      schedule: pushSchedule(terms.when === 'hourly' ? 'hourly' : 'daily'),
      agentResults: agent,
    })
  }

  /** When it goes out next, as far as that is known now; Infinity while there is nothing to send. */
  get dueAt(): Instant {
    return this.#isOwnTime ? this.#ownTime : this.#deliveryWorker.nextAt()
  }

  /** All that is due at a moment. */
  async send(now: Instant): Promise<void> {
    if (this.#isOwnTime) {
      this.#ownTime = now + this.#everyMs
      if (this.#terms.scheme === 'site') await this.#deliveryWorker.again(SUBSCRIBER)
      await this.#agent?.run()
    }
    await this.#deliveryWorker.drain()
  }

  /** The agent, run once more when nothing has changed since it was; `none` where there is no agent. */
  async idleRun(): Promise<'run' | 'none'> {
    await this.#agent?.run()
    return this.#agent === undefined ? 'none' : 'run'
  }

  /** What could not be delivered, in words. */
  get trouble(): string | undefined {
    return this.#deliveryWorker.state(SUBSCRIBER)?.trouble
  }

  get #isOwnTime(): boolean {
    return this.#terms.when === 'each period' || this.#terms.when === 'agent'
  }
}

function subscriberOf({ terms, address, site: { base }, begins = 0 }: SenderParts): Subscriber {
  const { scheme, by } = terms
  if (by === 'push') return { ...pushSubscriber({ url: `${address}push`, scheme, base, begins }), id: SUBSCRIBER }
  if (by === 'indexnow') return { id: SUBSCRIBER, scheme, by, address: `${address}indexnow`, begins }
  const callback = `${address}websub/5b7c1c1e8f5d4f6a9d3e2b1a0c9f8e7d`
  return {
    id: SUBSCRIBER,
    scheme,
    by,
    address: callback,
    topic: topicUrl(base, scheme),
    hub: hubUrl(base),
    secret: SECRET,
    begins,
  }
}
