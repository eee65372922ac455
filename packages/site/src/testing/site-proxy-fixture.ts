/** An origin on loopback, and a site's proxy before it, for tests. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Instant } from '@comity/protocol'
import { askPort, HOST, listening } from './adapter-sample.ts'
import type { Asking, Got } from './adapter-sample.ts'
import { AT } from './journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { createSiteProxy } from '../site-proxy/site-proxy.ts'
import type { SiteProxy, SiteProxyOptions } from '../site-proxy/site-proxy.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
export type Answer = (response: ServerResponse, asked: Asked) => void

export class ProxySample implements AsyncDisposable {
  readonly journal: MemoryJournal = new MemoryJournal({ id: 'proxy' })
  readonly asked: Asked[] = []
  readonly answers: Map<string, Answer> = new Map()
  now: Instant = AT
  readonly #origin = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = {
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      this.asked.push(asked)
      const answer = this.answers.get(asked.url) ?? ((to: ServerResponse) => to.writeHead(404).end('not here'))
      answer(response, asked)
    })
  })
  proxy!: SiteProxy
  port = 0

  async start(options: Partial<SiteProxyOptions> = {}): Promise<this> {
    const origin = `http://127.0.0.1:${await listening(this.#origin)}`
    this.proxy = createSiteProxy({
      origin,
      journal: this.journal,
      base: `http://${HOST}/`,
      now: () => this.now,
      timeoutMs: 5_000,
      ...options,
    })
    this.port = (await this.proxy.listen()).port
    return this
  }

  page(path: string, body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/html' }): void {
    this.answers.set(path, (response) => response.writeHead(200, headers).end(body))
  }

  async ask(path: string, asking: Asking = {}): Promise<Got> {
    const got = await askPort(this.port, path, asking)
    await this.proxy.front.settled()
    return got
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy.stop(0)
    this.#origin.closeAllConnections()
    this.#origin.close()
  }
}
