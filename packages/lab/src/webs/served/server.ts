/**
 * Served server: one site of a served web on a real socket, as slow as it is told to be, and a log of what came in. It
 * answers GET alone and has no robots.txt, so that everything may be fetched.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '@comity/protocol'
import { portOf } from '@comity/testbed'
import type { LogRecorder } from '@comity/testbed'

export interface ServedSpeed {
  /** The wait before the first byte. */
  readonly latencyMs: number
  readonly bytesPerSecond: number
}

interface ServedServerOptions extends ServedSpeed {
  readonly address: string
  readonly clock: () => Instant
  readonly log: LogRecorder
  /** What is at a path; undefined when nothing is. */
  readonly bodyAt: (path: string) => Uint8Array | undefined
}

/** Disposed when every connection is gone and has been written down. */
export interface ServedServer extends AsyncDisposable {
  readonly port: number
}

interface Connection {
  readonly id: number
  readonly openedAt: Instant
}

export async function createServedServer(options: ServedServerOptions): Promise<ServedServer> {
  const { address, clock, log } = options
  const closing = new AbortController()
  const connections = new Map<Socket, Connection>()
  const gone = Promise.withResolvers<void>()
  let port = 0
  const note = (request: IncomingMessage, response: ServerResponse, on: Connection, startedAt: Instant): void => {
    log.record({
      event: 'request',
      connectionId: on.id,
      connectionOpenedAt: on.openedAt,
      site: address,
      address,
      port,
      method: request.method ?? '',
      path: request.url ?? '/',
      userAgent: request.headers['user-agent'] ?? '',
      startedAt,
      endedAt: clock(),
      status: response.headersSent ? response.statusCode : 0,
    })
  }
  const server = createServer((request, response) => {
    const startedAt = clock()
    // Asked for now: when the answer is over its connection may be gone.
    const connection = connections.get(request.socket) ?? { id: 0, openedAt: startedAt }
    response.once('close', () => note(request, response, connection, startedAt))
    request.resume()
    // The only way to fail here is a peer or a dispose that ends the answer early; the log says so already.
    answer(request, response, options, closing.signal).catch(() => response.destroy())
  })
  // Longer than any polite rest, so that it is the crawler that decides when a connection ends.
  server.keepAliveTimeout = 120_000
  server.on('connection', (socket: Socket) => {
    const connection = { id: log.nextConnectionId(), openedAt: clock() }
    connections.set(socket, connection)
    log.record({ event: 'opened', connectionId: connection.id, address, port, at: connection.openedAt })
    socket.once('close', () => {
      log.record({ event: 'closed', connectionId: connection.id, at: clock() })
      connections.delete(socket)
      if (closing.signal.aborted && connections.size === 0) gone.resolve()
    })
  })
  await listen(server, address)
  port = portOf(server)
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      if (connections.size === 0) gone.resolve()
      await close(server)
      // A server is closed a moment before the last of its connections says so.
      await gone.promise
    },
  }
}

async function listen(server: Server, address: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, address, resolve)
  })
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A timer fires a millisecond late or more, so a body comes in few pieces, and none of them for less than this. */
const [PIECES, PIECE_MS] = [8, 10]

async function answer(
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  { latencyMs, bytesPerSecond, bodyAt }: ServedServerOptions,
  signal: AbortSignal,
): Promise<void> {
  if (method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end()
  const body = bodyAt(url)
  if (latencyMs > 0) await sleep(latencyMs, undefined, { signal })
  if (body === undefined) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not here.\n')
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length })
  const transferMs = (body.length / bytesPerSecond) * 1_000
  const size = Math.ceil(body.length / Math.min(PIECES, Math.max(1, Math.floor(transferMs / PIECE_MS))))
  for (let from = 0; from < body.length && !response.destroyed; from += size) {
    const piece = body.subarray(from, from + size)
    if (transferMs > 0) await sleep((piece.length / body.length) * transferMs, undefined, { signal })
    response.write(piece)
  }
  response.end()
}
