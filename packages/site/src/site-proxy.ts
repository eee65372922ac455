/**
 * Site proxy: a site front before any server, whatever it is written in. Requests go on to the origin, pages are learnt as they
 * pass, and the schemes are answered here.
 *
 * The origin is always asked for the site's own host, whatever a visitor claims: what comes back is told to others. Its
 * robots.txt decides what may be told; while nobody knows it, nothing is. It is a request handler for node:http; WebSockets and
 * other upgrades are for the server in front of it.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { optionInvalid } from './errors.ts'
import { groupedFields } from './held-response.ts'
import { nodeMiddleware, sendAnswer } from './node-middleware.ts'
import { OriginRobots } from './origin-robots.ts'
import { createSiteFront } from './site-front.ts'
import type { SiteFront, SiteFrontOptions } from './site-front.ts'
import { sentenceAnswer } from './site-request.ts'

export interface SiteProxyOptions extends Omit<SiteFrontOptions, 'robots' | 'read' | 'isHostFixed'> {
  /** Where the pages come from: scheme, host and port. */
  readonly origin: string
  /** Without a byte for so long, the origin is given up. */
  readonly timeoutMs?: number | undefined
}

export interface SiteProxy extends Disposable {
  readonly front: SiteFront
  readonly handler: RequestListener
  /** Reads the origin's robots.txt; done by itself when it is due, and worth waiting for at the start. */
  ready(): Promise<void>
}

const TIMEOUT_MS = 60_000
const MAX_READ_BYTES = 16 << 20

export function createSiteProxy(options: SiteProxyOptions): SiteProxy {
  const { origin: address, timeoutMs = TIMEOUT_MS, ...rest } = options
  const origin = new Origin(address, new URL(options.base).host, timeoutMs)
  const robots = new OriginRobots(async () => await origin.robots(), options.now)
  const front = createSiteFront({
    ...rest,
    robots: () => robots.text,
    read: async (path) => await origin.read(path),
    isHostFixed: true,
  })
  const middleware = nodeMiddleware(front)
  return {
    front,
    ready: async () => await robots.refresh(),
    handler: (request, response) => {
      void robots.refresh()
      if (request.url === '/robots.txt' && !robots.isKnown) {
        void sendAnswer(response, unknownRobots())
        return
      }
      middleware(request, response, (error) => {
        if (error === undefined) origin.forward(request, response, front)
        else
          void sendAnswer(response, sentenceAnswer(500, 'This could not be answered. The log of the server says why.'))
      })
    },
    [Symbol.dispose]: () => origin.close(),
  }
}

const unknownRobots = (): ReturnType<typeof sentenceAnswer> =>
  sentenceAnswer(503, "The origin's robots.txt cannot be had at the moment.", [['Retry-After', '60']])

/** Of one connection, and not for the next (RFC 9110 §7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Of a page that is known, answered here: the origin's own tags and ours mean nothing to each other. */
const CONDITIONS: ReadonlySet<string> = new Set([
  'a-im',
  'available-dictionary',
  'dictionary-id',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
])

class Origin {
  readonly #url: URL
  readonly #host: string
  readonly #timeoutMs: number
  readonly #agent: HttpAgent | HttpsAgent

  constructor(address: string, host: string, timeoutMs: number) {
    const url = URL.parse(address)
    if (url === null || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
      throw optionInvalid(`"${address}" is no origin: give scheme, host and port, as in http://127.0.0.1:8080.`)
    this.#url = url
    this.#host = host
    this.#timeoutMs = timeoutMs
    this.#agent = url.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  }

  close(): void {
    this.#agent.destroy()
  }

  forward(request: IncomingMessage, response: ServerResponse, front: SiteFront): void {
    const { method = 'GET', url = '/' } = request
    const isPage = (method === 'GET' || method === 'HEAD') && front.known(url) !== undefined
    const asked = this.#request(method, url, forwarded(request, isPage))
    asked.on('response', (answer) => pass(answer, response))
    asked.on('error', (error) => fail(response, error))
    // Whoever has gone needs no answer.
    response.on('close', () => asked.destroy())
    request.pipe(asked)
  }

  async robots(): Promise<{ readonly status: number; readonly text: string }> {
    const { status, body } = await this.#get('/robots.txt')
    return { status, text: body.toString('utf8') }
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const { status, body } = await this.#get(path)
    return status === 200 ? body : undefined
  }

  async #get(path: string): Promise<{ readonly status: number; readonly body: Buffer }> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    this.#request('GET', path, [['accept-encoding', 'identity']])
      .on('response', resolve)
      .on('error', reject)
      .end()
    const answer = await promise
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length
      if (bytes > MAX_READ_BYTES) throw new Error(`${path} has more than ${MAX_READ_BYTES} bytes`)
      chunks.push(chunk as Buffer)
    }
    return { status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }
  }

  #request(method: string, path: string, headers: readonly (readonly [string, string])[]): ClientRequest {
    const { protocol, hostname, port } = this.#url
    const make = protocol === 'https:' ? httpsRequest : httpRequest
    const asked = make({
      // An address of version 6 stands in brackets in a URL, and nowhere else.
      hostname: hostname.replaceAll(/^\[|\]$/g, ''),
      port,
      method,
      path,
      agent: this.#agent,
      headers: Object.fromEntries([...groupedFields(headers), ['host', this.#host]]),
      timeout: this.#timeoutMs,
    })
    return asked.on('timeout', () => asked.destroy(new Error(`nothing came for ${this.#timeoutMs / 1_000} seconds`)))
  }
}

function forwarded({ rawHeaders, headers, socket }: IncomingMessage, isPage: boolean): [string, string][] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const passed: [string, string][] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!]
    const isOwn = HOP_BY_HOP.has(name) || named.has(name) || name.startsWith('x-forwarded-') || name === 'forwarded'
    if (isOwn || name === 'host' || name.startsWith(':') || (isPage && CONDITIONS.has(name))) continue
    passed.push([name, name === 'accept-encoding' ? knownCodings(value) : value])
  }
  if (socket.remoteAddress !== undefined) passed.push(['x-forwarded-for', socket.remoteAddress])
  return passed
}

/** Those that can be undone here; nobody has told the origin of a dictionary. */
const knownCodings = (value: string): string =>
  value
    .split(',')
    .filter((part) => /^\s*(?:x-gzip|gzip|br|zstd|deflate|identity)\s*(?:;|$)/i.test(part))
    .map((part) => part.trim())
    .join(', ') || 'identity'

function pass(answer: IncomingMessage, response: ServerResponse): void {
  const named = new Set((answer.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const fields: [string, string][] = []
  for (let i = 0; i + 1 < answer.rawHeaders.length; i += 2) {
    const [name, value] = [answer.rawHeaders[i]!, answer.rawHeaders[i + 1]!]
    if (!HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase())) fields.push([name, value])
  }
  for (const [name, values] of groupedFields(fields)) response.setHeader(name, values)
  response.writeHead(answer.statusCode ?? 502)
  // Cut off by the origin is cut off for the visitor: the end must not look like one.
  answer.on('aborted', () => response.destroy())
  answer.pipe(response)
}

function fail(response: ServerResponse, error: Error): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const sentence = `The server behind this one did not answer (${error.message}). Try again in a moment.`
  void sendAnswer(response, sentenceAnswer(502, sentence, [['Retry-After', '10']]))
}
