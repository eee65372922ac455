/**
 * Hostile server: misbehaves on raw sockets, one case a path, and stops by itself.
 *
 *   /                  lists the cases
 *   /robots.txt        allows everything
 *   /case/NAME/…       does what the case's sentence says
 *
 * It reads the request line and the headers by itself and closes after every answer: most answers leave a connection
 * in a state that no second request could survive.
 */
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Instant } from '@comity/protocol'
import type { Certificate } from '../certificate.ts'
import type { HostileCase, HostileVisit, Serve } from './case.ts'
import { hostileCases } from './cases.ts'
import { createVisit, hostileLimits } from './visit.ts'
import type { HostileLimits } from './visit.ts'
import { portOf } from '../loopback-server.ts'
import { fineHtml, linksTo, respond } from '../raw-response.ts'
import { createLogRecorder } from '../request-log.ts'
import type { LogRecorder } from '../request-log.ts'

export interface HostileOptions {
  readonly address?: string
  readonly port?: number
  /** The pause of cases that drip: a second, unless a test is in a hurry. */
  readonly paceMs?: number
  readonly limits?: HostileLimits
  readonly seed?: number
  readonly clock?: () => Instant
}

export interface HostileServer extends AsyncDisposable {
  readonly address: string
  readonly port: number
  readonly origin: string
  readonly log: LogRecorder
  urlOf(name: string): string
}

/** A server for all cases that need no more than a path. */
export async function createHostileServer(options: HostileOptions = {}): Promise<HostileServer> {
  const cases = hostileCases.filter((one) => one.place === 'page')
  return listenHostile({ ...options, serve: servePages(cases) })
}

interface RawServerOptions extends HostileOptions {
  /** For one request; or for one connection, when `atAccept` is set. */
  readonly serve: Serve
  readonly atAccept?: boolean
  readonly certificate?: Certificate
  readonly scheme?: 'http' | 'https'
}

const defaultAddress = '127.0.2.1'

export async function listenHostile(options: RawServerOptions): Promise<HostileServer> {
  const {
    address = defaultAddress,
    port = 0,
    clock = Date.now,
    paceMs = 1_000,
    limits = hostileLimits,
    seed = 1,
  } = options
  const { scheme = options.certificate === undefined ? 'http' : 'https' } = options
  const log = createLogRecorder()
  const sockets = new Set<Socket>()
  let bound = port
  let turn = 0

  const attend = (socket: Socket): void => {
    const connectionId = log.nextConnectionId()
    const openedAt = clock()
    turn += 1
    log.record({ event: 'opened', connectionId, address, port: bound, at: openedAt })
    sockets.add(socket)
    // A peer that resets is what many cases provoke; the close that follows is all we need to know.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      log.record({ event: 'closed', connectionId, at: clock() })
    })
    const facts = { origin: `${scheme}://${address}:${bound}`, paceMs, limits, seed: seed + turn, base: '' }
    const act = async (request: RawRequest | undefined): Promise<void> => {
      const visit = createVisit(socket, { ...facts, path: request?.path ?? '' })
      const startedAt = clock()
      await options.serve(visit)
      socket.end()
      if (request === undefined) return
      const asked = { method: request.method, path: request.path, userAgent: request.userAgent }
      log.record({
        event: 'request',
        connectionId,
        connectionOpenedAt: openedAt,
        site: 'hostile',
        address,
        port: bound,
        ...asked,
        startedAt,
        endedAt: clock(),
        status: 0,
      })
    }
    // Unread bytes would hide the peer's leaving from us.
    if (options.atAccept === true) socket.resume()
    const start = options.atAccept === true ? Promise.resolve(undefined) : readRequest(socket)
    // A case can only fail when its connection does; then there is nobody left to tell.
    start.then(act).catch(() => socket.destroy())
  }

  const server: Server =
    options.certificate === undefined
      ? createServer({ allowHalfOpen: false }, attend)
      : createTlsServer({ ...options.certificate }, attend)
  // Refused handshakes are the point of the TLS cases.
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  bound = portOf(server)
  const origin = `${scheme}://${address}:${bound}`
  return {
    address,
    port: bound,
    origin,
    log,
    urlOf: (name) => `${origin}/case/${name}/`,
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
    },
  }
}

interface RawRequest {
  readonly method: string
  readonly path: string
  readonly userAgent: string
}

const maxRequestBytes = 65_536

/** Rejects when the peer leaves, or sends no end of headers. */
function readRequest(socket: Socket): Promise<RawRequest> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', (piece: Buffer) => {
      // After the head everything is ignored, but read: a full window would look like a hang to the peer.
      if (text.includes('\r\n\r\n')) return
      text += piece.toString('latin1')
      if (text.length > maxRequestBytes) reject(new RangeError('the request head is too long'))
      if (!text.includes('\r\n\r\n')) return
      const [method = '', path = '/'] = text.split(' ', 2)
      resolve({ method, path, userAgent: /^user-agent: *(.*)$/im.exec(text)?.[1]?.trim() ?? '' })
    })
    socket.once('close', () => reject(new Error('the peer left')))
  })
}

function servePages(cases: readonly HostileCase[]): Serve {
  const byName = new Map(cases.map((one) => [one.name, one]))
  return (visit) => {
    const [, name = '', rest = ''] = /^\/case\/([^/?]+)(.*)$/.exec(visit.path) ?? []
    const found = byName.get(name)
    if (found !== undefined && 'serve' in found)
      return found.serve(below(visit, `/case/${name}`, rest === '' ? '/' : rest))
    if (visit.path === '/robots.txt')
      return respond(visit, '200 OK', 'User-agent: *\nDisallow:\n', [['Content-Type', 'text/plain']])
    if (visit.path !== '/') return respond(visit, '404 Not Found', fineHtml('There is no such case'))
    return respond(visit, '200 OK', fineHtml('Hostile cases', linksTo(cases.map((one) => `/case/${one.name}/`))))
  }
}

const below = (visit: HostileVisit, base: string, path: string): HostileVisit => ({ ...visit, base, path })
