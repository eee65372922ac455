/**
 * Publishing as a server: pages from a document root or from the server behind, with differences and 304s, and all schemes,
 * batch and filter among them. The ledger has a port of its own: what crawlers ask for is the owner's to know.
 *
 *   visitors ──▶ --serve ──▶ site front ──▶ document root | --proxy ORIGIN
 *   the owner ─▶ --ledger ─▶ ledger
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CLIENT_SHARE, ClientPlaces, messageOf } from '@comity/protocol'
import type { PlaceTerms } from '@comity/protocol'
import type { SiteFront, SiteFrontOptions, SiteProxy, SiteRefusal } from '@comity/site'
import { onInterrupt } from '../terminal/interrupt.ts'
import type { PublishParts } from './command.ts'
import { publishWorld, scannerOf } from './files.ts'
import type { ListenPlace } from './flags.ts'
import { askListed } from './listed.ts'
import { PublishLine } from './publish-line.ts'
import { pricesOf } from './price-flags.ts'
import { openPushing } from './push.ts'
import { robotsReader } from './robots.ts'
import { visible } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

const PUBLISH_PORT = 8_091

/** What strangers may take of a server that answers from files; of a proxy see `proxy-options.ts` of the site kit. */
const PAGE_PLACES = { most: 4_096, share: CLIENT_SHARE }
/** The owner needs a few. */
const LEDGER_PLACES = { most: 64 }
const HEAD = { maxHeaderSize: 32 << 10, headersTimeout: 15_000, connectionsCheckingInterval: 1_000 }
const IDLE_MS = 65_000
/** How long answers under way may take when it stops. */
const STOP_MS = 2_000

interface Answering extends AsyncDisposable {
  /** Where visitors find it. */
  listen(place: ListenPlace): Promise<Listening>
  /** Streams of changes go on until somebody ends them. */
  readonly endStreams: () => void
  readonly front: SiteFront
  /** Whom it turned away, by reason. */
  readonly refused: Readonly<Record<string, number>>
  /** What came to a proxy, and what it refused, by reason. */
  readonly counters?: SiteProxy['counters'] | undefined
}

export async function publishServer(parts: PublishParts): Promise<number> {
  const { call, base, docroot, journal, journalDir } = parts
  const { settings, terminal } = call
  const { hubUrl, ledgerHandler, LedgerFile: Ledger, sentEntry } = await import('@comity/site')
  using line = new PublishLine(terminal, journal)
  using interrupt = onInterrupt(() => line.say('stopping: what is being answered is finished'))
  const { signal } = interrupt
  const tell = (sentence: string): void => line.say(visible(sentence))
  using ledger = new Ledger(join(journalDir, 'ledger.json'), { now: Date.now, tell })
  await using pushing = await openPushing(parts, tell)
  const services: Record<SiteRefusal, number> = { 'too-many-listeners': 0, 'too-many-streams': 0 }
  const common = {
    ...parts.site,
    push: pushing?.options,
    onServed: (served) => ledger.note(served),
    onRefused: (reason) => services[reason]++,
    tell,
  } satisfies Partial<SiteFrontOptions>
  await using answering =
    docroot === undefined ? await beforeServer(parts, common) : await fromDocroot(parts, docroot, common)
  await using pages = await answering.listen(settings.serve ?? { host: '127.0.0.1', port: PUBLISH_PORT })
  const deliveryWorker = pushing?.deliveryWorker(answering.front.siteOptions, (report) => {
    const entry = sentEntry(report)
    if (entry !== undefined) ledger.note(entry)
  })
  const atLedger = { 'too-many-connections': 0 }
  const owners = ledgerHandler({
    store: () => ledger.store(),
    base,
    prices: pricesOf(settings),
    now: Date.now,
    hostNames: [settings.ledger.host.toLowerCase()],
    proxy: answering.counters && (() => answering.counters),
    refused: () => ({ pages: answering.refused, services, ledger: atLedger }),
    push:
      deliveryWorker && (() => ({ subscribers: deliveryWorker.states(), deadLetters: deliveryWorker.deadLetters() })),
  })
  await using stores = await listening(owners, settings.ledger, '--ledger', counting(LEDGER_PLACES, atLedger))
  const from = settings.proxy ?? docroot
  const hub = settings.hub ? hubUrl(base) : undefined
  if (settings.json)
    terminal.print(JSON.stringify({ url: pages.url, ledger: stores.url, base, from, journal: journalDir, hub }))
  else
    terminal.print(
      [
        `${terminal.paint('bold', pages.url)}  ${base} from ${visible(from ?? '')}`,
        `${stores.url}  ledger`,
        ...(hub === undefined ? [] : [`${hub}  hub: crawlers subscribe there`]),
        ...(deliveryWorker === undefined ? [] : [`${stores.url}push.json  who is called, and what was not taken`]),
        `${stores.url}refused.json  who was turned away, and why`,
        ...(answering.counters === undefined ? [] : [`${stores.url}proxy.json  what came, and what was refused`]),
        'Ctrl-C stops.',
      ].join('\n'),
    )
  const sending = deliveryWorker?.run(signal)
  const agents = pushing?.agents?.run(
    {
      site: answering.front.siteOptions,
      everyMs: settings.agentsEvery,
      accessLog: settings.accessLog,
      onResult: () => deliveryWorker?.wake(),
    },
    signal,
  )
  const following = docroot === undefined ? undefined : follow(parts, tell, signal)
  const listed = await askListed(parts, signal)
  if (listed !== undefined)
    tell(`${listed.asked} listed pages were asked for; ${listed.created + listed.updated} are news`)
  if (!signal.aborted) await once(signal, 'abort')
  answering.endStreams()
  await Promise.all([following, sending, agents])
  return 0
}

