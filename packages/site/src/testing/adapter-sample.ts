/** A small site behind an adapter, for tests: what it answers can be changed, and it is asked over a real connection. */
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { HeaderList, Instant } from '@comity/protocol'
import { AT } from './journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { createSiteFront } from '../site-front.ts'
import type { SiteFront, SiteFrontOptions } from '../site-front.ts'

export const HOST = 'a.example'

export interface SampleAnswer {
  readonly status?: number
  readonly headers?: HeaderList
  /** As pieces: one after the other, each when it is asked for. */
  readonly body: string | Buffer | (() => AsyncIterable<Buffer>)
}

/** Paths and what they answer; others answer 404. */
class SampleApp {
  readonly pages: Map<string, SampleAnswer> = new Map()
  /** For all other paths. */
  others: SampleAnswer = { status: 404, body: 'not here' }
  readonly asked: { readonly method: string; readonly path: string }[] = []

  put(
    path: string,
    body: SampleAnswer['body'],
    headers: HeaderList = [['Content-Type', 'text/html; charset=utf-8']],
  ): void {
    this.pages.set(path, { body, headers })
  }

  answer(method: string, path: string): Required<SampleAnswer> {
    this.asked.push({ method, path })
    const { status = 200, headers = [], body } = this.pages.get(path) ?? this.others
    return { status, headers, body }
  }
}

interface RunningSite {
  readonly port: number
  stop(): Promise<void> | void
}

/** Starts a server of some framework with the adapter under test. */
export type StartSite = (front: SiteFront, app: SampleApp) => Promise<RunningSite>

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly fields: HeaderList
  readonly body: Buffer
}

export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Told of each part of the answer as it comes. */
  readonly onChunk?: () => void
}

export async function askPort(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, onChunk }: Asking = {},
): Promise<Got> {
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { host: HOST, ...headers },
    agent: false,
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    onChunk?.()
  }
  const fields: [string, string][] = []
  const { rawHeaders } = response
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) fields.push([rawHeaders[i]!, rawHeaders[i + 1]!])
  return { status: response.statusCode ?? 0, headers: response.headers, fields, body: Buffer.concat(chunks) }
}

/** A site, its front and its server, with a clock that stands still. */
export class AdapterSample {
  readonly app: SampleApp = new SampleApp()
  readonly journal: MemoryJournal = new MemoryJournal({ id: 'sample' })
  readonly told: string[] = []
  readonly front: SiteFront
  now: Instant = AT
  #running: RunningSite | undefined

  constructor(options: Partial<SiteFrontOptions> = {}) {
    this.front = createSiteFront({
      journal: this.journal,
      base: `http://${HOST}/`,
      now: () => this.now,
      robots: '',
      tell: (sentence) => this.told.push(sentence),
      // Tests of streams say when they are impatient.
      patienceMs: 60_000,
      coding: { share: 1, burstMs: 60_000 },
      ...options,
    })
  }

  async start(start: StartSite): Promise<this> {
    this.#running = await start(this.front, this.app)
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running?.stop()
  }

  /** Asks, and waits until what was seen is recorded. */
  async ask(path: string, asking: Asking = {}): Promise<Got> {
    const got = await askPort(this.#running!.port, path, asking)
    await this.front.settled()
    return got
  }
}

/** A page with a frame that all have, and something of its own. */
export function sampleHtml(name: string, version = 1): string {
  const menu = Array.from(
    { length: 30 },
    (_, i) => `<li><a href="/topics/${i}.html">Everything about topic ${i}</a></li>`,
  )
  const own = Array.from(
    { length: 20 },
    (_, i) => `<p>${name} has a paragraph ${i}, number ${(i * 7919 + name.length) % 1_000}.</p>`,
  )
  return `<!doctype html>
<html lang="en"><head><title>${name}</title><link rel="stylesheet" href="/style.css"></head>
<body><nav><ul>
${menu.join('\n')}
</ul></nav>
<h1>${name}</h1>
<p>Version ${version} of it.</p>
${own.join('\n')}
<footer>Made by hand, served with care, and free to copy for everybody.</footer></body></html>`
}
