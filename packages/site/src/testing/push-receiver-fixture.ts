/**
 * A crawler's push address for tests: a real server that takes what is sent, applies it by digest, and fails in every way it
 * is told to. What it cannot apply it asks the site for, as a crawler would.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { applyDelta, checkUnencoded, decodeBody, headerOf, readBatchAnswer } from '@comity/protocol'
import type { BatchPage, HeaderList, Instant } from '@comity/protocol'
import { pageEtag } from '../page-etag.ts'
import { digestOf } from '../journal/version-store.ts'

/** What happens to a request. */
export type Behaviour =
  | 'take'
  /** Taken, and the connection cut before the answer: the sender cannot know. */
  | 'take-and-cut'
  | 'take-and-500'
  | 'cut'
  | 'hang'
  | 'garbage'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

interface Received {
  readonly headers: HeaderList
  readonly body: Buffer
  readonly behaviour: Behaviour
}

export class PushReceiver implements AsyncDisposable {
  readonly #server: Server
  readonly url: string
  readonly received: Received[] = []
  /** By path. */
  readonly pages: Map<string, Buffer> = new Map()
  /** Records of pages that came, in their order: `226 /a`. */
  readonly records: string[] = []
  /** Pages that had to be asked for, since the version they are a difference from is not here. */
  readonly asked: string[] = []
  /** What must never happen: an older state of a page after a newer one, a wrong digest, a file without an end. */
  readonly faults: string[] = []
  readonly #newest = new Map<string, Instant>()
  /** The next request's, and so on; `take` when there is none. */
  behaviours: Behaviour[] = []
  /** Looked at before the list: what a request is met with, by what it is. */
  judge: (received: { readonly paths: readonly string[]; readonly bytes: number }) => Behaviour | undefined = () =>
    undefined
  /** Told of every page that is held from now on. */
  onPage: (path: string, body: Buffer) => void = () => undefined
  /** A page of the site, as a crawler that asks for it gets it. */
  ask: (path: string) => Buffer | undefined = () => undefined

  private constructor(server: Server) {
    this.#server = server
    const { port } = server.address() as AddressInfo
    this.url = `http://127.0.0.1:${port}/push`
  }

  static async listen(): Promise<PushReceiver> {
    const server = createServer((request, response) => void receiver.#take(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const receiver = new PushReceiver(server)
    return receiver
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** What it holds, as text by path. */
  texts(): Record<string, string> {
    return Object.fromEntries([...this.pages.keys()].toSorted().map((path) => [path, this.pages.get(path)!.toString()]))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { rawHeaders } = request
    const headers = Array.from(
      { length: rawHeaders.length / 2 },
      (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!] as const,
    )
    const pages = pagesOf(body, headers)
    const paths = pages.map(({ url }) => pathOf(url))
    const behaviour = this.judge({ paths, bytes: body.length }) ?? this.behaviours.shift() ?? 'take'
    this.received.push({ headers, body, behaviour })
    if (typeof behaviour === 'string' && behaviour.startsWith('take')) this.#applyAll(pages, body)
    answer(behaviour, request, response)
  }

  #applyAll(pages: readonly BatchPage[], body: Buffer): void {
    if (body.includes('WARC/1.1') && readBatchAnswer(body).closing === undefined) this.faults.push('no closing')
    for (const page of pages) this.#apply(page)
  }

  #apply({ url, status, headers, body, at = 0 }: BatchPage): void {
    const path = pathOf(url)
    this.records.push(`${status} ${path}`)
    if (at < (this.#newest.get(path) ?? 0)) this.faults.push(`${path} went back in time`)
    this.#newest.set(path, at)
    if (status === 410) this.pages.delete(path)
    else if (status === 226) this.#applyDelta(path, { status, headers, body })
    else if (checkUnencoded(headers, body) !== 'match') this.faults.push(`${path} has a wrong digest`)
    else this.#hold(path, body)
  }

  #hold(path: string, body: Uint8Array): void {
    this.pages.set(path, Buffer.from(body))
    this.onPage(path, Buffer.from(body))
  }

  #applyDelta(path: string, page: Pick<BatchPage, 'status' | 'headers' | 'body'>): void {
    const held = this.pages.get(path)
    const tag = held === undefined ? '' : pageEtag({ digest: digestOf(held) })
    // Taken before: the digest says so.
    if (tag === headerOf(page.headers, 'etag')) return
    const applied = applyDelta(page, new Map(held === undefined ? [] : [[tag, held]]), { maxBytes: 1 << 20 })
    if (applied.kind === 'ok') this.#hold(path, applied.body)
    else if (applied.kind === 'unknown-base') this.#askFor(path)
    else this.faults.push(`${path}: ${applied.kind}`)
  }

  #askFor(path: string): void {
    this.asked.push(path)
    const body = this.ask(path)
    if (body === undefined) this.pages.delete(path)
    else this.pages.set(path, body)
  }
}

const pathOf = (url: string): string => new URL(url).pathname

function pagesOf(body: Buffer, headers: HeaderList): readonly BatchPage[] {
  if (headerOf(headers, 'content-type') !== 'application/warc') return []
  const decoded = decodeBody(body, headerOf(headers, 'content-encoding'), { maxBytes: 1 << 26 })
  return decoded.kind === 'ok' ? readBatchAnswer(decoded.body).pages : []
}

function answer(behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): void {
  if (typeof behaviour === 'object')
    response.writeHead(behaviour.status, behaviour.headers ?? {}).end(behaviour.body ?? '')
  else if (behaviour === 'take') response.writeHead(202).end()
  else if (behaviour === 'take-and-500') response.writeHead(500).end('I took it, and then I failed')
  else if (behaviour === 'garbage') request.socket.end('what?\r\n\r\n')
  else if (behaviour !== 'hang') request.socket.destroy()
}
