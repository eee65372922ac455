/**
 * Receiver: what sites send by themselves comes in here (002 §6.3, schemes 7 to 12), from anybody on the Internet.
 *
 *   request ─▶ address (too much that came to nothing?) ─▶ route ─▶ who speaks? ─▶ may it come in? ─▶ body ─▶ inbox, durable
 *                  └───────────────────────────────────────┴──────────┴────────────────┴──────────────┴── PushRefusal
 *
 *   /indexnow · /websub/TOKEN · /push · /push/uploads/ID · /gateway · /programs/NAME · our own keys
 *
 * What is answered with 2xx is on the disk, or was ignored as WebSub wants it. Everything else is refused with a reason, and
 * with when to come again before memory grows. Whatever a request is, it gets an answer, and only our own bug is a 500.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GATEWAY_PATH, KEY_DIRECTORY_PATH, PROGRAMS_PATH, proxySet } from '@comity/protocol'
import type { Proxies } from '@comity/protocol'
import { clientAddress } from './admit/client-address.ts'
import { answerProgram } from './programs/endpoint.ts'
import { comeAgain, PushRefusal, tooMuchAtOnce } from './admit/push-refusal.ts'
import type { PushRefusalKind } from './admit/push-refusal.ts'
import { answerDirectory } from './routes/directory.ts'
import { answerGateway } from './routes/gateway.ts'
import { answerIndexNow } from './routes/indexnow.ts'
import type { ReceiverParts } from './receiver-parts.ts'
import { answerPush, PUSH_PATH } from './routes/push.ts'
import { INDEXNOW_PATH, receiverRequest } from './request.ts'
import type { ReceiverAnswer, ReceiverRequest } from './request.ts'
import { answerUpload, uploadLimits, UPLOADS_PATH } from './routes/uploads.ts'
import { answerCallback, WEBSUB_PATH } from './routes/websub.ts'
import { DATA_POLICY, securityHeaders } from './http/security-headers.ts'

interface ReceiverOptions {
  /** Addresses of proxies in front of us, whose X-Forwarded-For is believed. */
  readonly proxies?: readonly string[] | undefined
  readonly isStopping?: (() => boolean) | undefined
  /** Hears of every bug of ours, and of a disk that fails. */
  readonly onError?: ((error: unknown) => void) | undefined
}

type Answerer = (
  request: ReceiverRequest,
  parts: ReceiverParts,
  named: (origin: string) => void,
) => Promise<ReceiverAnswer> | ReceiverAnswer

/** What there is; a path that ends in a slash has a name behind it. */
// oxfmt-ignore
const ROUTES: readonly (readonly [path: string, methods: readonly string[], answer: Answerer])[] = [
  [INDEXNOW_PATH,      ['GET', 'POST'],                     answerIndexNow],
  [WEBSUB_PATH,        ['GET', 'POST'],                     answerCallback],
  [WEBSUB_PATH,        ['OPTIONS'],                         (_, parts) => uploadLimits(parts)],
  [PUSH_PATH,          ['POST'],                            answerPush],
  [PUSH_PATH,          ['OPTIONS'],                         (_, parts) => uploadLimits(parts)],
  [GATEWAY_PATH,       ['POST'],                            answerGateway],
  [PROGRAMS_PATH,      ['GET'],                             (request, parts) => answerProgram(request, parts.gateways, parts.programs)],
  [UPLOADS_PATH,       ['GET', 'HEAD', 'PATCH', 'DELETE'],  answerUpload],
  [UPLOADS_PATH,       ['OPTIONS'],                         (_, parts) => uploadLimits(parts)],
  [KEY_DIRECTORY_PATH, ['GET', 'HEAD'],                     (_, parts) => answerDirectory(parts)],
  ['/',                ['GET', 'HEAD'],                     () => ({ status: 200, body: WELCOME })],
]

const WELCOME =
  'A crawler listens here for what sites say of their own pages: IndexNow at /indexnow, signed requests at /push, ' +
  'and callbacks of its own WebSub subscriptions.\n'

/** A notice that waits for its proof is likely good: one address may speak for many sites, as those of networks that deliver pages. */
const PENDING_COST = 0.2
/** Whoever found out how to make us fail is not let in often enough to live by it. */
const FAULT_COST = 10

/** What counts against the address it came from, whoever it says to be: it led to nothing, or to a fault of ours. */
// oxfmt-ignore
const COSTS: ReadonlyMap<PushRefusalKind, number> = new Map<PushRefusalKind, number>([
  ['malformed', 1], ['not-signed', 1], ['signature-malformed', 1], ['key-unknown', 1], ['gateway-unknown', 1], ['forged', 1],
  ['stale', 1], ['covers-too-little', 1], ['key-file-wrong', 1], ['unknown-callback', 1], ['not-found', 1],
  ['method-not-allowed', 1], ['url-too-long', 1], ['too-slow', 2], ['internal', FAULT_COST],
])

/** The same, as long as it is not proven who speaks; of a site that is, its own bucket is drawn on. */
// oxfmt-ignore
const COSTS_OF_STRANGERS: ReadonlyMap<PushRefusalKind, number> = new Map<PushRefusalKind, number>([
  ['too-large', 1], ['wrong-type', 1], ['foreign', 1], ['too-much-at-once', 1],
  ['too-many-look-ups', PENDING_COST], ['busy', PENDING_COST], ['full', PENDING_COST], ['unreachable', PENDING_COST],
])

