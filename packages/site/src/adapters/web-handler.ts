/**
 * Web handler: a site front over the Request and Response of the Web, for whatever answers the one with the other: route handlers of Next,
 * `Deno.serve`, `Bun.serve`, workers.
 *
 *   export const GET = webHandler(createSiteFront({ journal, base, now: Date.now, robots }))
 *
 * With a handler of the site's own it stands before that, and learns pages from its answers; without one it has the site's documents alone,
 * and pages are told to the journal (`noteChange`, `recordPages`).
 */
import type { HeaderList } from '@comity/protocol'
import type { SiteFront } from '../site-front.ts'
import { sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

/** Answers a request of the Web. */
export type WebHandler = (request: Request) => Promise<Response>

export function webHandler(front: SiteFront, site?: (request: Request) => Response | Promise<Response>): WebHandler {
  return async (asked) => {
    const request = siteRequestOf(asked)
    const own = front.isOurs(request.path) ? await front.answer(request) : undefined
    if (own !== undefined) return responseOf(own)
    if (site === undefined) return responseOf(sentenceAnswer(404, 'There is no such document here.'))
    const response = await site(asked)
    return (await pageOf(front, asked, response)) ?? response
  }
}

/** What to send in place of an answer of the site's; undefined: that one. */
export async function pageOf(front: SiteFront, asked: Request, response: Response): Promise<Response | undefined> {
  const { host } = new URL(asked.url)
  // Some servers believe a host in the request's target, others the field Host: nobody knows which one this page was made for.
  if ((asked.headers.get('host') ?? host) !== host) return undefined
  const request = siteRequestOf(asked)
  const answer = { status: response.status, headers: headersOf(response.headers) }
  if (!front.holds(request, answer)) return undefined
  const read = await readUpTo(response.body, front.maxPageBytes, front.patienceMs)
  const page = read.kind === 'whole' ? front.page(request, answer, read.body) : undefined
  if (page !== undefined) return responseOf(page)
  const body = read.kind === 'whole' ? exactly(read.body) : read.body
  return new Response(isBodiless(response.status) ? null : body, response)
}

export function siteRequestOf(request: Request): SiteRequest {
  const { pathname, search, host } = new URL(request.url)
  const headers = headersOf(request.headers)
  return {
    method: request.method,
    path: `${pathname}${search}`,
    // Servers that make requests of the Web put the host into the address.
    headers: headers.some(([name]) => name === 'host') ? headers : [['host', host], ...headers],
    body: async (maxBytes) => {
      const read = await readUpTo(request.body, maxBytes)
      if (read.kind === 'whole') return read.body
      await read.body.cancel()
      return 'too-large'
    },
  }
}

const headersOf = (headers: Headers): HeaderList => [...headers]

export function responseOf({ status, headers, body }: SiteAnswer): Response {
  const fields = new Headers()
  for (const [name, value] of headers) fields.append(name, value)
  if (isBodiless(status)) return new Response(null, { status, headers: fields })
  return new Response(body instanceof Uint8Array ? exactly(body) : ReadableStream.from(body), {
    status,
    headers: fields,
  })
}

const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304

/** Bodies of the Web are of memory that nobody shares. */
const exactly = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes)

type Read =
  | { readonly kind: 'whole'; readonly body: Uint8Array }
  /** It is longer, or takes longer: all of it, from its beginning. */
  | { readonly kind: 'stream'; readonly body: ReadableStream<Uint8Array> }

async function readUpTo(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  patienceMs?: number,
): Promise<Read> {
  if (stream === null) return { kind: 'whole', body: new Uint8Array(0) }
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  const patience = patienceMs === undefined ? undefined : timeout(patienceMs)
  try {
    for (let bytes = 0; ;) {
      const reading = reader.read()
      const next = await (patience === undefined ? reading : Promise.race([reading, patience.passed]))
      if (next === 'passed') return { kind: 'stream', body: continued(chunks, reader, reading) }
      if (next.done) return { kind: 'whole', body: Buffer.concat(chunks) }
      chunks.push(next.value)
      bytes += next.value.length
      if (bytes > maxBytes) return { kind: 'stream', body: continued(chunks, reader) }
    }
  } finally {
    patience?.clear()
  }
}

function timeout(ms: number): { readonly passed: Promise<'passed'>; readonly clear: () => void } {
  const { promise, resolve } = Promise.withResolvers<'passed'>()
  const timer = setTimeout(() => resolve('passed'), ms).unref()
  return { passed: promise, clear: () => clearTimeout(timer) }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** What was read, what is being read, and the rest. */
function continued(
  chunks: Uint8Array[],
  reader: Reader,
  reading?: ReturnType<Reader['read']>,
): ReadableStream<Uint8Array> {
  let pending = reading
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const first = chunks.shift()
      if (first !== undefined) return controller.enqueue(first)
      const next = await (pending ?? reader.read())
      pending = undefined
      return next.done ? controller.close() : controller.enqueue(next.value)
    },
    async cancel(reason) {
      await reader.cancel(reason)
    },
  })
}
