/**
 * For tests: a site with a hub behind a real server on loopback, and a subscriber that does what W3C WebSub says of
 * subscribers, word for word, and shares no code with the hub.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Instant } from '@comity/protocol'
import { askPort } from './adapter-sample.ts'
import type { Asking } from './adapter-sample.ts'
import type { DeliveryWorker } from '../deliver/delivery-worker.ts'
import { DeliveryWorkerMemory, MemoryRows } from '../deliver/delivery-worker-memory.ts'
import { createDeliveryWorker } from '../deliver/create-delivery-worker.ts'
import { AT } from './journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { nodeMiddleware } from '../adapters/node-middleware.ts'
import { httpPost } from '../post.ts'
import type { PushOptions } from '../push-options.ts'
import { createSiteFront } from '../site-front.ts'
import type { SiteFront } from '../site-front.ts'
import type { SubscriptionOutcome } from '../hub/subscriptions.ts'
import { digestOf } from '../journal/version-store.ts'

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A site, its hub and its delivery worker; time stands still until it is told to go on. */
export class HubSample implements AsyncDisposable {
  readonly journal: MemoryJournal = new MemoryJournal({ id: 'hub-sample' })
  readonly subscribers: MemorySubscribers = new MemorySubscribers()
  readonly outcomes: SubscriptionOutcome[] = []
  readonly bodies: Map<string, Buffer> = new Map()
  readonly #server: Server
  readonly port: number
  readonly base: string
  readonly front: SiteFront
  readonly deliveryWorker: DeliveryWorker
  now: Instant = AT

  private constructor(server: Server, port: number, options: PushOptions) {
    this.#server = server
    this.port = port
    this.base = `http://127.0.0.1:${port}/`
    const push: PushOptions = {
      subscribers: this.subscribers,
      allowPrivate: true,
      onOutcome: (outcome) => this.outcomes.push(outcome),
      ...options,
    }
    const site = {
      journal: this.journal,
      base: this.base,
      now: () => this.now,
      read: async (path: string) => this.bodies.get(path),
      push,
    }
    this.front = createSiteFront({ ...site, robots: '', tell: () => undefined })
    const middleware = nodeMiddleware(this.front)
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      middleware(request, response, () => response.writeHead(404).end()),
    )
    this.deliveryWorker = createDeliveryWorker({
      site,
      subscribers: this.subscribers,
      memory: new DeliveryWorkerMemory(new MemoryRows()),
      post: httpPost({ allowPrivate: true }),
      random: () => 0.5,
    })
  }

  static async start(options: PushOptions = {}): Promise<HubSample> {
    const server = createServer()
    return new HubSample(server, await listening(server), options)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.front.site[Symbol.dispose]()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async put(path: string, text: string): Promise<void> {
    this.now += 1_000
    const body = Buffer.from(text)
    this.bodies.set(path, body)
    const facts = { modifiedAt: this.now, digest: digestOf(body), bytes: body.length, type: 'text/html' }
    await this.journal.record([{ path, ...facts, body }], this.now)
  }

  async ask(path: string, asking: Asking = {}): ReturnType<typeof askPort> {
    return await askPort(this.port, path, asking)
  }

  /** Posts a form to the hub, and waits until the callback was asked. */
  async post(form: Readonly<Record<string, string>>): ReturnType<typeof askPort> {
    const got = await this.ask('/push/hub', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    await this.front.site.subscriptions?.settled()
    return got
  }
}

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Its signature is that of the secret; undefined when none was agreed on. */
  readonly isGenuine: boolean | undefined
}

/** Who subscribes. Answers 404 to what it does not expect. */
export class LetterSubscriber implements AsyncDisposable {
  /** What it wants, by topic: the mode that it asked for. */
  readonly wants: Map<string, 'subscribe' | 'unsubscribe'> = new Map()
  readonly asked: URLSearchParams[] = []
  readonly paths: string[] = []
  readonly received: Received[] = []
  secret: string | undefined
  /** Of content. */
  status = 200
  location: string | undefined
  /** Before it answers anything. */
  holds: Promise<void> | undefined
  readonly #server: Server
  readonly callback: string

  private constructor(server: Server, port: number) {
    this.#server = server
    this.callback = `http://127.0.0.1:${port}/callback/x7?mine=1&also=%7e`
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async start(): Promise<LetterSubscriber> {
    const server = createServer()
    return new LetterSubscriber(server, await listening(server))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  form(
    mode: 'subscribe' | 'unsubscribe',
    topic: string,
    more: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    this.wants.set(topic, mode)
    return { 'hub.callback': this.callback, 'hub.mode': mode, 'hub.topic': topic, ...more }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    this.paths.push(request.url ?? '')
    await this.holds
    if (request.method === 'GET') this.#verify(new URL(request.url ?? '', 'http://x').searchParams, response)
    else this.#take(request, Buffer.concat(chunks), response)
  }

  #verify(query: URLSearchParams, response: ServerResponse): void {
    this.asked.push(query)
    const isWanted = this.wants.get(query.get('hub.topic') ?? '') === query.get('hub.mode')
    if (isWanted) response.writeHead(200).end(query.get('hub.challenge'))
    else response.writeHead(404).end()
  }

  #take(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const [method = '', hex] = (request.headers['x-hub-signature']?.toString() ?? '').split('=')
    const isGenuine =
      this.secret === undefined
        ? undefined
        : /^sha(?:256|384|512)$/.test(method) && createHmac(method, this.secret).update(body).digest('hex') === hex
    this.received.push({ path: request.url ?? '', headers: request.headers, body, isGenuine })
    response.writeHead(this.status, this.location === undefined ? {} : { location: this.location })
    response.end('the hub has to ignore this')
  }
}
