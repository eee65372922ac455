/**
 * What a crawler does with what sites send it, without its queues and disks: who sent it is proven as the receiver proves it,
 * it waits in an inbox, and is read and judged with the crawler's own functions. Each page that was sent is taken, asked for,
 * or left alone as `judgePush` says.
 *
 *   message ── HMAC, signature or key ──▶ inbox ──▶ notice: GET   WARC, ZIP: newer? taken   agent's words: taken
 */
import { readResult } from '@comity/agent'
import { contentKey, judgePush } from '@comity/ingest'
import { readPushed } from '@comity/crawler'
import { MemoryInbox } from '@comity/collection'
import type { InboxItem, NewInboxItem, PageRow } from '@comity/collection'
import { shippedFromRecord } from '@comity/index'
import { applyDelta, headerOf, notificationSignals, parseIndexNow, readChangeNotification } from '@comity/protocol'
import type { BatchPage, Signal } from '@comity/protocol'
import type { HeldPage, SiteCopy } from './copy.ts'
import type { Asker } from './http.ts'
import { fetchChanged, takeAnswer } from './pages.ts'
import { refusalOf } from './proof.ts'
import type { PushProof, SentMessage } from './proof.ts'
import type { PushTerms } from '../experiments/schemes/pushed.ts'

export interface IntakeParts {
  readonly copy: SiteCopy
  readonly terms: PushTerms
  readonly proof: PushProof
  /** Of the site's home page. */
  readonly base: string
  /** To the site, for what has to be asked for. */
  readonly line: Asker
}

const MAX_PAGE_BYTES = 2 ** 26

