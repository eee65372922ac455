/**
 * Hono middleware: a site front over the Request and Response of the Web, for Hono and whatever else speaks them.
 *
 *   app.use(honoMiddleware(createSiteFront({ journal, base, now: Date.now, robots })))
 *
 * Hono is named by its shape, so that sites without it need not install it.
 */
import type { HeaderList } from '@comity/protocol'
import type { SiteFront } from '../site-front.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

export interface HonoContextLike {
  readonly req: { readonly raw: Request }
  get res(): Response
  set res(response: Response | undefined)
}

export type HonoMiddleware = (context: HonoContextLike, next: () => Promise<void>) => Promise<Response | undefined>

export function honoMiddleware(front: SiteFront): HonoMiddleware {
  return async (context, next) => {
    const request = siteRequestOf(context.req.raw)
    const own = front.isOurs(request.path) ? await front.answer(request) : undefined
    if (own !== undefined) return responseOf(own)
    await next()
    const page = await pageOf(front, request, context.res)
    if (page === undefined) return undefined
    // Otherwise Hono puts the fields of the old response onto the new one.
    context.res = undefined
    context.res = page
    return undefined
  }
}

async function pageOf(front: SiteFront, request: SiteRequest, response: Response): Promise<Response | undefined> {
  const answer = { status: response.status, headers: headersOf(response.headers) }
  if (!front.holds(request, answer)) return undefined
  const read = await readUpTo(response.body, front.maxPageBytes, front.patienceMs)
  const page = read.kind === 'whole' ? front.page(request, answer, read.body) : undefined
  if (page !== undefined) return responseOf(page)
  const body = read.kind === 'whole' ? exactly(read.body) : read.body
  return new Response(isBodiless(response.status) ? null : body, response)
}

function siteRequestOf(request: Request): SiteRequest {
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

function responseOf({ status, headers, body }: SiteAnswer): Response {
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
