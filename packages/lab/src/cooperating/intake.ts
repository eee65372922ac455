/**
 * What a crawler does with what sites send it, without its queues and disks: who sent it is proven as the receiver proves it,
 * it waits in an inbox, and is read and judged with the crawler's own functions. Each page that was sent is taken, asked for,
 * or left alone as `judgeSentVersion` says.
 *
 *   message ── HMAC, signature or key ──▶ inbox ──▶ notice: GET   WARC, ZIP: newer? taken   agent's words: taken
 */
import { readResult } from '@comity/agent'
import { readPushedParts } from '@comity/crawler'
import { answerOfSent, judgeClaim, judgeSentVersion } from '@comity/follow'
import { contentKey } from '@comity/ingest'
import { MemoryInbox } from '@comity/collection'
import type { InboxItem } from '@comity/collection'
import { shippedFromRecord } from '@comity/index'
import { checkContentDigest, checkHubSignature, headerOf, keyFileUrl, parseIndexNow } from '@comity/protocol'
import type { BatchPage, HeaderList, IndexNow, Signal } from '@comity/protocol'
import { checkContent, contentKind, SpeakerProof, writeSignals } from '@comity/receiver'
import type { SiteCopy } from './copy.ts'
import type { Asker } from './http.ts'
import { SiteFollower } from './site-follower.ts'
import type { PushTerms } from '../experiments/schemes/pushed.ts'

/** A request as it came. */
export interface SentMessage {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

interface IntakeParts {
  readonly copy: SiteCopy
  readonly terms: PushTerms
  /** Of the subscription. */
  readonly secret: string
  /** Of the site's home page. */
  readonly base: string
  /** To the site, for what has to be asked for. */
  readonly line: Asker
}

const MAX_PAGE_BYTES = 2 ** 26
const MAX_UNPACKED_BYTES = 2 ** 30

export class PushIntake {
  readonly #parts: IntakeParts
  readonly #origin: string
  readonly #follower: SiteFollower
  readonly #proof: SpeakerProof
  readonly #inbox = new MemoryInbox(0, { maxBytes: 2 ** 31 })
  #upTo = 0
  #sent = new Set<string>()

  constructor(parts: IntakeParts) {
    this.#parts = parts
    this.#origin = new URL(parts.base).origin
    const { base, copy, terms } = parts
    this.#proof = new SpeakerProof({ fetchFrom: async (_, path) => await parts.line.ask({ path }), now: Date.now })
    // Pages that an agent asks for come as differences; whoever is told of a change asks for the page.
    this.#follower = new SiteFollower({ base, copy, differences: terms.scheme === 'agent' ? 'delta' : 'none' })
  }

