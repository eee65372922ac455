/**
 * A receiver of resumable uploads for tests, a real server by the letter of the draft: OPTIONS, POST with 104, HEAD, PATCH,
 * DELETE. It cuts connections, forgets, refuses, or knows nothing of all this, as it is told to.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { appendVerdict, readUploadFields, statedLength, writeUploadFields } from '@comity/protocol'
import type { HeaderList, UploadLimits } from '@comity/protocol'

interface Begun {
  bytes: Buffer
  length: number | undefined
  isComplete: boolean
}

interface UploadBehaviour {
  /** Undefined: it knows nothing of resumable uploads. */
  limits: UploadLimits | undefined
  /** The connection is cut once so many bytes of a request came; each once. */
  cuts: number[]
  /** No 104 before the answer. */
  isSilent: boolean
  /** In place of the answer to everything, each once. */
  answers: number[]
  /** Where uploads are said to be. */
  place: (id: number) => string
}

export class UploadReceiver implements AsyncDisposable {
  readonly #server: Server
  readonly #uploads = new Map<string, Begun>()
  readonly behaviour: UploadBehaviour = {
    limits: { maxSize: 1 << 30 },
    cuts: [],
    isSilent: false,
    answers: [],
    place: (id) => `/uploads/${id}`,
  }
  readonly url: string
  /** `POST /push`, `PATCH /uploads/1` … */
  readonly requests: string[] = []
  /** What came whole. */
  readonly taken: Buffer[] = []
  /** All bytes of bodies that came. */
  bytes = 0
  #ids = 0

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`
  }

  static async listen(): Promise<UploadReceiver> {
    const server = createServer((request, response) => {
      receiver.#take(request, response).catch(() => request.socket.destroy())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const receiver = new UploadReceiver(server)
    return receiver
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** As a restart of the receiver that kept nothing. */
  forgetAll(): void {
    this.#uploads.clear()
  }

  get open(): number {
    return [...this.#uploads.values()].filter(({ isComplete }) => !isComplete).length
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders } = request
    this.requests.push(`${method} ${url}`)
    const headers = Array.from(
      { length: rawHeaders.length / 2 },
      (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!] as const,
    )
    const { limits } = this.behaviour
    if (method === 'OPTIONS') return reply(response, 204, limits === undefined ? [] : writeUploadFields({ limits }))
    if (method === 'POST') return await this.#create(request, response, headers)
    const begun = this.#uploads.get(url)
    if (begun === undefined) return reply(response, 404, [])
    if (method === 'DELETE') this.#uploads.delete(url)
    if (method === 'PATCH') return await this.#append(request, response, headers, begun)
    const { bytes, length, isComplete } = begun
    return reply(response, 204, writeUploadFields({ offset: bytes.length, length, isComplete, limits }))
  }

  async #create(request: IncomingMessage, response: ServerResponse, headers: HeaderList): Promise<void> {
    const fields = readUploadFields(headers)
    const { limits, isSilent, place } = this.behaviour
    const isResumable = limits !== undefined && fields.isComplete !== undefined
    const url = place(++this.#ids)
    const length = statedLength(fields, 0, Number(request.headers['content-length']))
    const begun: Begun = {
      bytes: Buffer.alloc(0),
      length: length === 'inconsistent' ? undefined : length,
      isComplete: false,
    }
    if (isResumable) {
      this.#uploads.set(url, begun)
      if (!isSilent) request.socket.write(`HTTP/1.1 104 Upload Resumption Supported\r\nLocation: ${url}\r\n\r\n`)
    }
    if (!(await this.#read(request, begun))) return
    if (fields.isComplete !== false) this.#complete(begun, response)
    else
      reply(response, 201, [
        ['Location', url],
        ...writeUploadFields({ isComplete: false, offset: begun.bytes.length, limits }),
      ])
  }

  async #append(request: IncomingMessage, response: ServerResponse, headers: HeaderList, begun: Begun): Promise<void> {
    const length = Number(request.headers['content-length'])
    const most = this.behaviour.limits?.maxAppendSize ?? Infinity
    const resource = {
      offset: begun.bytes.length,
      length: begun.length,
      maxSize: this.behaviour.limits?.maxSize ?? Infinity,
    }
    if (begun.isComplete) return reply(response, 200, writeUploadFields({ isComplete: true }))
    const verdict = appendVerdict(headers, resource, length)
    if (verdict.kind === 'refuse') return reply(response, verdict.status, verdict.headers)
    if (length > most) return reply(response, 413, writeUploadFields({ isComplete: false }))
    if (!(await this.#read(request, begun))) return
    if (verdict.isLast) this.#complete(begun, response)
    else reply(response, 204, writeUploadFields({ isComplete: false, offset: begun.bytes.length }))
  }

  /** False when the connection was cut. */
  async #read(request: IncomingMessage, begun: Begun): Promise<boolean> {
    const cutAt = this.behaviour.cuts.shift() ?? Infinity
    let seen = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const some = chunk.subarray(0, Math.max(0, cutAt - seen))
      begun.bytes = Buffer.concat([begun.bytes, some])
      seen += some.length
      this.bytes += chunk.length
      if (seen < cutAt) continue
      request.socket.destroy()
      return false
    }
    return true
  }

  #complete(begun: Begun, response: ServerResponse): void {
    const status = this.behaviour.answers.shift() ?? 200
    begun.isComplete = true
    if (status < 300) this.taken.push(begun.bytes)
    reply(response, status, writeUploadFields({ isComplete: true }))
  }
}

function reply(response: ServerResponse, status: number, headers: HeaderList): void {
  response.writeHead(status, headers.flat()).end()
}
