/**
 * Counted line: a crawler's line to a site in the same process. Requests and answers are counted as HTTP/1.1 would carry them
 * over one connection that is kept, heads and all, and the processor time that answers take is added up.
 */
import { hash } from 'node:crypto'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { decodeBody, headerOf, requestHead, responseHead, writeHttpDate } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { NO_BODY } from '@comity/site'
import type { SiteAnswer, SiteRequest } from '@comity/site'
import type { Answered, Asked, Line, Traffic } from './http.ts'
import { cpuMs } from '../experiments/schemes/worker.ts'

/** What our crawler says of itself with every request, and what Node adds to answers. */
const AGENT: HeaderList = [
  ['User-Agent', 'comity/0.1 (+https://www.example.net/bot)'],
  ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
]
const KEPT: HeaderList = [
  ['Connection', 'keep-alive'],
  ['Keep-Alive', 'timeout=600'],
]

export class CountedLine implements Line {
  readonly #host: string
  readonly #answer: (request: SiteRequest) => Promise<SiteAnswer>
  readonly #agent: HeaderList
  #traffic: Traffic = { requests: 0, connections: 1, sent: 0, received: 0 }
  #siteMs = 0

  /** `agent`: what a crawler says of itself with every request. */
  constructor(host: string, answer: (request: SiteRequest) => Promise<SiteAnswer>, agent: HeaderList = AGENT) {
    this.#host = host
    this.#answer = answer
    this.#agent = agent
  }

  get traffic(): Traffic {
    return this.#traffic
  }

  /** Processor time for making the answers so far, without what a server takes for the request itself. */
  get siteMs(): number {
    return this.#siteMs
  }

  async ask({ path, method = 'GET', headers = [], body }: Asked): Promise<Answered> {
    const bytes = body === undefined ? NO_BODY : Buffer.from(body)
    const given = new Set(headers.map(([name]) => name.toLowerCase()))
    const own = this.#agent.filter(([name]) => !given.has(name.toLowerCase()))
    const fields: HeaderList = [['Host', this.#host], ...own, ...headers]
    const length: HeaderList = body === undefined ? [] : [['Content-Length', String(bytes.length)]]
    const request: SiteRequest = {
      method,
      path,
      headers: fields,
      body: async (maxBytes) => (bytes.length > maxBytes ? 'too-large' : bytes),
    }
    const began = cpuMs()
    const made = await madeWhole(await this.#answer(request))
    this.#siteMs += cpuMs() - began
    const { received, ...answered } = counted(made)
    const head = requestHead({ method, target: path, headers: [...fields, ...length, KEPT[0]!] })
    const { requests, sent, received: before } = this.#traffic
    this.#traffic = {
      ...this.#traffic,
      requests: requests + 1,
      sent: sent + head.length + bytes.length,
      received: before + received,
    }
    return answered
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

const DATE: HeaderList = [['Date', writeHttpDate(0)]]
/** As streams of Node cut what they pack; each has its length in hexadecimal digits and two line ends (RFC 9112 §7.1). */
const CHUNK_BYTES = 16_384
const CHUNK_HEAD_BYTES = 8
const LAST_CHUNK_BYTES = 5

interface WholeAnswer extends Answered {
  readonly isStream: boolean
}

async function madeWhole({ status, headers, body }: SiteAnswer): Promise<WholeAnswer> {
  if (body instanceof Uint8Array) return { status, headers, body: Buffer.from(body), isStream: false }
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return { status, headers, body: Buffer.concat(chunks), isStream: true }
}

function counted({ status, headers, body, isStream }: WholeAnswer): Answered & { readonly received: number } {
  const length = isStream ? weighedStream(body, headers) : body.length
  const framing = isStream ? Math.ceil(length / CHUNK_BYTES) * CHUNK_HEAD_BYTES + LAST_CHUNK_BYTES : 0
  // `Transfer-Encoding` is renamed by whoever writes heads for archives; its length is what counts here.
  const chunked = isStream ? 'Transfer-Encoding: chunked\r\n'.length : 0
  const statusText = STATUS_TEXTS[status] ?? ''
  const head = responseHead({ status, statusText, headers: [...headers, ...DATE, ...KEPT] }).length + chunked
  return { status, headers, body, received: head + length + framing }
}

const RECORD_ID = /(?<=urn:uuid:)[0-9a-f-]{36}/g

/**
 * Records of a stream have names that are made at random, which pack a little differently each time. They are weighed with
 * names that follow from their place, packed as the site packs.
 */
export function weighedStream(sent: Uint8Array, headers: HeaderList): number {
  const coding = headerOf(headers, 'content-encoding')
  const decoded = decodeBody(sent, coding, { maxBytes: 2 ** 31, maxRatio: Infinity })
  if (decoded.kind !== 'ok') throw new Error(`an answer cannot be unpacked: it is ${decoded.kind}`)
  let number = 0
  const text = Buffer.from(decoded.body).toString('latin1')
  const named = Buffer.from(
    text.replaceAll(RECORD_ID, () => nameOf(number++)),
    'latin1',
  )
  if (coding === undefined) return named.length
  if (coding === 'gzip') return gzipSync(named).length
  if (coding !== 'zstd') throw new Error(`an answer is packed as ${coding}, and not as it is here`)
  return zstdCompressSync(named, { params: { [constants.ZSTD_c_compressionLevel]: STREAM_LEVEL } }).length
}

/** What the site packs its streams with. */
const STREAM_LEVEL = 3
const nameOf = (number: number): string =>
  hash('sha256', String(number)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: 'OK',
  226: 'IM Used',
  304: 'Not Modified',
  404: 'Not Found',
  410: 'Gone',
}

export const trafficBytes = ({ sent, received }: Traffic): number => sent + received
