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
import type { SiteFront, SiteFrontOptions, SiteProxy } from '@comity/site'
import { onInterrupt } from './interrupt.ts'
import type { PublishParts } from './publish-command.ts'
import { publishWorld, scannerOf } from './publish-files.ts'
import type { ListenPlace } from './publish-flags.ts'
import { askListed } from './publish-listed.ts'
import { PublishLine } from './publish-line.ts'
import { openPushing } from './publish-push.ts'
import { robotsReader } from './publish-robots.ts'
import { visible } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export const PUBLISH_PORT = 8_091

interface Answering extends AsyncDisposable {
  /** Where visitors find it. */
  listen(place: ListenPlace): Promise<Listening>
  /** Streams of changes go on until somebody ends them. */
  readonly endStreams: () => void
  readonly front: SiteFront
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
  const common = {
    ...parts.site,
    push: pushing?.options,
    onServed: (served) => ledger.note(served),
    tell,
  } satisfies Partial<SiteFrontOptions>
  await using answering =
    docroot === undefined ? await beforeServer(parts, common) : await fromDocroot(parts, docroot, common)
  await using pages = await answering.listen(settings.serve ?? { host: '127.0.0.1', port: PUBLISH_PORT })
  const courier = pushing?.courier(answering.front.siteOptions, (report) => {
    const entry = sentEntry(report)
    if (entry !== undefined) ledger.note(entry)
  })
  const owners = ledgerHandler({
    book: () => ledger.book(),
    base,
    hostNames: [settings.ledger.host.toLowerCase()],
    proxy: answering.counters && (() => answering.counters),
    push: courier && (() => ({ subscribers: courier.states(), deadLetters: courier.deadLetters() })),
  })
  await using books = await listening(owners, settings.ledger, '--ledger')
  const from = settings.proxy ?? docroot
  const hub = settings.hub ? hubUrl(base) : undefined
  if (settings.json)
    terminal.print(JSON.stringify({ url: pages.url, ledger: books.url, base, from, journal: journalDir, hub }))
  else
    terminal.print(
      [
        `${terminal.paint('bold', pages.url)}  ${base} from ${visible(from ?? '')}`,
        `${books.url}  ledger`,
        ...(hub === undefined ? [] : [`${hub}  hub: crawlers subscribe there`]),
        ...(courier === undefined ? [] : [`${books.url}push.json  who is called, and what was not taken`]),
        ...(answering.counters === undefined ? [] : [`${books.url}proxy.json  what came, and what was refused`]),
        'Ctrl-C stops.',
      ].join('\n'),
    )
  const sending = courier?.run(signal)
  const agents = pushing?.agents?.run(
    {
      site: answering.front.siteOptions,
      everyMs: settings.agentsEvery,
      accessLog: settings.accessLog,
      onResult: () => courier?.wake(),
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
    onTrouble: (error) => tell(`the document root: ${error instanceof Error ? error.message : String(error)}`),
  })
}

async function fromDocroot(
  { site }: PublishParts,
  docroot: string,
  common: Omit<SiteFrontOptions, 'robots'>,
): Promise<Answering> {
  const { createSiteFront, docrootHandler, docrootReader, nodeMiddleware, siteLimits } = await import('@comity/site')
  const read = docrootReader(docroot, siteLimits.pageBytes)
  // Nothing in a file differs from one answer to the next, so nothing is masked; and files do not look at the host.
  const robots = await robotsReader(docroot)
  const front = createSiteFront({ ...common, base: site.base, robots, read, masks: [], isHostFixed: true })
  const middleware = nodeMiddleware(front)
  const files = docrootHandler(docroot, Date.now)
  const handler: RequestListener = (request, response) => {
    middleware(request, response, (error) => {
      if (error === undefined) files(request, response)
      else response.writeHead(500).end()
    })
  }
  return {
    listen: async (place) => await listening(handler, place, '--serve'),
    endStreams: () => front.site[Symbol.dispose](),
    front,
    [Symbol.asyncDispose]: async () => await front.settled(),
  }
}

async function beforeServer({ call }: PublishParts, common: Omit<SiteFrontOptions, 'robots'>): Promise<Answering> {
  const { createSiteProxy } = await import('@comity/site')
  const { proxy: origin, serve } = call.settings
  const proxy = createSiteProxy({ ...common, ...(serve ?? { port: PUBLISH_PORT }), origin: origin! })
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

async function listening(handler: RequestListener, { host, port }: ListenPlace, flag: string): Promise<Listening> {
  const server = createServer(handler)
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
  await closed
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
