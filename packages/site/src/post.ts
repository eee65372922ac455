/**
 * Post: one HTTP request to somebody outside, and the answer. All that a site sends by itself goes through it.
 *
 * Who is called may be a stranger's wish (a hub's callback), so the request must not become a way into the owner's network:
 * the address is looked at after the name was resolved and again once the connection stands, redirects are not followed,
 * and nothing that comes back is longer or later than it may be.
 */
import { lookup as dnsLookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { codeOf } from '@comity/disk'
import { mayVisit, writeDigestField } from '@comity/protocol'
import type { AllowPrivate, HeaderList } from '@comity/protocol'

export interface PostRequest {
  /** Absolute, http or https. */
  readonly url: string
  readonly method: string
  /** Besides Host, Content-Length, User-Agent, and what a signature adds. */
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The owner wrote this address down, so it may be one of the owner's own network. */
  readonly isOwners?: boolean | undefined
  /** Told of answers before the answer (1xx). */
  readonly onInterim?: ((status: number, headers: HeaderList) => void) | undefined
}

export interface PostAnswer {
  readonly status: number
  readonly headers: HeaderList
  /** No longer than `maxAnswerBytes`; what comes behind is not read. */
  readonly body: Uint8Array
}

/** Rejects with a PostError when there is no answer. */
export type Post = (request: PostRequest, signal?: AbortSignal) => Promise<PostAnswer>

export type PostFault =
  | 'no-address'
  | 'address-refused'
  | 'unreachable'
  /** The connection ended before the answer did. */
  | 'cut'
  | 'timeout'
  | 'tls'
  | 'stopped'

/** Why there was no answer. A name and a sentence: both are kept and shown. */
export class PostError extends Error {
  override readonly name: string = 'PostError'
  readonly fault: PostFault
  /** It was a connection of an earlier request that had ended: a new one may well do. */
  readonly isWaitedTooLong: boolean
  constructor(fault: PostFault, message: string, options?: ErrorOptions, isWaitedTooLong = false) {
    super(message, options)
    this.fault = fault
    this.isWaitedTooLong = isWaitedTooLong
  }
}

/** A request as a signature covers it. */
export interface PostMessage {
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
}

export interface PostOptions {
  readonly allowPrivate?: AllowPrivate | undefined
  /** Fields that sign a request; Content-Digest is among its headers already. */
  readonly sign?: ((message: PostMessage) => HeaderList) | undefined
  readonly userAgent?: string | undefined
  /** From the first look-up to the last byte of the answer. */
  readonly timeoutMs?: number | undefined
  /** Without a byte in either direction. */
  readonly idleMs?: number | undefined
  readonly maxAnswerBytes?: number | undefined
  /** All addresses of a name; the system's resolver unless given. */
  readonly lookup?: ((host: string) => Promise<readonly string[]>) | undefined
}

const DEFAULTS = { userAgent: 'comity-site', timeoutMs: 300_000, idleMs: 30_000, maxAnswerBytes: 64 << 10 }
/** Connections that wait for the next request to the same host. */
const WAITING = { keepAlive: true, maxFreeSockets: 16, timeout: 5_000 }

export function httpPost(options: PostOptions = {}): Post {
  const isAllowed = mayVisit(options.allowPrivate ?? false)
  const [plain, safe] = [new HttpAgent(WAITING), new HttpsAgent(WAITING)]
  return async (request, signal) => {
    const url = URL.parse(request.url)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new PostError(
        'no-address',
        `${withoutPassword(request.url)} cannot be posted to: it has to be http or https, without a password`,
      )
    const mayConnect = request.isOwners === true ? (): boolean => true : isAllowed
    const agent = url.protocol === 'https:' ? safe : plain
    const call = { ...request, headers: fullHeaders(request, url, options) }
    try {
      return await exchange(url, call, { ...options, mayConnect, agent }, signal)
    } catch (error) {
      // A connection that waited for us was closed meanwhile (RFC 9112 §9.3.1): that says nothing of whoever is called.
      if (!(error instanceof PostError && error.isWaitedTooLong)) throw error
      return await exchange(url, call, { ...options, mayConnect, agent: false }, signal)
    }
  }
}

/** An address as it may be shown, whatever it is. */
const withoutPassword = (url: string): string => url.replace(/[^/\\]*@/, '')

function fullHeaders(
  request: PostRequest,
  url: URL,
  { sign, userAgent = DEFAULTS.userAgent }: PostOptions,
): HeaderList {
  const { method, body } = request
  const headers: HeaderList = [
    ['Host', url.host],
    ['User-Agent', userAgent],
    ...request.headers,
    ...(body.length > 0 || !BODILESS.has(method) ? ([['Content-Length', String(body.length)]] as const) : []),
  ]
  if (sign === undefined) return headers
  const signed: HeaderList = [...headers, ['Content-Digest', writeDigestField(body)]]
  return [...signed, ...sign({ method, url: url.href, headers: signed })]
}

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

interface Way extends PostOptions {
  readonly mayConnect: (address: string) => boolean
  readonly agent: HttpAgent | HttpsAgent | false
}

async function exchange(url: URL, request: PostRequest, way: Way, signal?: AbortSignal): Promise<PostAnswer> {
  const { timeoutMs = DEFAULTS.timeoutMs, idleMs = DEFAULTS.idleMs, maxAnswerBytes = DEFAULTS.maxAnswerBytes } = way
  const late = AbortSignal.timeout(timeoutMs)
  const options: RequestOptions = {
    method: request.method,
    agent: way.agent,
    headers: request.headers.flat(),
    lookup: fixedLookup(await addressesOf(url, way)),
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    timeout: idleMs,
  }
  const call = url.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options)
  call.once('socket', (socket) => checkConnected(call, socket, url, way.mayConnect))
  let isHeard = false
  call.on('information', ({ statusCode, rawHeaders }) => {
    isHeard = true
    request.onInterim?.(statusCode, pairsOf(rawHeaders))
  })
  call.once('timeout', () => call.destroy(new PostError('timeout', `${url.host} was silent for ${idleMs} ms`)))
  call.end(request.body)
  try {
    const response = await responseOf(call)
    const body = await readCapped(response, maxAnswerBytes)
    // It may have answered before it was told everything.
    if (!call.writableFinished) call.destroy()
    return { status: response.statusCode ?? 0, headers: pairsOf(response.rawHeaders), body }
  } catch (error) {
    throw failureOf(error, url, late, call.reusedSocket && !isHeard)
  }
}

