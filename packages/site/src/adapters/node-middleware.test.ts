import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { listening } from '../testing/adapter-sample.ts'
import type { SampleAnswer, StartSite } from '../testing/adapter-sample.ts'
import { groupedFields } from './held-response.ts'
import { nodeMiddleware } from './node-middleware.ts'
import { siteAdapterSuite } from '../testing/site-adapter.suite.ts'

/** Express comes without types; what is used of it is this. */
interface ExpressResponse extends ServerResponse {
  status(code: number): this
  set(name: string, value: string | string[]): this
  send(body: string | Buffer): this
}
type ExpressHandler = (request: IncomingMessage, response: ExpressResponse, next: (error?: unknown) => void) => void
type ExpressSite = RequestListener & { use(handler: ExpressHandler): void }
const express = createRequire(import.meta.url)('express') as () => ExpressSite

const nodeSite: StartSite = async (front, app) => {
  const middleware = nodeMiddleware(front)
  const server = createServer((request, response) => {
    middleware(request, response, () => {
      const { status, headers, body } = app.answer(request.method!, request.url!)
      response.writeHead(status, Object.fromEntries(groupedFields(headers)))
      send(response, body)
    })
  })
  const port = await listening(server)
  return { port, stop: () => void server.close() }
}

const expressSite: StartSite = async (front, app) => {
  const site = express()
  site.use(nodeMiddleware(front))
  site.use((request, response) => {
    const { status, headers, body } = app.answer(request.method!, request.url!)
    response.status(status)
    for (const [name, values] of groupedFields(headers)) response.set(name, values)
    if (typeof body === 'function') send(response, body)
    else response.send(body)
  })
  const server = createServer(site)
  const port = await listening(server)
  return { port, stop: () => void server.close() }
}

function send(response: ServerResponse, body: SampleAnswer['body']): void {
  if (typeof body === 'function') Readable.from(body(), { objectMode: false }).pipe(response)
  else response.end(body)
}

siteAdapterSuite('node:http', nodeSite)
siteAdapterSuite('Express', expressSite)
