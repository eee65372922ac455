/** A site in memory with a delivery worker and a real receiver, on a clock that goes on when it is told to. */
import type { TestContext } from 'node:test'
import { DeliveryWorkerMemory, MemoryRows } from '../deliver/delivery-worker-memory.ts'
import type { DeliveryWorkerRows } from '../deliver/delivery-worker-memory.ts'
import type { DeliveryWorker, DeliveryWorkerState } from '../deliver/delivery-worker.ts'
import { createDeliveryWorker } from '../deliver/create-delivery-worker.ts'
import type { CreateDeliveryWorkerOptions } from '../deliver/create-delivery-worker.ts'
import type { DeliveryReport } from '../deliver/delivery.ts'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { httpPost } from '../post.ts'
import { PushReceiver } from './push-receiver-fixture.ts'
import { BASE, SampleSite } from './site-sample.ts'
import type { SiteOptions } from '../site-options.ts'
import type { Subscriber } from '../hub/subscriber.ts'
import type { MemoryJournalOptions } from '../journal/memory-journal.ts'

export interface PushedSampleOptions extends Partial<Omit<CreateDeliveryWorkerOptions, 'site'>> {
  readonly site?: Partial<SiteOptions>
  readonly journal?: MemoryJournalOptions
  readonly subscriber?: Partial<Subscriber>
}

/** Real requests. Whoever lets one hang gives it less time. */
const POST = httpPost({ idleMs: 10_000 })

export class PushedSample {
  readonly sample: SampleSite
  readonly receiver: PushReceiver
  readonly subscribers: MemorySubscribers
  readonly rows: DeliveryWorkerRows
  readonly reports: DeliveryReport[] = []
  readonly told: string[] = []
  readonly #options: PushedSampleOptions
  deliveryWorker: DeliveryWorker
  memory: DeliveryWorkerMemory

  private constructor(receiver: PushReceiver, options: PushedSampleOptions) {
    this.receiver = receiver
    this.#options = options
    this.sample = new SampleSite(options.site, options.journal)
    const subscriber: Subscriber = {
      id: 'crawler',
      scheme: 'differences',
      by: 'push',
      address: receiver.url,
      begins: 0,
      ...options.subscriber,
    }
    this.subscribers = new MemorySubscribers([subscriber])
    this.rows = new MemoryRows()
    this.memory = new DeliveryWorkerMemory(this.rows)
    this.deliveryWorker = this.restarted()
    receiver.ask = (path) => this.sample.bodies.get(path)
  }

  static async make(t: Pick<TestContext, 'after'>, options: PushedSampleOptions = {}): Promise<PushedSample> {
    const receiver = await PushReceiver.listen()
    t.after(() => receiver[Symbol.asyncDispose]())
    return new PushedSample(receiver, options)
  }

  /** Another process: all that it knows is in the rows. */
  restarted(): DeliveryWorker {
    return this.restartedOn(this.rows)
  }

  restartedOn(rows: DeliveryWorkerRows): DeliveryWorker {
    const { sample, subscribers } = this
    this.memory = new DeliveryWorkerMemory(rows)
    const { site, journal: _, subscriber: __, ...deliveryWorker } = this.#options
    const read = async (path: string): Promise<Uint8Array | undefined> => sample.bodies.get(path)
    return (this.deliveryWorker = createDeliveryWorker({
      site: { journal: sample.journal, base: BASE, now: () => sample.now, read, ...site },
      subscribers,
      memory: this.memory,
      post: POST,
      random: () => 0.5,
      onReport: (report) => this.reports.push(report),
      tell: (sentence) => this.told.push(sentence),
      ...deliveryWorker,
    }))
  }

  async put(pages: Readonly<Record<string, string | null>>): Promise<void> {
    await this.sample.put(pages)
  }

  /** What is due now, until nothing is. */
  async drain(): Promise<void> {
    await this.deliveryWorker.drain()
  }

  /** So much later, as often as it takes until nobody waits; throws when that is never. */
  async drainAll(stepMs = 3_600_000): Promise<void> {
    for (let steps = 0; steps < 500; steps++) {
      await this.drain()
      if (this.deliveryWorker.nextAt() === Infinity) return
      this.sample.now = Math.max(this.sample.now, Math.min(this.deliveryWorker.nextAt(), this.sample.now + stepMs))
    }
    throw new Error(`still waiting: ${JSON.stringify(this.deliveryWorker.states())}`)
  }

  get state(): DeliveryWorkerState {
    return this.deliveryWorker.state('crawler')!
  }

  /** What the site has, as text by path. */
  texts(): Record<string, string> {
    const { bodies } = this.sample
    return Object.fromEntries([...bodies.keys()].toSorted().map((path) => [path, bodies.get(path)!.toString()]))
  }
}
