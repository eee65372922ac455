/** A site for tests: a journal in memory, bodies in a map, a clock that stands still until it is told to go on. */
import type { HeaderList, Instant } from '@comity/protocol'
import { decodeBody, headerOf } from '@comity/protocol'
import { AT } from './journal-sample.ts'
import type { Observation, JournaledPage } from '../journal/journal.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import type { MemoryJournalOptions } from '../journal/memory-journal.ts'
import { createSite } from '../site.ts'
import type { Site } from '../site.ts'
import type { SiteOptions } from '../site-options.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'
import { digestOf } from '../journal/version-store.ts'

export const BASE = 'https://a.example/'

export interface ReadAnswer {
  readonly status: number
  readonly headers: HeaderList
  /** As it went out. */
  readonly sent: Buffer
  /** Content coding off. */
  readonly body: Buffer
  readonly text: string
  readonly header: (name: string) => string | undefined
}

export interface Asked {
  readonly method?: string
  readonly headers?: HeaderList
  readonly body?: string | Uint8Array
}

export class SampleSite {
  readonly journal: MemoryJournal
  readonly bodies: Map<string, Buffer> = new Map()
  readonly site: Site
  now: Instant = AT
  #options: Partial<SiteOptions>

  constructor(options: Partial<SiteOptions> = {}, journal: MemoryJournalOptions = {}) {
    this.journal = new MemoryJournal({ id: 'sample', ...journal })
    this.#options = options
    this.site = this.again()
  }

  /** Another process on the same journal. */
  again(): Site {
    const read = async (path: string): Promise<Uint8Array | undefined> => this.bodies.get(path)
    return createSite({ journal: this.journal, base: BASE, now: () => this.now, read, ...this.#options })
  }

  /** A second later, these pages are as given; null is gone. */
  async put(pages: Readonly<Record<string, string | null>>, more: Partial<JournaledPage> = {}): Promise<void> {
    this.now += 1_000
    await this.journal.record(
      Object.entries(pages).map(([path, text]) => this.#seen(path, text, more)),
      this.now,
    )
  }

  #seen(path: string, text: string | null, more: Partial<JournaledPage>): Observation {
    if (text === null) {
      this.bodies.delete(path)
      return { path, gone: true }
    }
    const body = Buffer.from(text)
    this.bodies.set(path, body)
    const facts = { modifiedAt: this.now, digest: digestOf(body), bytes: body.length, type: 'text/html' }
    return { path, ...facts, body, ...more }
  }

  async ask(path: string, asked: Asked = {}): Promise<ReadAnswer> {
    const answer = await this.site.answer(requestOf(path, asked))
    if (answer === undefined) throw new Error(`${path} is not one of the site's documents`)
    return await readAnswer(answer)
  }
}

export function requestOf(path: string, { method = 'GET', headers = [], body = '' }: Asked = {}): SiteRequest {
  const bytes = Buffer.from(body)
  return { method, path, headers, body: async (maxBytes) => (bytes.length > maxBytes ? 'too-large' : bytes) }
}

export async function readAnswer({ status, headers, body }: SiteAnswer): Promise<ReadAnswer> {
  const chunks: Uint8Array[] = []
  if (body instanceof Uint8Array) chunks.push(body)
  else for await (const chunk of body) chunks.push(chunk)
  const sent = Buffer.concat(chunks)
  const decoded = decodeBody(sent, headerOf(headers, 'content-encoding'), { maxBytes: 1 << 30, maxRatio: Infinity })
  if (decoded.kind !== 'ok') throw new Error(`the answer's coding is ${decoded.kind}`)
  const plain = Buffer.from(decoded.body)
  return { status, headers, sent, body: plain, text: plain.toString('utf8'), header: (name) => headerOf(headers, name) }
}

/** Bytes of a request and its answer on the wire, heads and all, as HTTP/1.1 writes them. */
export function wireBytes(
  path: string,
  { method = 'GET', headers = [], body = '' }: Asked,
  answer: ReadAnswer,
): number {
  const asked = method.length + path.length + 12 + fields([['Host', 'a.example'], ...headers]) + Buffer.byteLength(body)
  const date = ['Date', 'Sun, 01 Nov 2026 00:00:00 GMT'] as const
  return asked + 'HTTP/1.1 200 OK\r\n'.length + fields([date, ...answer.headers]) + answer.sent.length
}

const fields = (list: HeaderList): number =>
  list.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 2)
