/** Pages server: the smallest server that shows the repository's pages from models, with the policy they must live with. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createPages } from '../../packages/repository/src/pages/pages.ts'
import type { PageModels, PageName } from '../../packages/repository/src/model/page-models.ts'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"

export interface PagesServer {
  readonly base: string
  /** What was asked for besides pages and files, oldest first. */
  readonly calls: { readonly path: string; readonly authorization: string | undefined; readonly body: string }[]
}

/** May change between two requests. */
export interface Served {
  models: PageModels
  /** Sent to whoever opens the live stream. */
  samples: readonly object[]
  suggestions: readonly string[]
}

const PATHS: Readonly<Record<string, PageName>> = {
  '/': 'search',
  '/search': 'search',
  '/live': 'live',
  '/freshness': 'freshness',
  '/calls': 'calls',
  '/reading': 'reading',
  '/sites': 'sites',
  '/site': 'site',
  '/page': 'page',
  '/page/difference': 'difference',
  '/graph': 'graph',
  '/problem': 'problem',
}

export const PAGE_PATHS: readonly string[] = Object.keys(PATHS)

export async function servePages(t: TestContext, served: Served): Promise<PagesServer> {
  const pages = createPages()
  const calls: PagesServer['calls'] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://here.example')
    response.setHeader('Content-Security-Policy', POLICY)
    const file = pathname.startsWith('/static/') ? pages.asset(pathname.slice(8)) : undefined
    if (file !== undefined) return send(response, file.type, file.body)
    if (pathname === '/api/v1/live') return stream(response)
    if (pathname.startsWith('/api/')) {
      const body = (await request.toArray()).join('')
      calls.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      return send(response, 'application/json', JSON.stringify({ suggestions: served.suggestions }))
    }
    const name = PATHS[pathname]
    if (name === undefined) return send(response.writeHead(404), 'text/plain', 'nothing')
    send(response, 'text/html; charset=utf-8', pages.render(name, modelOf(pathname, name)))
  }

  function modelOf(pathname: string, name: PageName): PageModels[PageName] {
    const { models } = served
    return pathname === '/' ? { ...models.search, answer: undefined } : models[name]
  }

  function stream(response: ServerResponse): void {
    response.setHeader('Content-Type', 'text/event-stream')
    response.flushHeaders()
    for (const sample of served.samples) response.write(`event: sample\ndata: ${JSON.stringify(sample)}\n\n`)
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  if (!response.headersSent) response.setHeader('Content-Type', type)
  response.end(body)
}
