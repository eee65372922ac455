/**
 * ReceiverService: a receiver with all that it needs, opened in the folder of a collection; the same whether it runs in this
 * thread or in one of its own (`thread.ts`).
 *
 *   inbox/        what was accepted (`FileInbox`), the store of subscriptions, and up to when signatures were taken
 *   pending/      notices whose proof could not be looked at yet
 *   uploads/      what comes in parts
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { FileInbox, SubscriptionStore } from '@comity/collection'
import type { Appended, InboxItem, NewInboxItem, Subscription, SubscriptionWish } from '@comity/collection'
import { OpenedParts } from '@comity/disk'
import { GATEWAY_ORIGIN } from '@comity/ingest'
import { FairShare, readKeyRing } from '@comity/protocol'
import type { KeyRing } from '@comity/protocol'
import { BodiesUnderWay } from './body/bodies-under-way.ts'
import { ByteRoom } from './admit/byte-room.ts'
import { ContentChecks } from './body/content-checks.ts'
import { GATEWAY_WORTH, GatewayEndpoint } from './proof/gateway-endpoint.ts'
import { GatewayTrust } from './proof/gateway-trust.ts'
import { PendingNotices } from './body/pending-notices.ts'
import { ProgramEndpoint } from './programs/endpoint.ts'
import { PushAdmission } from './admit/push-admission.ts'
import { PushFigures } from './admit/push-figures.ts'
import type { SitePushes } from './admit/push-figures.ts'
import { PushRefusal } from './admit/push-refusal.ts'
import { Receiver } from './receiver.ts'
import type { ReceiverFigures, ReceiverPort, ReceiverSettings, ReceiverWorld } from './port.ts'
import { receiverLimits } from './limits.ts'
import { admitted, keep } from './receiver-parts.ts'
import type { ReceiverParts } from './receiver-parts.ts'
import { ReceiverServer } from './server.ts'
import type { ListenOptions } from './http/listen-at.ts'
import { SignatureMark } from './proof/signature-mark.ts'
import { SpeakerProof } from './proof/speaker-proof.ts'
import { TokenBuckets } from './admit/token-buckets.ts'
import { UnknownHostLimiter } from './admit/unknown-host-limiter.ts'
import { UploadStore } from './body/upload-store.ts'
import { SitePriorities } from './admit/site-priorities.ts'

const STRANGERS_PRIORITY = 0.1
const FIGURE_SITES = 100
const PENDING_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 60_000
const SLOW_EVERY_MS = 1_000

export class ReceiverService implements ReceiverPort {
  readonly #parts: ReceiverParts
  readonly #server: ReceiverServer
  readonly #worths: SitePriorities
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #onKept: ((last: number) => void) | undefined
  #publicUrl: string

  private constructor(
    parts: (own: ReceiverService) => ReceiverParts,
    settings: ReceiverSettings,
    world: ReceiverWorld,
    worths: SitePriorities,
  ) {
    this.#publicUrl = settings.publicUrl ?? ''
    this.#worths = worths
    this.#parts = parts(this)
    this.#onKept = world.onKept
    const { proxies } = settings
    const { onError } = world
    const isStopping = (): boolean => this.#server.isStopping
    const receiver = new Receiver(this.#parts, { proxies, onError, isStopping })
    this.#server = new ReceiverServer(
      this.#parts.limits,
      (request, response) => this.#handle(receiver, request, response),
      {
        onBroken: (client, why) => receiver.broken(client, why),
        onTurnedAway: () => this.#parts.figures.refused('too-many-connections'),
        proxies,
      },
    )
    const quietly = (work: () => Promise<unknown>): void => void work().catch((error: unknown) => onError?.(error))
    this.#timers = [
      setInterval(() => quietly(() => this.settlePending()), PENDING_EVERY_MS).unref(),
      setInterval(() => quietly(() => this.sweep()), SWEEP_EVERY_MS).unref(),
      setInterval(() => this.giveUpSlow(), SLOW_EVERY_MS).unref(),
    ]
  }

  static async open(settings: ReceiverSettings, world: ReceiverWorld): Promise<ReceiverService> {
    const { dir, after } = settings
    const { now, random = randomBytes } = world
    const limits = { ...receiverLimits, ...settings.limits }
    // What was opened is closed again when something behind it cannot be.
    await using opened = new OpenedParts()
    const inbox = opened.add(await FileInbox.open(dir, after, { ...settings.inbox, random }))
    const pendingRoom = { name: 'pending', maxItems: limits.pendingItems, maxBytes: limits.pendingBytes }
    const box = opened.add(await FileInbox.open(dir, 0, { ...settings.inbox, ...pendingRoom, random }))
    const content = opened.add(new ContentChecks())
    const store = SubscriptionStore.open(dir, { random })
    const uploads = UploadStore.open(dir, now(), { limits, random })
    const worths = new SitePriorities(settings.strangersPriority ?? STRANGERS_PRIORITY)
    const worthOf = (origin: string): number => (origin.startsWith(GATEWAY_ORIGIN) ? GATEWAY_WORTH : worths.of(origin))
    const trust =
      settings.gateways === undefined ? undefined : new GatewayTrust(settings.gateways, { now, onError: world.onError })
    const tell = (sentence: string): void => world.tell?.(sentence)
    const programs = settings.programs === undefined ? undefined : new ProgramEndpoint(settings.programs, { now, tell })
    const admission = new PushAdmission(worthOf, limits)
    admission.restore(inbox.waiting(), after)
    const mark = new SignatureMark(now(), join(dir, 'inbox', 'signed.json'))
    const strangeHosts = new UnknownHostLimiter(limits.strangeHosts, (origin) => worths.has(origin))
    const proof = new SpeakerProof({
      fetchFrom: world.fetchFrom,
      now,
      mayBeHttp: settings.mayBeHttp,
      strangeHosts,
      mark,
    })
    const ring = ringOf(settings.keyRing)
    const parts = (own: ReceiverService): ReceiverParts => ({
      inbox,
      content,
      store,
      uploads,
      proof,
      gateways: trust === undefined ? undefined : new GatewayEndpoint(trust, now, mark),
      programs,
      admission,
      worthOf,
      figures: new PushFigures(limits.sites),
      strangers: new TokenBuckets(limits.stranger, limits.sites, true),
      places: new FairShare(limits.requests),
      bodies: new BodiesUnderWay(limits.body, now),
      memory: new ByteRoom(limits.memoryBytes),
      disk: new ByteRoom(limits.spoolBytes),
      limits,
      now,
      publicUrl: () => own.#publicUrl,
      keys: () => ring,
      pending: new PendingNotices({
        box,
        proof,
        now,
        maxMs: limits.pendingMs,
        maxItems: limits.pendingItems,
        maxBytes: limits.pendingBytes,
        onProven: (item) => own.#takePending(item),
        onRefused: ({ origin }) => own.#parts.figures.refused('key-file-wrong', origin),
      }),
    })
    const service = new ReceiverService(parts, settings, world, worths)
    opened.keep()
    return service
  }

  async listen(options: ListenOptions = {}): Promise<AddressInfo> {
    const at = await this.#server.listen(options)
    const host = at.family === 'IPv6' ? `[${at.address}]` : at.address
    this.#publicUrl ||= `http://${host}:${at.port}`
    return at
  }

  async read(after: number, limit: number): Promise<InboxItem[]> {
    const items = await this.#parts.inbox.read(after, limit)
    const [first] = items
    // A large one goes alone, so that two never are in memory.
    if (first?.file !== undefined) return [await withBody(first)]
    const large = items.findIndex(({ file }) => file !== undefined)
    return large === -1 ? items : items.slice(0, large)
  }

  async acknowledged(upTo: number): Promise<void> {
    this.#parts.admission.acknowledged(upTo)
    await this.#parts.inbox.acknowledged(upTo)
  }

  async append(item: NewInboxItem): Promise<Appended> {
    const { inbox, admission, now, figures } = this.#parts
    const { origin, door, proof, body } = item
    const entry = admission.enter(origin, door, body.length, now())
    if (entry.kind === 'refused') return { kind: 'full', what: 'items' }
    let appended: Appended | undefined
    try {
      appended = await inbox.append(item)
      if (appended.kind === 'kept') figures.accepted(origin, door, proof, body.length, now())
      return appended
    } finally {
      if (appended?.kind === 'kept') admission.kept(entry, appended.number, body.length)
      else admission.left(entry)
    }
  }

  async subscribe(wish: SubscriptionWish): Promise<Subscription | undefined> {
    return await this.#parts.store.ask(wish, this.#parts.now())
  }
  async leave(token: string): Promise<Subscription | undefined> {
    return await this.#parts.store.leave(token, this.#parts.now())
  }
  async subscriptions(): Promise<Subscription[]> {
    return [...this.#parts.store.all()]
  }
  async setPriorities(rows: readonly (readonly [origin: string, worth: number])[]): Promise<void> {
    this.#worths.replace(rows)
  }

  async figures(): Promise<ReceiverFigures> {
    const { figures, inbox, pending, uploads, admission, memory, disk } = this.#parts
    return {
      totals: figures.totals,
      sites: figures.sites(FIGURE_SITES),
      inbox: { ...inbox.depth, ...inbox.figures, last: inbox.last },
      pending: pending.waiting,
      uploads: { count: uploads.count, bytes: uploads.bytes },
      fill: admission.fill,
      peakMemoryBytes: memory.peak,
      peakSpoolBytes: disk.peak,
    }
  }
  async site(origin: string): Promise<SitePushes | undefined> {
    return this.#parts.figures.site(origin)
  }

  /** Look again at the key files of notices that wait for them. Happens by itself. */
  async settlePending(): Promise<void> {
    if (this.#parts.pending.waiting > 0) await this.#parts.pending.turn()
  }

  /** End bodies that come too slowly. Happens by itself. */
  giveUpSlow(): void {
    this.#parts.bodies.sweep(this.#parts.now())
  }

  /** End what has run out. Happens by itself. */
  async sweep(): Promise<void> {
    const { store, uploads, now } = this.#parts
    uploads.sweepSync(now())
    await store.sweep(now())
  }

  /** Let what comes in finish, and close. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#server.stop()
    await this.#parts.pending[Symbol.asyncDispose]()
    await this.#parts.content[Symbol.asyncDispose]()
    await this.#parts.inbox.close()
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #handle(receiver: Receiver, ...exchange: Parameters<Receiver['handle']>): Promise<void> {
    const before = this.#parts.inbox.last
    await receiver.handle(...exchange)
    const { last } = this.#parts.inbox
    if (last > before) this.#onKept?.(last)
  }

  /** A notice whose key was found at last. False: it is tried again. */
  async #takePending(item: InboxItem): Promise<boolean> {
    const { origin, door, scheme, type, body, file } = item
    const bytes = body.length + (file?.bytes ?? 0)
    try {
      await admitted(this.#parts, { origin, door, bytes }, async (entry) => {
        await keep(this.#parts, entry, { origin, door, scheme, proof: 'key-file', type, body, file })
      })
      this.#onKept?.(this.#parts.inbox.last)
      return true
    } catch (error) {
      if (!(error instanceof PushRefusal)) throw error
      this.#parts.figures.refused(error.kind, origin)
      return error.kind === 'not-wanted'
    }
  }
}

function ringOf(text: string | undefined): KeyRing | undefined {
  if (text === undefined) return undefined
  const ring = readKeyRing(text)
  if ('problem' in ring) throw new Error(`the receiver's key ring cannot be read: ${ring.problem}`)
  return ring
}

/** A file that the disk has lost is an empty body: whoever reads it says that it cannot be read, and goes on. */
async function withBody(item: InboxItem): Promise<InboxItem> {
  return item.file === undefined
    ? item
    : { ...item, body: await readFile(item.file.path).catch(() => new Uint8Array()) }
}
