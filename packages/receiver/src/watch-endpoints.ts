/**
 * WatchEndpoints: the receiver of a run that keeps a collection fresh, on a thread of its own. It is opened when the run begins, as
 * only then is it known how far what was received has been taken in.
 */
import { writeKeyRing } from '@comity/protocol'
import type { KeyRing } from '@comity/protocol'
import type { Appended, InboxItem, NewInboxItem, Subscription, SubscriptionWish } from '@comity/collection'
import type { AgentPort, IntakePort, IntakeWorld } from '@comity/crawler'
import type { GatewayPort } from '@comity/ingest'
import type { ListenOptions } from './http/listen-at.ts'
import type { ReceiverFigures, ReceiverSettings } from './port.ts'
import { programsInvalid } from './errors.ts'
import { GatewayTrust } from './proof/gateway-trust.ts'
import { readProgramList } from './programs/program-list.ts'
import { ReceiverThread } from './thread.ts'
import { WEBSUB_PATH } from './routes/websub.ts'

export interface WatchEndpointsOptions extends Omit<ReceiverSettings, 'after' | 'keyRing'> {
  readonly listen: ListenOptions
  /** Our own keys, published at the receiver for sites that want to know who asks. */
  readonly keys?: KeyRing | undefined
  /** The engine's own agents at sites. */
  readonly agents?: AgentPort | undefined
  /** Called once, with where sites reach it. */
  readonly onOpen?: ((url: string) => void) | undefined
  readonly onError?: ((error: unknown) => void) | undefined
  /** What the operator should know, and is no error of ours. */
  readonly tell?: ((sentence: string) => void) | undefined
}

export class WatchEndpoints implements IntakePort {
  readonly #options: WatchEndpointsOptions
  /** Read here and in the thread: who may speak is asked there, and of which pages here, when they are taken in. */
  readonly #trust: GatewayTrust | undefined
  #thread: ReceiverThread | undefined
  #url = ''
  #last = 0

  constructor(options: WatchEndpointsOptions) {
    this.#options = options
    const { gateways, programs } = options
    if (gateways !== undefined) this.#trust = new GatewayTrust(gateways, { now: () => Date.now() })
    const read = programs === undefined ? [] : readProgramList(programs)
    if (typeof read === 'string') throw programsInvalid(programs!, read)
  }

  get agents(): AgentPort | undefined {
    return this.#options.agents
  }

  get gateways(): GatewayPort | undefined {
    return this.#trust
  }

  get last(): number {
    return this.#last
  }

  async begin({ after, fetchFrom, ring, failed }: IntakeWorld): Promise<void> {
    const { listen, keys, agents: _, onOpen, onError, tell, ...settings } = this.#options
    this.#last = after
    const keyRing = keys === undefined ? undefined : writeKeyRing(keys)
    this.#thread = new ReceiverThread(
      { ...settings, after, keyRing },
      {
        fetchFrom,
        onError,
        onEnd: failed,
        tell,
        onKept: (last) => {
          this.#last = Math.max(this.#last, last)
          ring()
        },
      },
    )
    const at = await this.#thread.listen(listen)
    const host = at.family === 'IPv6' ? `[${at.address}]` : at.address
    this.#url = settings.publicUrl ?? `http://${host}:${at.port}`
    onOpen?.(this.#url)
  }

  /** Where sites reach it; empty before it is open. */
  get url(): string {
    return this.#url
  }

  callbackOf(token: string): string {
    return `${this.#url}${WEBSUB_PATH}${token}`
  }

  /** Undefined before it is open. */
  async figures(): Promise<ReceiverFigures | undefined> {
    return await this.#thread?.figures()
  }

  read(after: number, limit: number): Promise<readonly InboxItem[]> {
    return this.#open.read(after, limit)
  }
  acknowledged(upTo: number): Promise<void> {
    return this.#open.acknowledged(upTo)
  }
  append(item: NewInboxItem): Promise<Appended> {
    return this.#open.append(item)
  }
  subscribe(wish: SubscriptionWish): Promise<Subscription | undefined> {
    return this.#open.subscribe(wish)
  }
  leave(token: string): Promise<Subscription | undefined> {
    return this.#open.leave(token)
  }
  subscriptions(): Promise<readonly Subscription[]> {
    return this.#open.subscriptions()
  }
  setPriorities(rows: readonly (readonly [origin: string, worth: number])[]): Promise<void> {
    return this.#open.setPriorities(rows)
  }

  async end(): Promise<void> {
    await this.#thread?.[Symbol.asyncDispose]()
  }

  get #open(): ReceiverThread {
    if (this.#thread === undefined) throw new Error('the receiver is asked before it is open')
    return this.#thread
  }
}