/** The lists follow the files from the first scan on. */
async function follow(parts: PublishParts, tell: (sentence: string) => void, signal: AbortSignal): Promise<void> {
  const { watchDocroot } = await import('@comity/site')
  await watchDocroot(await scannerOf(parts), publishWorld, signal, {
    onTrouble: (error) => tell(`the document root: ${messageOf(error)}`),
  })
}

async function fromDocroot(
  { site, call }: PublishParts,
  docroot: string,
  common: Omit<SiteFrontOptions, 'robots'>,
): Promise<Answering> {
  const { createSiteFront, docrootHandler, docrootReader, nodeMiddleware, publishingLimits } =
    await import('@comity/site')
  const read = docrootReader(docroot, publishingLimits.pageBytes)
  // Nothing in a file differs from one answer to the next, so nothing is masked; and files do not look at the host.
  const robots = await robotsReader(docroot)
  const front = createSiteFront({ ...common, base: site.base, robots, read, masks: [], isHostFixed: true })
  const { behind } = call.settings
  const middleware = nodeMiddleware(front, behind)
  const files = docrootHandler(docroot, Date.now)
  const handler: RequestListener = (request, response) => {
    middleware(request, response, (error) => {
      if (error === undefined) files(request, response)
      else response.writeHead(500).end()
    })
  }
  const refused = { 'too-many-connections': 0 }
  return {
    listen: async (place) =>
      await listening(handler, place, '--serve', counting({ ...PAGE_PLACES, trusted: behind }, refused)),
    endStreams: () => front.site[Symbol.dispose](),
    front,
    refused,
    [Symbol.asyncDispose]: async () => await front.settled(),
  }
}

async function beforeServer({ call }: PublishParts, common: Omit<SiteFrontOptions, 'robots'>): Promise<Answering> {
  const { createSiteProxy } = await import('@comity/site')
  const { proxy: origin, serve, behind } = call.settings
  const proxy = createSiteProxy({ ...common, ...(serve ?? { port: PUBLISH_PORT }), behind, origin: origin! })
  await proxy.ready()
  return {
    listen: async ({ host, port }) => {
      const { url } = await proxy.listen().catch((error: unknown) => {
        throw listenFailed(error as NodeJS.ErrnoException, host, port, '--serve')
      })
      return { url: `${url}/`, [Symbol.asyncDispose]: async () => await proxy.stop() }
    },
    endStreams: () => proxy.front.site[Symbol.dispose](),
    front: proxy.front,
    refused: proxy.counters.refused,
    counters: proxy.counters,
    [Symbol.asyncDispose]: async () => {
      await proxy.front.settled()
      await proxy.stop(0)
    },
  }
}

interface Listening extends AsyncDisposable {
  readonly url: string
}

/** Connections, none of whose holders has all of them; who was turned away is counted here. */
function counting(terms: PlaceTerms, refused: { 'too-many-connections': number }): ClientPlaces {
  return new ClientPlaces({ ...terms, onRefused: () => refused['too-many-connections']++ })
}

async function listening(
  handler: RequestListener,
  { host, port }: ListenPlace,
  flag: string,
  places: ClientPlaces,
): Promise<Listening> {
  const server = createServer(HEAD, handler)
  // Who takes nothing of an answer, or says nothing, goes.
  server.timeout = IDLE_MS
  places.seatAllOf(server)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw listenFailed(error as NodeJS.ErrnoException, host, port, flag)
  }
  const { address, port: taken, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/`,
    [Symbol.asyncDispose]: async () => await stopped(server),
  }
}

/** Answers under way are finished; connections that only wait are closed. */
async function stopped(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  // A request that never comes whole, and an answer that nobody takes, would keep it for ever.
  const late = setTimeout(() => server.closeAllConnections(), STOP_MS)
  await closed
  clearTimeout(late)
}

function listenFailed(error: NodeJS.ErrnoException, host: string, port: number, flag: string): Error {
  if (error.code === 'EADDRINUSE')
    return new UsageError(`Port ${port} of ${host} is taken. Choose another: ${flag} 0 takes any that is free.`)
  if (error.code === 'EACCES')
    return new UsageError(`Port ${port} is not for everybody: choose one from 1024 on, as in ${flag} 8080.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new UsageError(`${host} is no address of this machine: ${flag} 127.0.0.1:${port} always works.`)
  return error
}