async function responseOf(call: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  call.once('response', resolve)
  // For as long as the request lives: what fails while the answer is read is told by the answer.
  call.on('error', reject)
  return await promise
}

/** Those that may be connected to. */
async function addressesOf(url: URL, { mayConnect, lookup = systemLookup }: Way): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) === 0 ? await lookedUp(host, lookup) : [host]
  const allowed = found.filter((one) => isIP(one) !== 0 && mayConnect(one))
  if (allowed.length === 0) throw addressRefused(host, found)
  return allowed
}

async function lookedUp(
  host: string,
  lookup: (host: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await lookup(host)
  } catch (error) {
    throw new PostError('no-address', `${host} has no address (${textOf(codeOf(error))})`, { cause: error })
  }
}

const systemLookup = async (host: string): Promise<readonly string[]> =>
  (await dnsLookup(host, { all: true })).map(({ address }) => address)

/** The name was resolved and its addresses looked at: connect to one of those, whatever the resolver says next. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_, { all }, callback) => {
    if (all === true) callback(null, found)
    else callback(null, found[0]!.address, found[0]!.family)
  }
}

/** Before the first byte goes out: what counts is where the connection leads, whoever said so. */
function checkConnected(call: ClientRequest, socket: Socket, url: URL, mayConnect: (address: string) => boolean): void {
  const check = (): void => {
    const { remoteAddress = 'nowhere' } = socket
    if (!mayConnect(remoteAddress)) call.destroy(addressRefused(url.hostname, [remoteAddress]))
  }
  if (socket.connecting) socket.once('connect', check)
  else check()
}

async function readCapped(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    bytes += chunk.length
    // The loop's end destroys the connection.
    if (bytes > maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

function pairsOf(raw: readonly string[]): HeaderList {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!] as const)
}

const addressRefused = (host: string, addresses: readonly string[]): PostError =>
  new PostError(
    'address-refused',
    `${host} is at ${addresses.slice(0, 3).join(', ')}, a private or reserved address, and is not called`,
  )

function failureOf(error: unknown, url: URL, late: AbortSignal, mayBeOld: boolean): PostError {
  if (error instanceof PostError) return error
  const code = textOf(codeOf(error))
  const isOldConnection = mayBeOld && /^(?:ECONNRESET|EPIPE)$/.test(code)
  const say = (fault: PostFault, what: string): PostError =>
    new PostError(fault, `${url.host} ${what}`, { cause: error }, isOldConnection)
  if (late.aborted) return say('timeout', 'took too long')
  if (code === 'ABORT_ERR') return say('stopped', 'was not called to the end, since we were told to stop')
  if (UNREACHABLE.has(code)) return say('unreachable', `cannot be reached (${code})`)
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return say('tls', `has a certificate that is not good (${code})`)
  return say('cut', `ended the connection (${code || (error as Error).message})`)
}

const textOf = (code: unknown): string => (typeof code === 'string' ? code : '')

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
])
