/**
 * Loopback server: puts pure answers on a real socket and writes down what came in. Thin on purpose: what to say is
 * `answerOf`'s business, this file knows only latency, bandwidth, the log, and closing for good.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as NetServer, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '@comity/protocol'
import { answerOf } from './living/answer.ts'
import type { LivingAnswer } from './living/answer.ts'
import type { LivingFront } from './living/front.ts'
import type { LivingSite } from './living/site.ts'
import { retryInstant } from './request-log.ts'
import type { LogRecorder } from './request-log.ts'

export interface LoopbackServer extends AsyncDisposable {
  readonly address: string
  readonly port: number
  /** The sites to serve, by the value of `Host`. A server with one site serves it under any name. */
  serve(sites: ReadonlyMap<string, ServedSite>): void
}

interface ServedSite {
  readonly site: LivingSite
  /** Of a site that tells crawlers of its changes. */
  readonly front?: LivingFront | undefined
}

interface LoopbackOptions {
  readonly address: string
  /** 0: any free port. */
  readonly port: number
  readonly clock: () => Instant
  readonly log: LogRecorder
}

interface Connection {
  readonly id: number
  readonly openedAt: Instant
}

export async function createLoopbackServer({ address, port, clock, log }: LoopbackOptions): Promise<LoopbackServer> {
  let sites: ReadonlyMap<string, ServedSite> = new Map()
  const connections = new WeakMap<Socket, Connection>()
  const closing = new AbortController()
  let bound = port
  const siteFor = (host: string): ServedSite | undefined =>
    sites.get(host) ?? (sites.size === 1 ? [...sites.values()][0] : undefined)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = clock()
    const { site, front } = siteFor(request.headers.host ?? '') ?? {}
    const sentBefore = request.socket.bytesWritten
    const path = request.url ?? '/'
    const given = site === undefined ? undefined : answerOf(site, path, request.headers, startedAt)
    const retryAt = retryInstant(given?.headers.find(([name]) => name === 'Retry-After')?.[1], startedAt)
    response.once('close', () => {
      const connection = connections.get(request.socket) ?? { id: 0, openedAt: startedAt }
      log.record({
        event: 'request',
        connectionId: connection.id,
        connectionOpenedAt: connection.openedAt,
        site: site?.spec.name ?? '',
        address,
        port: bound,
        method: request.method ?? '',
        path,
        userAgent: request.headers['user-agent'] ?? '',
        startedAt,
        endedAt: clock(),
        status: response.headersSent ? response.statusCode : 0,
        ...(retryAt === undefined ? {} : { retryAt }),
        bytes: request.socket.bytesWritten - sentBefore,
      })
    })
    if (front !== undefined && (await front(request, response)) === 'answered') return
    request.resume()
    if (site === undefined || given === undefined) return void response.writeHead(421).end()
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    await send(response, given, site.spec.bytesPerSecond, closing.signal)
  }

  const server = createServer((request, response) => {
    // The only way to fail here is a peer or a dispose that ends the answer early; the log says so already.
    answer(request, response).catch(() => response.destroy())
  })
  // Longer than any polite rest, so that it is the crawler that decides when a connection ends.
  server.keepAliveTimeout = 120_000
  server.on('connection', (socket: Socket) => {
    const connection = { id: log.nextConnectionId(), openedAt: clock() }
    connections.set(socket, connection)
    log.record({ event: 'opened', connectionId: connection.id, address, port: bound, at: connection.openedAt })
    socket.once('close', () => log.record({ event: 'closed', connectionId: connection.id, at: clock() }))
  })
  await listen(server, address, port)
  bound = portOf(server)
  return {
    address,
    port: bound,
    serve: (given) => void (sites = given),
    [Symbol.asyncDispose]: () => close(server, closing),
  }
}

/** Where a listening server listens. */
export function portOf(server: NetServer): number {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new TypeError('the server does not listen on a port')
  return bound.port
}

async function listen(server: Server, address: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
}

/** Resolves when every connection is gone and has been written down. */
async function close(server: Server, closing: AbortController): Promise<void> {
  closing.abort()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

const pieces = 8

async function send(
  response: ServerResponse,
  { status, headers, body, delayMs }: LivingAnswer,
  bytesPerSecond: number,
  signal: AbortSignal,
): Promise<void> {
  if (delayMs > 0) await sleep(delayMs, undefined, { signal })
  response.writeHead(status, headers.flat())
  if (response.req.method === 'HEAD' || bytesPerSecond === Infinity) {
    response.end(body)
    return
  }
  const size = Math.ceil(body.length / pieces)
  for (let from = 0; from < body.length && !response.destroyed; from += size) {
    const piece = body.subarray(from, from + size)
    response.write(piece)
    await sleep((piece.length / bytesPerSecond) * 1_000, undefined, { signal })
  }
  response.end()
}
