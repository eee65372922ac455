/** Sends to the endpoints of a watch in the name of a site, by hand: what no delivery worker would do. */
import { headerOf, signingKeyOf, writeBatchPage, writeClosing } from '@comity/protocol'
import type { BatchPage, HeaderList, KeyRing } from '@comity/protocol'
import { signedQuestion } from '../../packages/receiver/src/testing/sample-receiver.ts'
import type { Question, SignedPush } from '../../packages/receiver/src/testing/sample-receiver.ts'

export interface SentReply {
  readonly status: number
  readonly headers: HeaderList
  /** `type` of a problem, without its beginning. */
  readonly kind: string | undefined
}

export interface SentVersion extends Pick<BatchPage, 'url'> {
  readonly status?: number
  readonly headers?: HeaderList
  readonly body?: string | Uint8Array
  /** As of when it was right, by the site's clock. */
  readonly at: number
}

/** A WARC as delivery workers send it; `isWhole`: with its closing. */
export function warcOf(versions: readonly SentVersion[], isWhole = true): Buffer {
  const html: HeaderList = [['Content-Type', 'text/html']]
  const records = versions.map(({ url, status = 200, headers = html, body = '', at }) =>
    writeBatchPage({ url, status, headers, body: Buffer.from(body) }, at),
  )
  const [first] = versions
  const closing = { sent: versions.length, unchanged: 0, rest: [], refused: [] }
  const end = isWhole ? [writeClosing(closing, new URL('/', first!.url).href, first!.at)] : []
  return Buffer.concat([...records, ...end])
}

export class PushSender {
  readonly #doors: string
  readonly #origin: string
  readonly #ring: () => KeyRing
  #nonces = 0

  constructor(doors: string, origin: string, ring: () => KeyRing) {
    this.#doors = doors
    this.#origin = origin
    this.#ring = ring
  }

  /** Signed now, unless `sign` says otherwise. */
  signed(push: SignedPush): Question {
    const at = push.sign?.at ?? Date.now()
    const sign = { key: signingKeyOf(this.#ring(), at), at, ...push.sign }
    return signedQuestion({ origin: this.#origin, base: this.#doors, ...push, sign }, at, `nonce ${this.#nonces++}`)
  }

  async push(push: SignedPush): Promise<SentReply> {
    return await this.ask(push.path ?? '/push', this.signed(push))
  }

  /** A version of a page, or several. */
  async pages(...versions: readonly SentVersion[]): Promise<SentReply> {
    return await this.push({ body: warcOf(versions) })
  }

  async ask(path: string, { method = 'POST', headers = [], body }: Question): Promise<SentReply> {
    const content = body === undefined ? {} : { body: Buffer.from(body) }
    const fields = headers.map(([name, value]): [string, string] => [name, value])
    const answer = await fetch(new URL(path, this.#doors), { method, headers: fields, ...content })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: [...answer.headers],
      kind: /"urn:comity:problem:([a-z-]+)"/.exec(text)?.[1],
    }
  }
}

export const locationOf = ({ headers }: SentReply): string => new URL(headerOf(headers, 'location') ?? '').pathname
