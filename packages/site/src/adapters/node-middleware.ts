/**
 * Node middleware: a site front for node:http, and for Express and all else that takes `(request, response, next)`. Put it
 * before everything that answers pages.
 *
 *   app.use(nodeMiddleware(createSiteFront({ journal, base, now: Date.now, robots })))
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { forwardedClient, proxySet } from '@comity/protocol'
import type { HeaderList, Proxies } from '@comity/protocol'
import { holdResponse, replaceHead } from './held-response.ts'
import type { SiteFront } from '../site-front.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

export type NodeMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/** `behind`: addresses of proxies in front of it, whose X-Forwarded-For is believed; Express has its own word for that. */
export function nodeMiddleware(front: SiteFront, behind: readonly string[] = []): NodeMiddleware {
  const proxies = proxySet(behind)
  return (incoming, response, next) => {
    const request = siteRequestOf(incoming, proxies.size === 0 ? undefined : clientOf(incoming, proxies))
    if (front.isOurs(request.path)) {
      void sendOwn(front, request, response, next)
      return
    }
    holdPage(front, incoming, request, response)
    next()
  }
}

function clientOf({ socket, headers }: IncomingMessage, proxies: Proxies): string {
  const forwarded = headers['x-forwarded-for']
  return forwardedClient(socket.remoteAddress, forwarded === undefined ? undefined : String(forwarded), proxies)
}

async function sendOwn(
  front: SiteFront,
  request: SiteRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
): Promise<void> {
  try {
    const answer = await front.answer(request)
    if (answer === undefined) next()
    else await sendAnswer(response, answer)
  } catch (error) {
    next(error)
  }
}

function holdPage(front: SiteFront, incoming: IncomingMessage, request: SiteRequest, response: ServerResponse): void {
  const { method, path } = request
  if (method !== 'GET' && method !== 'HEAD') return
  // Most sites make no body for HEAD, and without one there is no digest. Node drops it again on its way out.
  if (method === 'HEAD' && front.known(path) !== undefined) incoming.method = 'GET'
  holdResponse(response, {
    maxBytes: front.maxPageBytes,
    patienceMs: front.patienceMs,
    holds: (status, headers) => front.holds(request, { status, headers }),
    whole: (status, headers, body) => front.page(request, { status, headers }, body),
  })
}

export function siteRequestOf(
  incoming: IncomingMessage & { readonly originalUrl?: string; readonly ip?: unknown },
  client?: string,
): SiteRequest {
  const { method = 'GET' } = incoming
  // Express shortens `url` below a mount point.
  const { path, host } = placeOf(incoming.originalUrl ?? incoming.url ?? '/')
  const headers = headersOf(incoming)
  return {
    method,
    path,
    headers: host === undefined ? headers : [...headers.filter(([name]) => !/^host$/i.test(name)), ['host', host]],
    // Express knows by its `trust proxy` whether a proxy stands in front.
    client: client ?? (typeof incoming.ip === 'string' ? incoming.ip : incoming.socket?.remoteAddress),
    body: async (maxBytes) => await readBody(incoming, maxBytes),
  }
}

/** A proxy's form has the whole address, and the host in it counts, whatever Host says (RFC 9112 §3.2.2). */
function placeOf(target: string): { readonly path: string; readonly host?: string } {
  if (target.startsWith('/')) return { path: target }
  const url = URL.parse(target)
  return url === null ? { path: '/' } : { path: `${url.pathname}${url.search}`, host: url.host }
}

/** HTTP/2 has fields of its own that begin with a colon; the host stands in one of them. */
function headersOf({ rawHeaders }: IncomingMessage): HeaderList {
  const headers: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!]
    if (name === ':authority') headers.push(['host', value])
    else if (!name.startsWith(':')) headers.push([name, value])
  }
  return headers
}

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | 'too-large'> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) return 'too-large'
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Send an answer of the site's. Resolves when it is sent, or when nobody is there any more to take it. */
export async function sendAnswer(response: ServerResponse, answer: SiteAnswer): Promise<void> {
  replaceHead(response, answer)
  const { body } = answer
  if (body instanceof Uint8Array) {
    response.end(body.length === 0 ? undefined : body)
    return
  }
  try {
    await pipeline(Readable.from(body, { objectMode: false }), response)
  } catch (error) {
    // The head is out: all that can still be said is that the rest does not come.
    response.destroy(error instanceof Error ? error : undefined)
  }
}
