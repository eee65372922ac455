/**
 * Open socket: from an address that was looked at to a connection that stands: TCP, and TLS where the origin has it, straight
 * or through the owner's proxy. It takes no longer than it may, and whatever goes wrong is an outcome.
 */
import { connect } from 'node:net'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { connect as secure } from 'node:tls'
import type { ConnectionOptions as SecureOptions, SecureContext } from 'node:tls'
import { outcomeOfError } from '@comity/ingest'
import type { Outcome } from '@comity/ingest'
import { tunnel } from './proxy.ts'
import { usualTrust } from './trust.ts'

interface SocketOptions {
  readonly origin: URL
  readonly address: string
  readonly timeoutMs: number
  readonly insecureTls: boolean
  readonly trust?: SecureContext | undefined
  readonly proxy?: URL | undefined
}

interface SocketEvents {
  /** It stands. */
  onOpen(socket: Socket, protocol: 'http/1.1' | 'h2'): void
  /** Bytes that came on it, of HTTP/1.1; they are another's afterwards. */
  onBytes(bytes: Buffer): void
  onFailure(outcome: Outcome, message: string): void
}

/** Every socket of the process reads into this, one after the other: 64 KB for each read would be most of a crawl's garbage. */
const READ_INTO = Buffer.allocUnsafeSlow(65_536)

/** Ends it, however far it has come. */
export type Close = () => void

export function openSocket(options: SocketOptions, events: SocketEvents): Close {
  const { origin, address, proxy } = options
  const isSecure = origin.protocol === 'https:'
  if (proxy !== undefined && isSecure) return throughTunnel(options, proxy, events)
  const to = proxy ?? origin
  const host = proxy === undefined ? address : plainHost(proxy)
  if (to.protocol === 'http:') return overTcp(host, Number(to.port || 80), options.timeoutMs, events)
  const offered = proxy === undefined ? PROTOCOLS : PROTOCOLS.slice(0, 1)
  return overTls({ host, port: Number(to.port || 443), ...nameOf(to), ALPNProtocols: offered }, options, events)
}

/** The server chooses; most prefer HTTP/2. */
const PROTOCOLS = ['http/1.1', 'h2']

function overTcp(host: string, port: number, timeoutMs: number, events: SocketEvents): Close {
  const onread: TcpNetConnectOpts['onread'] = {
    buffer: READ_INTO,
    callback: (length) => {
      events.onBytes(READ_INTO.subarray(0, length))
      return true
    },
  }
  const socket = connect({ host, port, onread })
  awaitOpen(socket, 'connect', timeoutMs, { ...events, onOpen: () => events.onOpen(socket, 'http/1.1') })
  return () => void socket.destroy()
}

function overTls(where: SecureOptions, { insecureTls, trust, timeoutMs }: SocketOptions, events: SocketEvents): Close {
  const socket = secure({ ...where, rejectUnauthorized: !insecureTls, secureContext: trust ?? usualTrust() })
  // The end of the handshake and the request are two small writes: together they would wait for the server's word on the first.
  socket.setNoDelay(true)
  const onOpen = (): void => {
    const isH2 = socket.alpnProtocol === 'h2'
    if (!isH2) socket.on('data', (bytes: Buffer) => events.onBytes(bytes))
    events.onOpen(socket, isH2 ? 'h2' : 'http/1.1')
  }
  const onFailure = (outcome: Outcome, message: string): void =>
    // A connection that is cut in the handshake is a matter of TLS, though the system calls it a reset.
    events.onFailure(outcome === 'connection-reset' ? 'tls-error' : outcome, message)
  awaitOpen(socket, 'secureConnect', timeoutMs, { onOpen, onFailure })
  return () => void socket.destroy()
}

function throughTunnel(options: SocketOptions, proxy: URL, events: SocketEvents): Close {
  let close: Close | undefined
  let isClosed = false
  void inTunnel(options, proxy, events, (socket) => {
    const { origin } = options
    const where = { socket, host: plainHost(origin), ...nameOf(origin), ALPNProtocols: PROTOCOLS }
    if (isClosed) socket.destroy()
    else close = overTls(where, options, events)
  })
  return () => {
    isClosed = true
    close?.()
  }
}

async function inTunnel(
  { origin, timeoutMs }: SocketOptions,
  proxy: URL,
  events: SocketEvents,
  goOn: (socket: Socket) => void,
): Promise<void> {
  try {
    goOn(await tunnel(proxy.href, `${origin.hostname}:${origin.port || '443'}`, timeoutMs))
  } catch (error) {
    events.onFailure(outcomeOfError(error as Error), (error as Error).message)
  }
}

interface OpenEvents {
  onOpen(): void
  onFailure(outcome: Outcome, message: string): void
}

/** Tells one thing, once: that it stands, or why not. */
function awaitOpen(socket: Socket, opened: 'connect' | 'secureConnect', timeoutMs: number, events: OpenEvents): void {
  let isTold = false
  const tell = (what: () => void): void => {
    if (isTold) return
    isTold = true
    clearTimeout(timer)
    what()
  }
  const fail = (outcome: Outcome, message: string): void => tell(() => events.onFailure(outcome, message))
  const timer = setTimeout(() => {
    fail('timeout-connect', `no connection within ${timeoutMs} ms`)
    socket.destroy()
  }, timeoutMs)
  socket.once(opened, () => tell(() => events.onOpen()))
  socket.on('error', (error) => fail(outcomeOfError(error), error.message))
  socket.once('close', () => fail('connection-reset', 'the connection was closed'))
}

/** Names are told to the server (RFC 6066 §3), addresses are not. */
function nameOf({ hostname }: URL): { servername?: string } {
  return /[a-z]/i.test(hostname) && !hostname.includes(':') ? { servername: hostname } : {}
}

const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
