/** A gateway for tests: batches made by hand, signed with a real key, sent to the endpoints of a watch. */
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shipDocument, writeShipment } from '@comity/index'
import {
  contentDigest,
  GATEWAY_BATCH_TYPE,
  GATEWAY_PATH,
  newKeyRing,
  PUSH_TAG,
  readHtml,
  signingKeyOf,
  signMessage,
  writeBatchPage,
  writeGatewayBatch,
} from '@comity/protocol'
import type { GatewayBatch, HeaderList, KeyRing, PageHits } from '@comity/protocol'

export const digestOf = (html: string): string => `sha-256:${hash('sha256', html, 'hex')}`

/** A page as it passed. */
export interface Passed {
  readonly url: string
  readonly html: string
  readonly at: number
}

export interface BatchParts {
  /** New or changed: their words are shipped, or all of them. */
  readonly words?: readonly Passed[]
  readonly whole?: readonly Passed[]
  readonly seen?: readonly Passed[]
  readonly gone?: GatewayBatch['gone']
  readonly hits?: readonly PageHits[]
  readonly to?: number
  readonly figures?: Partial<GatewayBatch['figures']>
}

export const keyRingOf = (seed: number): KeyRing => newKeyRing(Buffer.alloc(32, seed), Date.now() - 86_400_000)

export function batchOf(run: string, number: number, parts: BatchParts): Uint8Array {
  const { words = [], whole = [], seen = [], gone = [], hits = [], to = Date.now() } = parts
  const passed = [...words, ...whole, ...seen]
  const htmlBytes = passed.reduce((sum, { html }) => sum + html.length, 0)
  return writeGatewayBatch({
    run,
    number,
    from: Math.max(0, to - 60_000),
    to,
    postings: words.length === 0 ? new Uint8Array(0) : writeShipment(words.map(shipped)),
    pages: Buffer.concat(
      whole.map(({ url, html, at }) =>
        writeBatchPage({ url, status: 200, headers: [['Content-Type', 'text/html']], body: Buffer.from(html) }, at),
      ),
    ),
    hits,
    seen: seen.map(({ url, html, at }) => ({ url, digest: digestOf(html), at })),
    gone,
    figures: { pages: passed.length, htmlBytes, skipped: {}, ...parts.figures },
  })
}

function shipped({ url, html, at }: Passed): ReturnType<typeof shipDocument> {
  const { title, headings, text, lang, links } = readHtml(html)
  return shipDocument({
    url,
    title,
    headings: headings.map((heading) => heading.text),
    text,
    language: lang,
    type: 'text/html',
    at,
    digest: digestOf(html),
    links: links.map(({ href, anchor }) => ({ url: new URL(href, url).href, anchor })),
  })
}

const scratch = mkdtempSync(join(tmpdir(), 'comity-gateways-'))
let files = 0
// Also where no test runs: a benchmark.
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))

export interface Listed {
  readonly name: string
  readonly rings: readonly KeyRing[]
  readonly hosts: readonly string[]
}

/** A file that lists gateways. */
export function gatewaysFile(gateways: readonly Listed[], path: string = join(scratch, `${++files}.json`)): string {
  const entries = gateways.map(({ name, rings, hosts }) => ({ name, key: rings.map(publicJwk), hosts }))
  writeFileSync(path, JSON.stringify({ gateways: entries }))
  return path
}

function publicJwk(ring: KeyRing): object {
  const { kty, crv, x } = signingKeyOf(ring, Date.now()).publicKey.export({ format: 'jwk' })
  return { kty, crv, x }
}

export interface GatewayReply {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
  /** `type` of a problem, without its beginning. */
  readonly kind: string | undefined
}

export class GatewaySender {
  readonly run: string
  readonly #doors: string
  readonly #ring: KeyRing
  #nonces = 0
  #number = 0

  constructor(doors: string, ring: KeyRing, run = `run-${++runs}-of-a-test`) {
    this.#doors = doors
    this.#ring = ring
    this.run = run
  }

  /** The next batch. */
  make(parts: BatchParts): Uint8Array {
    return batchOf(this.run, ++this.#number, parts)
  }

  async send(parts: BatchParts): Promise<GatewayReply> {
    return await this.post(this.make(parts))
  }

  /** `sent`: what goes out, where that is not what was signed. */
  async post(batch: Uint8Array, sent: Uint8Array = batch): Promise<GatewayReply> {
    const url = `${this.#doors}${GATEWAY_PATH}`
    const headers: HeaderList = [
      ['Content-Type', GATEWAY_BATCH_TYPE],
      ['Content-Digest', contentDigest(batch)],
    ]
    const at = Date.now()
    const covered = ['@method', '@target-uri', 'content-digest', 'content-type']
    const nonce = `${this.run} ${this.#nonces++}`
    const terms = { key: signingKeyOf(this.#ring, at), at, lifeMs: 300_000, covered, tag: PUSH_TAG, nonce }
    const signed = [...headers, ...signMessage({ method: 'POST', url, headers }, terms)]
    const fields = signed.map(([name, value]): [string, string] => [name, value])
    const answer = await fetch(url, { method: 'POST', headers: fields, body: Buffer.from(sent) })
    const text = await answer.text()
    const kind = /"urn:comity:problem:([a-z-]+)"/.exec(text)?.[1]
    return { status: answer.status, json: JSON.parse(text) as GatewayReply['json'], kind }
  }
}

let runs = 0
