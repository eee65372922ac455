/** Whom the kept journal's site calls, at the same address each time unless another port is given: takes what is sent, and echoes what hubs ask. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isFree } from './harbour-site.ts'

export interface Subscriber extends AsyncDisposable {
  readonly url: string
  /** Paths and bodies of what was sent. */
  readonly received: { readonly path: string; readonly body: Buffer; readonly headers: IncomingMessage['headers'] }[]
  /** What the next requests are answered with; 202 otherwise. */
  readonly answers: number[]
}

const [ADDRESS, PORT] = ['127.0.80.8', 8_783]

export async function openSubscriber(port: number = PORT): Promise<Subscriber> {
  const received: Subscriber['received'] = []
  const answers: number[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '/', headers } = request
    if (method === 'GET') {
      response.end(new URL(url, 'http://x').searchParams.get('hub.challenge') ?? '')
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    received.push({ path: url, body: Buffer.concat(chunks), headers })
    response.writeHead(answers.shift() ?? 202).end('seen')
  }
  await isFree(ADDRESS, port)
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => void server.listen(port, ADDRESS, resolve))
  return {
    url: `http://${ADDRESS}:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
