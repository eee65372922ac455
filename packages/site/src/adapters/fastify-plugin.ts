/**
 * Fastify plugin: a site front as hooks. Register it before plugins that compress.
 *
 *   await app.register(fastifyPlugin(createSiteFront({ journal, base, now: Date.now, robots })))
 *
 * Fastify is named by its shape, so that sites without it need not install it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { HeaderList } from '@comity/protocol'
import { groupedFields } from './held-response.ts'
import { sendAnswer, siteRequestOf } from './node-middleware.ts'
import type { SiteFront } from '../site-front.ts'
import type { SiteRequest } from '../site-request.ts'

export interface FastifyLike {
  /** With the arguments that Fastify has for each of them. */
  addHook(name: 'onRequest' | 'onSend', hook: (...args: never[]) => void): unknown
  readonly supportedMethods?: readonly string[]
  addHttpMethod?(method: string, options?: { hasBody: boolean }): unknown
}

type Done = (error?: Error | null, payload?: unknown) => void

interface RequestLike {
  readonly raw: unknown
  /** By its `trustProxy`, who is behind a proxy. */
  readonly ip?: string | undefined
}

interface ReplyLike {
  readonly raw: unknown
  readonly statusCode: number
  code(status: number): unknown
  getHeaders(): Readonly<Record<string, unknown>>
  header(name: string, value: unknown): unknown
  removeHeader(name: string): unknown
  hijack(): unknown
}

export type FastifySitePlugin = (fastify: FastifyLike, options: unknown, done: (error?: Error) => void) => void

export function fastifyPlugin(front: SiteFront): FastifySitePlugin {
  const plugin: FastifySitePlugin = (fastify, _options, done) => {
    // Fastify turns away methods it does not know before any hook sees them.
    if (fastify.supportedMethods?.includes('QUERY') === false) fastify.addHttpMethod?.('QUERY', { hasBody: true })
    // Not async: most requests are not ours, and need not wait for a promise.
    fastify.addHook('onRequest', (request: RequestLike, reply: ReplyLike, next: Done) => {
      const { url = '/' } = request.raw as IncomingMessage
      if (front.isOurs(url)) void answerOwn(front, request, reply, next)
      else next()
    })
    fastify.addHook('onSend', (request: RequestLike, reply: ReplyLike, payload: unknown, next: Done) =>
      next(null, sendPage(front, request, reply, payload)),
    )
    done()
  }
  // What fastify-plugin does: the hooks hold for the whole app and not for this plugin alone.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: 'comity' })
}

async function answerOwn(front: SiteFront, { raw, ip }: RequestLike, reply: ReplyLike, next: Done): Promise<void> {
  try {
    const answer = await front.answer(siteRequestOf(raw as IncomingMessage, ip))
    if (answer === undefined) {
      next()
      return
    }
    reply.hijack()
    await sendAnswer(reply.raw as ServerResponse, answer)
  } catch (error) {
    next(error instanceof Error ? error : new Error('a document could not be answered', { cause: error }))
  }
}

/** The payload to send. Streams, and what other hooks have made of it, go on as they are. */
function sendPage(front: SiteFront, { raw }: RequestLike, reply: ReplyLike, payload: unknown): unknown {
  const request: SiteRequest = siteRequestOf(raw as IncomingMessage)
  const answer = { status: reply.statusCode, headers: headersOf(reply) }
  // Also without a body: an answer that says that the page is gone has to be seen.
  if (!front.holds(request, answer) || !isBody(payload) || Buffer.byteLength(payload) > front.maxPageBytes)
    return payload
  const page = front.page(request, answer, payload)
  if (page === undefined) return payload
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
  reply.code(page.status)
  for (const [name, values] of groupedFields(page.headers)) reply.header(name, values)
  // Fastify counts the bytes of a HEAD answer itself, but not of a stream: its length is said already.
  if (request.method === 'HEAD') return Readable.from([])
  // A text goes out together with its head, bytes after it.
  if (page.isAsMade) return payload
  return page.body.length === 0 ? null : Buffer.from(page.body.buffer, page.body.byteOffset, page.body.length)
}

const isBody = (payload: unknown): payload is string | Uint8Array =>
  typeof payload === 'string' || payload instanceof Uint8Array

function headersOf(reply: ReplyLike): HeaderList {
  const headers: [string, string][] = []
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (Array.isArray(value)) for (const one of value) headers.push([name, String(one)])
    else if (value !== undefined) headers.push([name, `${value as string | number}`])
  }
  return headers
}
