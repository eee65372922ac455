/**
 * Torture web: many names on few addresses, with pages that are known from their number alone, some of which take longer than a lease.
 * Its log is the judge of a torture: what came in, when, from which machine.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogRecorder, portOf } from '@comity/testbed'
import type { LogRecorder } from '@comity/testbed'

interface TortureWebOptions {
  /** Each is a site of its own owner. */
  readonly hosts: readonly string[]
  /** Where it is served; any of them answers for any host. */
  readonly addresses: readonly string[]
  readonly pages: number
  readonly latencyMs: number
  /** A page in twenty takes so long. */
  readonly slowMs: number
}

export interface TortureWeb extends AsyncDisposable {
  readonly home: string
  readonly urls: ReadonlySet<string>
  readonly log: LogRecorder
  /** The address of whoever opened a connection. */
  peerOf(connectionId: number): string | undefined
}

export async function createTortureWeb(options: TortureWebOptions): Promise<TortureWeb> {
  const { hosts, addresses, pages } = options
  const log = createLogRecorder({ maxEvents: 2_000_000 })
  const peers = new Map<number, string>()
  const servers: Server[] = []
  let port = 0
  const origin = (site: number): string => `http://${hosts[site % hosts.length]}:${port}`
  for (const address of addresses) {
    const server = createServer((request, response) => {
      const site = hosts.indexOf((request.headers.host ?? '').split(':')[0]!)
      void answer(request, response, site).catch(() => response.destroy())
    })
    const ids = new WeakMap<object, { readonly id: number; readonly openedAt: number }>()
    const answer = async (request: IncomingMessage, response: ServerResponse, site: number): Promise<void> => {
      const startedAt = Date.now()
      const path = request.url ?? '/'
      const { id, openedAt } = ids.get(request.socket)!
      response.once('close', () =>
        log.record({
          event: 'request',
          connectionId: id,
          connectionOpenedAt: openedAt,
          site: hosts[site] ?? '',
          address,
          port,
          method: request.method ?? '',
          path,
          userAgent: '',
          startedAt,
          endedAt: Date.now(),
          // What was broken off was not fetched.
          status: response.writableFinished ? response.statusCode : 0,
        }),
      )
      const page = path === '/' ? 0 : Number(/^\/(\d+)$/.exec(path)?.[1] ?? -1)
      if (site < 0 || page < 0 || page >= pages) return void response.writeHead(404).end()
      const isSlow = (site * pages + page) % 20 === 7
      await sleep(options.latencyMs)
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      if (isSlow) {
        for (let n = 0; n < 10 && !response.destroyed; n++) {
          response.write('<!-- slowly -->\n')
          await sleep(options.slowMs / 10)
        }
      }
      response.end(pageText(site, page))
    }
    server.keepAliveTimeout = 120_000
    server.on('connection', (socket) => {
      const connection = { id: log.nextConnectionId(), openedAt: Date.now() }
      ids.set(socket, connection)
      if (socket.remoteAddress !== undefined) peers.set(connection.id, socket.remoteAddress)
      log.record({ event: 'opened', connectionId: connection.id, address, port, at: connection.openedAt })
      socket.once('close', () => log.record({ event: 'closed', connectionId: connection.id, at: Date.now() }))
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, address, resolve)
    })
    port = portOf(server)
    servers.push(server)
  }
  const urlOf = (site: number, page: number): string => `${origin(site)}/${page === 0 ? '' : page}`
  const pageText = (site: number, page: number): string => {
    const own = [2 * page + 1, 2 * page + 2].filter((one) => one < pages).map((one) => urlOf(site, one))
    const others = [urlOf(site + page + 1, 0), urlOf(site + 7 * page + 3, page)]
    const links = [...own, ...others].map((url) => `<a href="${url}">${url}</a>`)
    return `<!doctype html><title>Page ${page} of ${site}</title><p>${'word '.repeat(40 + ((site * 31 + page) % 90))}${links.join(' ')}`
  }
  return {
    home: urlOf(0, 0),
    urls: new Set(hosts.flatMap((_, site) => Array.from({ length: pages }, (__, page) => urlOf(site, page)))),
    log,
    peerOf: (id) => peers.get(id),
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) {
        await new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      }
    },
  }
}