  /** The status that it is answered with. Everything that follows from it has been done by then. */
  async receive(message: SentMessage): Promise<number> {
    const { scheme, by } = this.#parts.terms
    const refusal = await this.#refusalOf(message)
    if (refusal !== undefined) throw new Error(`${scheme}: what was sent is refused: ${refusal}`)
    const content = by === 'indexnow' ? noticed(message) : await this.#contentOf(message)
    const proof = by === 'indexnow' ? 'key-file' : by === 'push' ? 'signature' : 'subscription'
    const { body = message.body, ...about } = content
    const item = { at: Date.now(), origin: this.#origin, door: by, proof, body, ...about } as const
    const { kind } = await this.#inbox.append(item)
    if (kind === 'full') throw new Error('the inbox is full')
    for (const one of await this.#inbox.read(this.#upTo, 1_000)) {
      await this.#takeIn(one)
      this.#upTo = one.number
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

  /** Why it is not believed; undefined when it is: by the HMAC of a subscription (WebSub §7.1), or as the receiver proves it. */
  async #refusalOf(message: SentMessage): Promise<string | undefined> {
    const { headers, body } = message
    const { by } = this.#parts.terms
    if (by === 'websub') {
      const verdict = checkHubSignature(this.#parts.secret, headerOf(headers, 'x-hub-signature'), body)
      return verdict === 'good' ? undefined : `its HMAC is ${verdict}`
    }
    if (by === 'indexnow') {
      const notice = noticeOf(message)
      const claim = { key: notice.key, keyLocation: keyFileUrl(notice) }
      const verdict = await this.#proof.byKeyFile(this.#origin, claim, ASKER)
      return verdict.kind === 'proven' ? undefined : verdict.message
    }
    const verdict = await this.#proof.bySignature(this.#origin, message, true, ASKER)
    if (verdict.kind !== 'proven') return verdict.message
    return checkContentDigest(headers, body) === 'match' ? undefined : 'its body is not the one that was signed'
  }

  async #contentOf({ headers, body }: SentMessage): Promise<CheckedContent> {
    const { scheme, by: door } = this.#parts.terms
    const type = headerOf(headers, 'content-type') ?? ''
    const kind = contentKind(type, scheme, headerOf(headers, 'content-encoding'))
    const from = { origin: this.#origin, door, topic: this.#parts.base, maxUnpackedBytes: MAX_UNPACKED_BYTES }
    return await checkContent({ bytes: body }, { kind, scheme, type, ...from })
  }

  async #takeIn(item: InboxItem): Promise<void> {
    const { type, scheme, body } = item
    if (scheme === 'changes') for (const signal of signalsIn(body)) await this.#hear(signal)
    else if (type === LINES_TYPE) await this.#takeResult(body)
    else {
      for await (const one of readPushedParts(item, MAX_PAGE_BYTES)) {
        if ('problem' in one) throw new Error(`what was sent cannot be read: ${one.problem}`)
        if (one.kind === 'page') await this.#take(one.page)
        else await this.#hear(one.signal)
      }
    }
  }

  /** Whatever is said of it, it is visited: that a page is gone is seen when it is asked for. */
  async #hear({ url }: Signal): Promise<void> {
    await this.#ask(this.#pathOf(url))
  }

  async #take(page: BatchPage): Promise<void> {
    const { copy } = this.#parts
    const path = this.#pathOf(page.url)
    this.#sent.add(path)
    const rebuilt = await copy.version(page.url, path, 'none')?.fromPushed(answerOfSent(page, 0))
    const isBroken = rebuilt?.kind === 'broken' || (rebuilt === undefined && page.status === 226)
    const { head, body } = rebuilt?.kind === 'whole' ? rebuilt.answer : answerOfSent(page, 0)
    const isGone = page.status >= 400
    if (isBroken) copy.noteBroken()
    const version = isBroken ? undefined : { key: isGone ? undefined : contentKey(body), asOf: page.at }
    const choice = judgeSentVersion(copy.pages.get(path)?.row, version, false)
    if (choice === 'visit') return await this.#ask(path)
    if (choice !== 'take') return
    if (isGone) copy.drop(path)
    else copy.take(path, body, head.headers, page.at)
  }

  /** What an agent says of pages: that they are others than what is held, and then they are asked for; or their words. */
  async #takeResult(body: Uint8Array): Promise<void> {
    const read = readResult(textOf(body))
    if (read.kind === 'refused') throw new Error(`the result of an agent is refused: ${read.problem}`)
    const { copy } = this.#parts
    for (const { record, page } of read.result.records) {
      const path = this.#pathOf(record.url)
      const said = {
        digest: page,
        change: page === undefined ? 'deleted' : 'updated',
        hasWords: record.kind === 'postings',
      }
      const choice = judgeClaim(copy.pages.get(path)?.row, said)
      if (choice === 'words' && record.kind === 'postings') {
        const shipped = shippedFromRecord(record, page!, read.result.head.at)
        if (shipped.kind === 'refused') throw new Error(`${path}: ${shipped.problem}`)
        copy.takeRead(path, page!.replace(/^sha-256:/, ''), shipped.document.links.length)
      } else if (choice !== 'same') await this.#ask(path)
    }
  }

  async #ask(path: string): Promise<void> {
    await this.#follower.visit(this.#parts.line, path, 0)
  }

  #pathOf(url: string): string {
    if (!url.startsWith(`${this.#origin}/`)) throw new Error(`${url} is not a page of ${this.#origin}`)
    return url.slice(this.#origin.length)
  }
}

const LINES_TYPE = 'application/x-ndjson'
/** Who asks for proofs here is one. */
const ASKER = 'lab'

type CheckedContent = Awaited<ReturnType<typeof checkContent>>

function noticeOf({ method, url, headers, body }: SentMessage): IndexNow {
  const read = parseIndexNow(method, new URL(url).search.slice(1), headerOf(headers, 'content-type'), body)
  if ('problem' in read) throw new Error(read.problem)
  return read.notice
}

function noticed(message: SentMessage): CheckedContent {
  const signals = noticeOf(message).urls.map((url): Signal => ({ url, change: 'updated', channel: 'indexnow' }))
  return { scheme: 'changes', type: LINES_TYPE, body: Buffer.from(writeSignals(signals)) }
}

const textOf = (body: Uint8Array): string => Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')

/** One a line, as the receiver writes them. */
const signalsIn = (body: Uint8Array): readonly Signal[] =>
  textOf(body)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Signal]))
