/** A site of a few pages that tells crawlers what changed, by every scheme there is, over real sockets. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  DeliveryWorkerMemory,
  MemoryJournal,
  MemoryRows,
  MemorySubscribers,
  MemoryVersions,
  createDeliveryWorker,
  createSiteFront,
  httpPost,
  nodeMiddleware,
  noteChange,
  publicRules,
  pushSigner,
} from '@comity/site'
import type {
  DeliveryWorker,
  CreateDeliveryWorkerOptions,
  KeySource,
  Post,
  PushScheme,
  SiteScheme,
  SiteFrontOptions,
  Subscribers,
} from '@comity/site'
import type { SiteAgents } from '../../packages/cli/src/site/site-agents.ts'

export interface CooperatingSite extends AsyncDisposable {
  readonly origin: string
  /** Method and path of every request, and how it was answered. */
  readonly asked: { readonly method: string; readonly path: string; status: number }[]
  /** A page is another one now, or since `at`, or is gone. The journal knows when it resolves. */
  set(path: string, page: SitePage | undefined, at?: number): Promise<void>
  /** Who is called. */
  readonly subscribers: Subscribers
  readonly deliveryWorker: DeliveryWorker
  /** Number of the newest change. */
  readonly last: number
}

/** HTML, or a file of another type. */
export type SitePage = string | { readonly type: string; readonly body: string | Uint8Array }

export interface CooperatingSiteOptions {
  readonly address?: string
  readonly schemes?: readonly SiteScheme[]
  readonly robots?: string
  /** For whom its offers are, and who is told of answers. */
  readonly front?: Pick<SiteFrontOptions, 'offersTo' | 'proof' | 'keys' | 'onServed'>
  /** It calls those who subscribe, and those that are written down. */
  readonly calls?: boolean | SiteCalls
  /** The site's clock. */
  readonly now?: () => number
  /** Stands before the site's own answers: true when it has answered. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export interface SiteCalls extends Pick<CreateDeliveryWorkerOptions, 'schedule' | 'isBatchAnnounced' | 'limits'> {
  /** Published, and what is sent to push addresses is signed with them. */
  readonly keys?: KeySource
  readonly indexNowKey?: string
  /** What can be subscribed to; all unless given. */
  readonly topics?: readonly PushScheme[]
  /** Agents that run here. */
  readonly agents?: (subscribers: Subscribers, base: string) => SiteAgents
  /** Stands between the site and whom it calls. */
  readonly line?: (post: Post) => Post
}

export async function createCooperatingSite(
  pages: Readonly<Record<string, SitePage>>,
  options: CooperatingSiteOptions = {},
): Promise<CooperatingSite> {
  const held = new Map<string, Exclude<SitePage, string>>()
  const journal = new MemoryJournal({ versions: new MemoryVersions() })
  const asked: CooperatingSite['asked'] = []
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, options.address ?? '127.0.51.1', resolve))
  const { address, port } = server.address() as AddressInfo
  const origin = `http://${address}:${port}`
  const robots = options.robots ?? ''
  const subscribers = new MemorySubscribers()
  const now = options.now ?? Date.now
  const {
    keys,
    indexNowKey,
    topics,
    agents: openAgents,
    line = unbroken,
    ...calls
  } = options.calls instanceof Object ? options.calls : {}
  const sign = keys === undefined ? {} : { sign: pushSigner(keys, now) }
  const post = line(httpPost({ allowPrivate: true, ...sign }))
  const isCalling = options.calls !== undefined && options.calls !== false
  const base = `${origin}/`
  const agents = openAgents?.(subscribers, base)
  const named = {
    ...(indexNowKey === undefined ? {} : { indexNowKey }),
    ...(topics === undefined ? {} : { schemes: topics }),
  }
  const own = {
    journal,
    base,
    now,
    robots,
    ...(isCalling ? { push: { subscribers, allowPrivate: true, ...named, ...agents?.push } } : {}),
    ...(keys === undefined ? {} : { keys }),
  }
  const front = createSiteFront({
    ...own,
    ...(options.schemes === undefined ? {} : { schemes: options.schemes }),
    ...options.front,
  })
  const middleware = nodeMiddleware(front)
  server.on('request', (request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const one = { method, path, status: 0 }
    asked.push(one)
    response.on('finish', () => (one.status = response.statusCode))
    if (options.now !== undefined) response.setHeader('Date', new Date(now()).toUTCString())
    if (options.before?.(request, response) === true) return
    middleware(request, response, () => {
      const page = held.get(path)
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': page?.type ?? HTML })
      response.end(page?.body ?? '<p>nothing here')
    })
  })
  const set = async (path: string, given: SitePage | undefined, at = now()): Promise<void> => {
    const file = typeof given === 'string' ? { type: HTML, body: given } : given
    if (file === undefined) held.delete(path)
    else held.set(path, file)
    const page =
      file === undefined
        ? { path, gone: true as const }
        : { path, body: Buffer.from(file.body), type: file.type.split(';', 1)[0]! }
    await noteChange(journal, page, { rules: publicRules({ robots }) }, at)
  }
  for (const [path, page] of Object.entries(pages)) await set(path, page)
  const stop = new AbortController()
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    const page = held.get(path)
    return page === undefined ? undefined : Buffer.from(page.body)
  }
  const deliveryWorker = createDeliveryWorker({
    site: { ...own, read },
    subscribers,
    memory: new DeliveryWorkerMemory(new MemoryRows()),
    post,
    random: Math.random,
    lookEveryMs: 20,
    agentResults: agents?.results,
    ...calls,
  })
  const calling = isCalling ? deliveryWorker.run(stop.signal) : undefined
  const terms = { site: { ...own, read }, everyMs: 100, onResult: () => deliveryWorker.wake() }
  const running = agents?.run(terms, stop.signal)
  return {
    origin,
    asked,
    set,
    subscribers,
    deliveryWorker,
    get last() {
      return journal.last
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all([calling, running])
      front.site[Symbol.dispose]()
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

const HTML = 'text/html; charset=utf-8'

const unbroken = (post: Post): Post => post