export class Receiver {
  readonly #parts: ReceiverParts
  readonly #options: ReceiverOptions
  readonly #proxies: Proxies

  constructor(parts: ReceiverParts, options: ReceiverOptions = {}) {
    this.#parts = parts
    this.#options = options
    this.#proxies = proxySet(options.proxies)
  }

  /** Never rejects. */
  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A connection that breaks while we write is the client's affair.
    response.on('error', ignored)
    const forwarded = first(incoming.headers['x-forwarded-for'])
    const client = clientAddress(incoming.socket.remoteAddress, forwarded, this.#proxies)
    const request = receiverRequest(incoming, response, this.#parts.publicUrl(), client, this.#parts.bodies)
    let origin: string | undefined
    try {
      const answer = await this.#answer(request, (named) => (origin = named))
      // What was taken though nothing is proven yet.
      if (answer.status === 202 && request.path === INDEXNOW_PATH) this.#drawStranger(client, PENDING_COST)
      send(request, response, answer)
    } catch (error) {
      // Whoever has gone is told nothing, and it is no refusal.
      if (incoming.destroyed && !incoming.complete && !(error instanceof PushRefusal)) response.destroy()
      else this.#refuse(request, response, error, origin)
    }
  }

  /** Something that never became a request came from there. */
  broken(client: string, why: PushRefusalKind): void {
    this.#parts.figures.refused(why)
    this.#drawStranger(client)
  }

  async #answer(request: ReceiverRequest, named: (origin: string) => void): Promise<ReceiverAnswer> {
    const { limits, strangers, now, places } = this.#parts
    if (this.#options.isStopping?.() === true)
      throw new PushRefusal('stopping', 'The crawler stops. Try again later.', {
        ...comeAgain(60_000),
        Connection: 'close',
      })
    if (request.url.length > limits.maxUrlChars)
      throw new PushRefusal('url-too-long', `A URL may have ${limits.maxUrlChars} characters.`, { Connection: 'close' })
    const waitMs = strangers.waitMs(request.client, 1, now())
    if (waitMs > 0) {
      const detail = 'Nothing is taken from this address for a moment. Read why the requests before were refused.'
      throw new PushRefusal('stranger', detail, { ...comeAgain(waitMs), Connection: 'close' })
    }
    // Requests may come one behind the other on a connection, without waiting for answers.
    if (places.take(request.client, 1) !== 'taken') throw tooMuchAtOnce('requests')
    try {
      return await routeOf(request)(request, this.#parts, named)
    } finally {
      places.give(request.client, 1)
    }
  }

  #refuse(request: ReceiverRequest, response: ServerResponse, error: unknown, origin: string | undefined): void {
    const refusal = error instanceof PushRefusal ? error : INTERNAL
    if (refusal === INTERNAL) this.#options.onError?.(error)
    this.#parts.figures.refused(refusal.kind, origin)
    const cost = COSTS.get(refusal.kind) ?? (request.holder().isProven ? 0 : COSTS_OF_STRANGERS.get(refusal.kind))
    if (cost !== undefined && cost > 0) this.#drawStranger(request.client, cost)
    const { status, headers, body } = refusal
    send(request, response, { status, headers, body, type: 'application/problem+json; charset=utf-8' })
  }

  #drawStranger(client: string, cost = 1): void {
    this.#parts.strangers.charge(client, cost, this.#parts.now())
  }
}

const INTERNAL = new PushRefusal('internal', 'This is a fault of the receiver; its log says more.', comeAgain(60_000))

const ignored = (): void => undefined

function routeOf({ method, path }: ReceiverRequest): Answerer {
  const here = ROUTES.filter(
    ([route]) => path === route || (route.length > 1 && route.endsWith('/') && path.startsWith(route)),
  )
  const found = here.find(([, methods]) => methods.includes(method))
  if (found !== undefined) return found[2]
  if (here.length === 0) throw new PushRefusal('not-found', 'There is nothing here. GET / says what there is.')
  const allowed = here.flatMap(([, methods]) => methods).join(', ')
  throw new PushRefusal('method-not-allowed', `Use ${allowed}.`, { Allow: allowed })
}

/** A body that nobody will read is not waited for when it is long. */
const SHORT_BODY_BYTES = 64 << 10

function send(request: ReceiverRequest, response: ServerResponse, answer: ReceiverAnswer): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? new Uint8Array())
  const hasBody = answer.status !== 204 && answer.status !== 304
  const isRefusal = answer.status >= 400
  const isLong = (request.contentLength ?? Infinity) > SHORT_BODY_BYTES
  response.writeHead(answer.status, {
    ...securityHeaders(DATA_POLICY),
    'Cache-Control': 'no-store',
    ...(hasBody ? { 'Content-Type': answer.type ?? 'text/plain; charset=utf-8' } : {}),
    ...(hasBody ? { 'Content-Length': String(body.length) } : {}),
    ...((isRefusal && isLong) || request.isHalfRead() ? { Connection: 'close' } : {}),
    ...answer.headers,
  })
  response.end(request.method === 'HEAD' || !hasBody ? undefined : body)
}

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value
