/** A site in memory with a courier and a real receiver, on a clock that goes on when it is told to. */
import type { TestContext } from 'node:test'
import { CourierMemory, MemoryRows } from '../deliver/courier-memory.ts'
import type { CourierRows } from '../deliver/courier-memory.ts'
import type { Courier, CourierState } from '../deliver/courier.ts'
import { createCourier } from '../deliver/create-courier.ts'
import type { CreateCourierOptions } from '../deliver/create-courier.ts'
import type { DeliveryReport } from '../deliver/delivery.ts'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { httpPost } from '../post.ts'
import { PushReceiver } from './push-receiver-fixture.ts'
import { BASE, SampleSite } from './site-sample.ts'
import type { SiteOptions } from '../site-options.ts'
import type { Subscriber } from '../hub/subscriber.ts'
import type { MemoryJournalOptions } from '../journal/memory-journal.ts'

export interface PushedSampleOptions extends Partial<Omit<CreateCourierOptions, 'site'>> {
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
  readonly rows: CourierRows
  readonly reports: DeliveryReport[] = []
  readonly told: string[] = []
  readonly #options: PushedSampleOptions
  courier: Courier
  memory: CourierMemory

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
    this.memory = new CourierMemory(this.rows)
    this.courier = this.restarted()
    receiver.ask = (path) => this.sample.bodies.get(path)
  }

  static async make(t: Pick<TestContext, 'after'>, options: PushedSampleOptions = {}): Promise<PushedSample> {
    const receiver = await PushReceiver.listen()
    t.after(() => receiver[Symbol.asyncDispose]())
    return new PushedSample(receiver, options)
  }

  /** Another process: all that it knows is in the rows. */
  restarted(): Courier {
    return this.restartedOn(this.rows)
  }

  restartedOn(rows: CourierRows): Courier {
    const { sample, subscribers } = this
    this.memory = new CourierMemory(rows)
    const { site, journal: _, subscriber: __, ...courier } = this.#options
    const read = async (path: string): Promise<Uint8Array | undefined> => sample.bodies.get(path)
    return (this.courier = createCourier({
      site: { journal: sample.journal, base: BASE, now: () => sample.now, read, ...site },
      subscribers,
      memory: this.memory,
      post: POST,
      random: () => 0.5,
      onReport: (report) => this.reports.push(report),
      tell: (sentence) => this.told.push(sentence),
      ...courier,
    }))
  }

  async put(pages: Readonly<Record<string, string | null>>): Promise<void> {
    await this.sample.put(pages)
  }

  /** What is due now, until nothing is. */
  async drain(): Promise<void> {
    await this.courier.drain()
  }

  /** So much later, as often as it takes until nobody waits; throws when that is never. */
  async drainAll(stepMs = 3_600_000): Promise<void> {
    for (let steps = 0; steps < 500; steps++) {
      await this.drain()
      if (this.courier.nextAt() === Infinity) return
      this.sample.now = Math.max(this.sample.now, Math.min(this.courier.nextAt(), this.sample.now + stepMs))
    }
    throw new Error(`still waiting: ${JSON.stringify(this.courier.states())}`)
  }

  get state(): CourierState {
    return this.courier.state('crawler')!
  }

  /** What the site has, as text by path. */
  texts(): Record<string, string> {
    const { bodies } = this.sample
    return Object.fromEntries([...bodies.keys()].toSorted().map((path) => [path, bodies.get(path)!.toString()]))
  }
}
