/**
 * Counted delivery worker: the delivery worker of `@comity/site` with one subscriber, whose posts are weighed as HTTP/1.1 would carry them and
 * then taken: heads, signature, body, and the answer of one who accepts. Nothing is sent anywhere.
 *
 *   site ──▶ journal ──▶ delivery worker ──▶ content, envelope, signature ──▶ weighed, 202
 *
 * Of differences and pages the subscriber is first sent every page, so that it has what differences are from.
 */
import {
  newKeyRing,
  requestHead,
  responseHead,
  WARC_TYPE,
  writeDigestField,
  writeHttpDate,
  headerOf,
} from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import {
  DeliveryWorkerMemory,
  createDeliveryWorker,
  MemoryRows,
  MemorySubscribers,
  pushSigner,
  pushSubscriber,
} from '@comity/site'
import type { DeliveryWorker, Post, PostRequest } from '@comity/site'
import { weighedStream } from './counted-line.ts'
import type { CountedSite } from './counted-site.ts'
import { cpuMs } from '../experiments/schemes/worker.ts'

export const PUSH_KINDS = ['changes', 'differences', 'pages', 'batches'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

export interface SentCost {
  readonly requests: number
  /** Both ways. */
  readonly bytes: number
  /** Of the bodies alone. */
  readonly bodyBytes: number
  /** Processor time of the site. */
  readonly siteMs: number
}

const ADDRESS = 'https://crawler.example.net/push'

export class CountedDeliveryWorker {
  readonly #deliveryWorker: DeliveryWorker
  #posts: Posted[] = []

  private constructor(site: CountedSite, kind: PushKind) {
    const begins = kind === 'differences' || kind === 'pages' ? 0 : site.journal.last
    const subscriber = pushSubscriber({ url: ADDRESS, scheme: kind, base: site.base, begins })
    this.#deliveryWorker = createDeliveryWorker({
      site: site.options,
      subscribers: new MemorySubscribers([subscriber]),
      memory: new DeliveryWorkerMemory(new MemoryRows()),
      post: this.#post(site),
      random: () => 0,
    })
  }

  /** What the subscriber has to have before is sent, and not counted. */
  static async open(site: CountedSite, kind: PushKind): Promise<CountedDeliveryWorker> {
    const deliveryWorker = new CountedDeliveryWorker(site, kind)
    await deliveryWorker.#deliveryWorker.drain()
    deliveryWorker.#posts = []
    return deliveryWorker
  }

  /** All that is due now. */
  async send(): Promise<SentCost> {
    const began = cpuMs()
    await this.#deliveryWorker.drain()
    const siteMs = cpuMs() - began
    const weights = this.#posts.map(weightOf)
    this.#posts = []
    return {
      requests: weights.length,
      bytes: weights.reduce((sum, { bytes }) => sum + bytes, 0),
      bodyBytes: weights.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
      siteMs,
    }
  }

  #post(site: CountedSite): Post {
    const ring = newKeyRing(SEED, 0)
    const sign = pushSigner(
      { ring: () => ring },
      () => site.now,
      (bytes) => new Uint8Array(bytes),
    )
    return async (request) => {
      const headers = fullHeaders(request)
      const signature = sign({ method: request.method, url: request.url, headers })
      this.#posts.push({ ...request, headers: [...headers, ...signature] })
      return { status: 202, headers: [], body: new Uint8Array(0) }
    }
  }
}

/** Not for secrets: signatures only have to be as long as real ones. */
const SEED: Uint8Array = new Uint8Array(32).fill(7)

type Posted = Pick<PostRequest, 'url' | 'method' | 'headers' | 'body'>

/** As `httpPost` of the site has them. */
const fullHeaders = ({ headers, body, url }: PostRequest): HeaderList => [
  ['Host', new URL(url).host],
  ['User-Agent', 'comity-site'],
  ...headers,
  ['Content-Length', String(body.length)],
  ['Content-Digest', writeDigestField(body)],
]

const ACCEPTED: Uint8Array = responseHead({
  status: 202,
  statusText: 'Accepted',
  headers: [
    ['Date', writeHttpDate(0)],
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=5'],
    ['Content-Length', '0'],
  ],
})

function weightOf({ url, method, headers, body }: Posted): { readonly bytes: number; readonly bodyBytes: number } {
  const isWarc = headerOf(headers, 'content-type') === WARC_TYPE
  const bodyBytes = isWarc ? weighedStream(body, headers) : body.length
  const target = new URL(url).pathname
  const head = requestHead({ method, target, headers: [...headers, ['Connection', 'keep-alive']] })
  return { bytes: head.length + bodyBytes + ACCEPTED.length, bodyBytes }
}
