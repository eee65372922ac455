/**
 * A crawler's lines to a site, with what goes over their sockets counted: heads and bodies, both ways. What TCP and IP add
 * below that is not seen from here, so connections are counted, too.
 */
import { Agent, request as httpRequest } from 'node:http'
import { connect as connectHttp2, constants } from 'node:http2'
import type { ClientHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import { decodeBody } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export interface Asked {
  readonly path: string
  readonly method?: string | undefined
  readonly headers?: HeaderList | undefined
  readonly body?: string | undefined
}

export interface Answered {
  readonly status: number
  readonly headers: HeaderList
  /** As it was sent. */
  readonly body: Buffer
}

export interface Traffic {
  readonly requests: number
  readonly connections: number
  readonly sent: number
  readonly received: number
}

/** `each`: a connection for every request. */
export type LineKind = 'each' | 'kept' | 'http2'

export interface Line extends AsyncDisposable {
  ask(asked: Asked): Promise<Answered>
  /** So far. */
  readonly traffic: Traffic
}

/** Whoever asks need not know how it is counted. */
export type Asker = Pick<Line, 'ask'>

const MAX_BODY_BYTES = 2 ** 29
const HOST = 'www.example.org'
/** What our crawler says of itself with every request. */
const COMMON: Readonly<Record<string, string>> = {
  'user-agent': 'comity/0.1 (+https://www.example.net/bot)',
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
}

export const openLine = (port: number, kind: LineKind): Line =>
  kind === 'http2' ? new Http2Line(port) : new Http1Line(port, kind === 'kept')

class Http1Line implements Line {
  readonly #port: number
  readonly #agent: Agent
  /** Open ones; what closed ones carried is added up. */
  readonly #sockets = new Set<Socket>()
  #closed = { sent: 0, received: 0 }
  #requests = 0
  #connections = 0

  constructor(port: number, isKept: boolean) {
    this.#port = port
    this.#agent = new Agent({ keepAlive: isKept, maxSockets: 1 })
  }

  get traffic(): Traffic {
    let { sent, received } = this.#closed
    for (const socket of this.#sockets) {
      sent += socket.bytesWritten
      received += socket.bytesRead
    }
    return { requests: this.#requests, connections: this.#connections, sent, received }
  }

  async ask({ path, method = 'GET', headers = [], body }: Asked): Promise<Answered> {
    this.#requests++
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const request = httpRequest({
      host: '127.0.0.1',
      port: this.#port,
      path,
      method,
      agent: this.#agent,
      headers: { host: HOST, ...COMMON, ...Object.fromEntries(headers) },
    })
    request.on('socket', (socket: Socket) => this.#meter(socket))
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const fields = headerPairs(response.rawHeaders)
        resolve({ status: response.statusCode ?? 0, headers: fields, body: joined(chunks) })
      })
    })
    request.end(body)
    return await promise
  }

  #meter(socket: Socket): void {
    if (this.#sockets.has(socket)) return
    this.#sockets.add(socket)
    this.#connections++
    socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#closed.sent += socket.bytesWritten
      this.#closed.received += socket.bytesRead
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy()
    await Promise.all(
      [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())),
    )
  }
}

class Http2Line implements Line {
  readonly #session: ClientHttp2Session
  #requests = 0
  #last = { sent: 0, received: 0 }

  constructor(port: number) {
    this.#session = connectHttp2(`http://127.0.0.1:${port}`)
  }

  get traffic(): Traffic {
    const { socket } = this.#session
    // A session that has ended has no socket any more.
    if (socket !== undefined) this.#last = { sent: socket.bytesWritten, received: socket.bytesRead }
    return { requests: this.#requests, connections: 1, ...this.#last }
  }

  async ask({ path, method = 'GET', headers = [], body }: Asked): Promise<Answered> {
    this.#requests++
    const { promise, resolve, reject } = Promise.withResolvers<Answered>()
    const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_AUTHORITY } = constants
    const stream = this.#session.request({
      [HTTP2_HEADER_METHOD]: method,
      [HTTP2_HEADER_PATH]: path,
      [HTTP2_HEADER_AUTHORITY]: HOST,
      ...COMMON,
      ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    })
    const chunks: Buffer[] = []
    let [status, fields]: [number, HeaderList] = [0, []]
    stream.on('response', (answered) => {
      status = Number(answered[':status'])
      fields = Object.entries(answered).flatMap(([name, value]) =>
        name.startsWith(':') ? [] : [[name, String(value)] as const],
      )
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('end', () => resolve({ status, headers: fields, body: joined(chunks) }))
    stream.end(body)
    return await promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#session.close(resolve))
  }
}

const joined = (chunks: readonly Buffer[]): Buffer => (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))

/** As Node has them raw, one after the other. */
export function headerPairs(raw: readonly string[]): HeaderList {
  const fields: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) fields.push([raw[i]!, raw[i + 1]!])
  return fields
}

/** The body with its content coding off. */
export function plainBody({ headers, body }: Answered): Uint8Array {
  const coding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
  if (coding === undefined) return body
  const decoded = decodeBody(body, coding, { maxBytes: MAX_BODY_BYTES, maxRatio: Infinity })
  if (decoded.kind !== 'ok') throw new Error(`the coding of an answer is ${decoded.kind}`)
  return decoded.body
}
