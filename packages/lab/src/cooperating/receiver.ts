/**
 * A crawler's endpoint on loopback for one site that sends: every request is read, taken in (schemes-intake.ts) and then answered,
 * so whoever sent it may go on in time. What went over its sockets is counted, and what over lines to the site because of it.
 *
 * Each connection carries one request: sites change hours apart, and no connection is kept for so long.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { textOf } from '@comity/protocol'
import { portOf } from '@comity/testbed'
import type { CopyNews, SiteCopy } from './copy.ts'
import { headerPairs, openLine } from './http.ts'
import type { Answered, Asked, Asker, Line, Traffic } from './http.ts'
import { PushIntake } from './intake.ts'
import type { PushTerms } from '../experiments/schemes/pushed.ts'
import { SECRET } from './sender.ts'
import { SITE_BASE } from './server.ts'

interface ReceiverParts {
  readonly copy: SiteCopy
  readonly terms: PushTerms
  /** Where the site is. */
  readonly sitePort: number
}

export class PushReceiver implements AsyncDisposable {
  readonly #parts: ReceiverParts
  readonly #server: Server
  readonly #line: ReopenedLine
  readonly #news: CopyNews[] = []
  readonly #failures: unknown[] = []
  #traffic: Traffic = NO_TRAFFIC
  readonly #open = new Set<Socket>()
  #intake: PushIntake | undefined

  private constructor(parts: ReceiverParts) {
    this.#parts = parts
    this.#line = new ReopenedLine(parts.sitePort)
    this.#server = createServer()
    this.#server.on('connection', (socket) => this.#meter(socket))
  }

  static async listen(parts: ReceiverParts): Promise<PushReceiver> {
    const receiver = new PushReceiver(parts)
    const { copy, terms } = parts
    receiver.#intake = new PushIntake({ copy, terms, secret: SECRET, base: SITE_BASE, line: receiver.#line })
    receiver.#server.on('request', (request, response) => void receiver.#take(request, response))
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get address(): string {
    return `http://127.0.0.1:${portOf(this.#server)}/`
  }

  /** Both ways: what was sent here, and what was asked of the site. */
  get traffic(): Traffic {
    return added(this.#traffic, this.#line.traffic)
  }

  /** All of an entire site has come. */
  async siteEnded(): Promise<void> {
    await this.#intake!.siteEnded()
    await this.#note()
  }

  /** What each request since the last time made of the copy, in order; throws what went wrong. */
  async settled(): Promise<readonly CopyNews[]> {
    // A socket is counted when it is closed.
    await Promise.all([...this.#open].map((socket) => once(socket, 'close')))
    if (this.#failures.length > 0) throw this.#failures[0]
    return this.#news.splice(0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await this.#line.end()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#traffic = { ...this.#traffic, requests: this.#traffic.requests + 1 }
    response.setHeader('Connection', 'close')
    try {
      const chunks: Uint8Array[] = []
      for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
      const { method = 'POST', url = '/', headers } = request
      // Uploads in parts are offered by the real one; what is sent is the same.
      if (method === 'OPTIONS') {
        response.writeHead(204).end()
        this.#news.push([])
        return
      }
      const address = `http://${headers.host ?? ''}${url}`
      const message = { method, url: address, headers: headerPairs(request.rawHeaders), body: Buffer.concat(chunks) }
      const status = await this.#intake!.receive(message)
      await this.#note()
      response.writeHead(status, { 'Content-Length': 0 }).end()
    } catch (error) {
      this.#failures.push(error)
      response.writeHead(500).end(textOf(error))
    }
  }

  async #note(): Promise<void> {
    await this.#line.end()
    this.#news.push(this.#parts.copy.takeNews())
  }

  #meter(socket: Socket): void {
    this.#open.add(socket)
    this.#traffic = { ...this.#traffic, connections: this.#traffic.connections + 1 }
    socket.once('close', () => {
      this.#open.delete(socket)
      const { sent, received } = this.#traffic
      this.#traffic = {
        ...this.#traffic,
        sent: sent + socket.bytesWritten,
        received: received + socket.bytesRead,
      }
    })
  }
}

/** A line that is opened when there is something to ask, and ended when that is done. */
class ReopenedLine implements Asker {
  readonly #port: number
  #line: Line | undefined
  #ended: Traffic = NO_TRAFFIC

  constructor(port: number) {
    this.#port = port
  }

  get traffic(): Traffic {
    return this.#line === undefined ? this.#ended : added(this.#ended, this.#line.traffic)
  }

  async ask(asked: Asked): Promise<Answered> {
    this.#line ??= openLine(this.#port, 'kept')
    return await this.#line.ask(asked)
  }

  async end(): Promise<void> {
    const line = this.#line
    if (line === undefined) return
    this.#ended = added(this.#ended, line.traffic)
    this.#line = undefined
    await line[Symbol.asyncDispose]()
  }
}

const NO_TRAFFIC: Traffic = { requests: 0, connections: 0, sent: 0, received: 0 }

const added = (one: Traffic, other: Traffic): Traffic => ({
  requests: one.requests + other.requests,
  connections: one.connections + other.connections,
  sent: one.sent + other.sent,
  received: one.received + other.received,
})