export class PushIntake {
  readonly #parts: IntakeParts
  readonly #origin: string
  readonly #inbox = new MemoryInbox(0, { maxBytes: 2 ** 31 })
  #upTo = 0
  #sent = new Set<string>()

  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.#origin = new URL(parts.base).origin
  }

  /** The status that it is answered with. Everything that follows from it has been done by then. */
  async receive(message: SentMessage): Promise<number> {
    const { terms, proof } = this.#parts
    const refusal = refusalOf(terms.by, message, proof, Date.now())
    if (refusal !== undefined) throw new Error(`${terms.scheme}: what was sent is refused: ${refusal}`)
    const { kind } = await this.#inbox.append(this.#itemOf(message))
    if (kind === 'full') throw new Error('the inbox is full')
    for (const item of await this.#inbox.read(this.#upTo, 1_000)) {
      await this.#takeIn(item)
      this.#upTo = item.number
    }
    await this.#inbox.acknowledged(this.#upTo)
    return 202
  }

  /**
   * All of an entire site has come. It says what is there and not what is gone, so pages that were in none of its parts are
   * asked for.
   */
  async siteEnded(): Promise<void> {
    const sent = this.#sent
    this.#sent = new Set()
    const { copy } = this.#parts
    const missing = Array.from(copy.pages.keys()).filter((path) => !sent.has(path))
    for (const path of missing) await this.#ask(path)
  }

  #itemOf({ headers, body, method, url }: SentMessage): NewInboxItem {
    const { scheme, by } = this.#parts.terms
    const type = headerOf(headers, 'content-type') ?? ''
    const item = { at: Date.now(), origin: this.#origin, scheme, door: by, type, body } as const
    if (by === 'indexnow') {
      const read = parseIndexNow(method, new URL(url).search.slice(1), type, body)
      if ('problem' in read) throw new Error(read.problem)
      const signals = read.notice.urls.map((one): Signal => ({ url: one, change: 'updated', channel: 'indexnow' }))
      return { ...item, proof: 'key-file', type: LINES_TYPE, body: linesOf(signals) }
    }
    const proof = by === 'push' ? 'signature' : 'subscription'
    if (scheme !== 'changes') return { ...item, proof }
    const read = readChangeNotification(body, this.#parts.base)
    if (!('changes' in read)) throw new Error(read.problem)
    return { ...item, proof, type: LINES_TYPE, body: linesOf(notificationSignals(read.changes, 'websub')) }
  }

  async #takeIn(item: InboxItem): Promise<void> {
    const { type, scheme, body } = item
    if (scheme === 'changes') for (const signal of signalsIn(body)) await this.#hear(signal)
    else if (type === LINES_TYPE) await this.#takeResult(body)
    else {
      for await (const one of readPushed(item, MAX_PAGE_BYTES)) {
        if ('problem' in one) throw new Error(`what was sent cannot be read: ${one.problem}`)
        if (one.kind === 'page') await this.#take(one.page)
        else await this.#hear(one.signal)
      }
    }
  }

  async #hear({ url, change }: Signal): Promise<void> {
    if (change === 'deleted') this.#parts.copy.drop(this.#pathOf(url))
    else await this.#ask(this.#pathOf(url))
  }

  async #take(page: BatchPage): Promise<void> {
    const { copy } = this.#parts
    const path = this.#pathOf(page.url)
    this.#sent.add(path)
    const held = copy.pages.get(path)
    const body = page.status === 226 ? rebuilt(page, held) : page.body
    if (body === undefined) {
      copy.noteBroken()
      return await this.#ask(path)
    }
    const isGone = page.status >= 400
    const verdict = judgePush(held && rowOf(held), { key: isGone ? undefined : contentKey(body), asOf: page.at })
    if (verdict === 'unsure') return await this.#ask(path)
    if (verdict !== 'newer') return
    if (isGone) copy.drop(path)
    else copy.take(path, body, page.headers, page.at)
  }

  /** What an agent says of pages: that they are others than what is held, and then they are asked for; or their words. */
  async #takeResult(body: Uint8Array): Promise<void> {
    const read = readResult(textOf(body))
    if (read.kind === 'refused') throw new Error(`the result of an agent is refused: ${read.problem}`)
    const { copy, line } = this.#parts
    for (const { record, page = '' } of read.result.records) {
      const path = this.#pathOf(record.url)
      const digest = page.replace(/^sha-256:/, '')
      if (record.kind === 'postings') {
        const shipped = shippedFromRecord(record, page, read.result.head.at)
        if (shipped.kind === 'refused') throw new Error(`${path}: ${shipped.problem}`)
        copy.takeRead(path, digest, shipped.document.links.length)
      } else if (digest === '') copy.drop(path)
      else if (copy.pages.get(path)?.digest !== digest) await fetchChanged(line, copy, path, 'vcdiff')
    }
  }

  async #ask(path: string): Promise<void> {
    takeAnswer(this.#parts.copy, path, await this.#parts.line.ask({ path }))
  }

  #pathOf(url: string): string {
    if (!url.startsWith(`${this.#origin}/`)) throw new Error(`${url} is not a page of ${this.#origin}`)
    return url.slice(this.#origin.length)
  }
}

const LINES_TYPE = 'application/x-ndjson'

const textOf = (body: Uint8Array): string => Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')

/** One a line, as the receiver writes them. */
const signalsIn = (body: Uint8Array): readonly Signal[] =>
  textOf(body)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Signal]))

const linesOf = (signals: readonly Signal[]): Uint8Array =>
  Buffer.from(signals.map((signal) => `${JSON.stringify(signal)}\n`).join(''))

/** As HeldVersion of the crawler has it: the digest alone tells whether the base was the right one. */
function rebuilt({ status, headers, body }: BatchPage, held: HeldPage | undefined): Uint8Array | undefined {
  if (held === undefined) return undefined
  const base = headerOf(headers, 'delta-base')?.trim() ?? ''
  const applied = applyDelta({ status, headers, body }, new Map([[base, held.body]]), { maxBytes: MAX_PAGE_BYTES })
  return applied.kind === 'ok' && applied.isVerified ? applied.body : undefined
}

/** Where the page would stand in the crawler's collection, and what its row there would say. */
const PLACE = { file: 0, offset: 0, length: 0 }
const KEY_BYTES = 16

function rowOf({ digest, body, asOf = 0 }: HeldPage): PageRow {
  const key = Uint8Array.from(Buffer.from(digest, 'hex').subarray(0, KEY_BYTES))
  const counts = { site: 0, visits: 1, changes: 0, bytes: body.length, timings: {} }
  return { outcome: 'ok', status: 200, visitedAt: asOf, servedAt: asOf, contentKey: key, body: PLACE, ...counts }
}
