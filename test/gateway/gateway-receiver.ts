/** Gateway receiver, for tests: takes batches as a repository does, checks who signed them, and answers as it is told. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeyObject } from 'node:crypto'
import { readShipment } from '@comity/index'
import type { ShippedDocument } from '@comity/index'
import {
  checkContentDigest,
  GATEWAY_BATCH_TYPE,
  PUSH_TAG,
  readGatewayBatch,
  readKeySet,
  verifyMessage,
} from '@comity/protocol'
import type { GatewayBatch, HeaderList } from '@comity/protocol'

export interface GatewayReceiver extends AsyncDisposable {
  readonly url: string
  readonly batches: GatewayBatch[]
  /** What requests were answered, in order. */
  readonly answers: number[]
  /** Answers that come before those that are due. */
  readonly replies: { readonly status: number; readonly headers?: Record<string, string> }[]
  /** Keys that are trusted, as `comity gateway key` prints them. */
  trust(printed: string): void
  documents(): ShippedDocument[]
  /** Shipped words, by URL, the last that came. */
  words(): Record<string, string>
}

export async function gatewayReceiver(): Promise<GatewayReceiver> {
  const keys = new Map<string, KeyObject>()
  const batches: GatewayBatch[] = []
  const answers: number[] = []
  const replies: GatewayReceiver['replies'] = []
  const taken = new Set<string>()
  const answer = (message: {
    url: string
    method: string
    headers: HeaderList
    body: Buffer
    type: string
  }): number => {
    const { url, method, headers, body, type } = message
    const verdict = verifyMessage(
      { method, url, headers },
      {
        keyOf: (id) => keys.get(id),
        at: Date.now(),
        skewMs: 60_000,
        mustCover: ['@method', '@target-uri', 'content-digest', 'content-type'],
        tag: PUSH_TAG,
      },
    )
    if (verdict.kind !== 'valid') return 403
    if (type !== GATEWAY_BATCH_TYPE || checkContentDigest(headers, body) !== 'match') return 422
    const read = readGatewayBatch(body)
    if (read.kind !== 'batch') return 422
    const name = `${read.batch.run} ${read.batch.number}`
    if (taken.has(name)) return 200
    taken.add(name)
    batches.push(read.batch)
    return 202
  }
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { rawHeaders: raw, method = '', headers } = request
      const pairs: HeaderList = Array.from(
        { length: raw.length / 2 },
        (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const,
      )
      const url = `http://${headers.host}${request.url}`
      const reply = replies.shift()
      const type = headers['content-type'] ?? ''
      const status = reply?.status ?? answer({ url, method, headers: pairs, body: Buffer.concat(chunks), type })
      answers.push(status)
      response.writeHead(status, reply?.headers ?? {}).end(`status ${status}`)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const documents = (): ShippedDocument[] =>
    batches.flatMap(({ postings }) => {
      const read = readShipment(postings)
      return read.kind === 'shipment' ? read.documents : []
    })
  return {
    url: `http://127.0.0.1:${port}`,
    batches,
    answers,
    replies,
    trust: (printed) => {
      const { gateways }: { gateways: { key: object }[] } = JSON.parse(printed)
      for (const { key } of gateways) {
        const set = readKeySet(Buffer.from(JSON.stringify({ keys: [key].flat() })))
        if ('keys' in set) for (const [id, one] of set.keys) keys.set(id, one)
      }
    },
    documents,
    words: () =>
      Object.fromEntries(
        documents().map(({ url, content }) => [
          url,
          content.kind === 'line' ? Array.from(content.text, (word) => content.words[word]).join(' ') : content.text,
        ]),
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
