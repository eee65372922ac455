/**
 * PushRefusal: why something that was sent is not taken, as RFC 9457 writes it. The kinds are one table; `docs/receive.md`
 * lists them. What to do stands in `detail`: whoever is refused should know how not to be.
 *
 * The status tells a sender whether to try again: 408, 425, 429 and 5xx mean later, any other 4xx means never like this.
 */

export type PushRefusalKind =
  | 'malformed'
  | 'wrong-topic'
  | 'not-signed'
  | 'signature-malformed'
  | 'key-unknown'
  | 'gateway-unknown'
  | 'host-refused'
  | 'forged'
  | 'stale'
  | 'covers-too-little'
  | 'wrong-digest'
  | 'key-file-wrong'
  | 'unknown-callback'
  | 'not-found'
  | 'method-not-allowed'
  | 'too-slow'
  | 'ended'
  | 'too-large'
  | 'url-too-long'
  | 'wrong-type'
  | 'foreign'
  | 'too-much-work'
  | 'unreadable'
  | 'not-wanted'
  | 'too-often'
  | 'over-share'
  | 'too-much-at-once'
  | 'too-many-look-ups'
  | 'replayed'
  | 'stranger'
  | 'head-too-large'
  | 'internal'
  | 'busy'
  | 'full'
  | 'unreachable'
  | 'too-many-connections'
  | 'stopping'

// oxfmt-ignore
export const PUSH_REFUSALS: Readonly<Record<PushRefusalKind, readonly [status: number, title: string]>> = {
  'malformed':          [400, 'The request cannot be understood'],
  'wrong-topic':        [400, 'The content is of another topic than was subscribed to'],
  'not-signed':         [401, 'The request is not signed'],
  'signature-malformed': [400, 'The signature cannot be read'],
  'key-unknown':        [403, 'The key is not among those that the site publishes'],
  'gateway-unknown':    [403, 'The key is none of a gateway that is heard here'],
  'host-refused':       [403, 'The gateway may not speak of these hosts'],
  'forged':             [403, 'The signature is not by the site'],
  'stale':              [403, 'The signature is too old, too new, or good for too long'],
  'covers-too-little':  [403, 'The signature does not cover what it must'],
  'wrong-digest':       [403, 'The body is not the one that was signed'],
  'key-file-wrong':     [403, 'The key file is not there, or holds another key'],
  'unknown-callback':   [404, 'There is no such subscription'],
  'not-found':          [404, 'There is nothing here'],
  'method-not-allowed': [405, 'That method is not for this place'],
  'too-slow':           [408, 'The body came too slowly'],
  'ended':              [410, 'The subscription has ended'],
  'too-large':          [413, 'The body is too large'],
  'url-too-long':       [414, 'The URL is too long'],
  'wrong-type':         [415, 'The body is of the wrong type'],
  'foreign':            [422, 'It speaks of pages of another site'],
  'too-much-work':      [422, 'It takes more work to read than it can be worth'],
  'unreadable':         [422, 'The batch cannot be read'],
  'not-wanted':         [429, 'This site is not listened to at present'],
  'too-often':          [429, 'The site sends too much'],
  'over-share':         [429, 'What the site has sent before still waits'],
  'too-much-at-once':   [429, 'What is under way from there takes its share'],
  'too-many-look-ups':  [429, 'Too many hosts were named from there that nobody knows'],
  'replayed':           [429, 'The same request came before'],
  'stranger':           [429, 'Too many requests from this address came to nothing'],
  'head-too-large':     [431, 'The head of the request is too large'],
  'internal':           [500, 'Something is wrong here'],
  'busy':               [503, 'There is too much to do just now'],
  'full':               [503, 'There is no room just now'],
  'unreachable':        [503, 'The proof could not be looked up'],
  'too-many-connections': [503, 'There are too many connections, or too many from there: closed without a word'],
  'stopping':           [503, 'The receiver is stopping'],
}

/** Thrown by whoever finds that a request cannot be taken; the receiver sends it. */
export class PushRefusal extends Error {
  override readonly name: string = 'PushRefusal'
  readonly kind: PushRefusalKind
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: PushRefusalKind, detail: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(detail, { cause })
    this.kind = kind
    this.headers = headers
  }

  get status(): number {
    return PUSH_REFUSALS[this.kind][0]
  }

  /** `application/problem+json`. */
  get body(): string {
    const [status, title] = PUSH_REFUSALS[this.kind]
    return `${JSON.stringify({ type: `urn:comity:problem:${this.kind}`, title, status, detail: this.message })}\n`
  }
}

export const tooMuchWorkRefusal = (): PushRefusal =>
  new PushRefusal(
    'too-much-work',
    'It was not read to its end: it unpacks to far more members, records, lines or bytes than pages take. Send less at a time, ' +
      'each page in one record, without anything between them.',
  )

/** Whole seconds, at least one: nobody should come again at once. */
export function comeAgain(ms: number): Record<string, string> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1_000))) }
}

/** Of what an address, or a site that is proven, has under way just now. */
export function tooMuchAtOnce(what: 'bodies' | 'requests' | 'notices' | 'look-ups'): PushRefusal {
  const detail = `The ${what} of this sender that are under way take its share of the room. Send one after the other.`
  return new PushRefusal('too-much-at-once', detail, { ...comeAgain(2_000), Connection: 'close' })
}

/** Of hosts that nobody knows (`admit/unknown-host-limiter.ts`). */
export const tooManyLookUps = ({ message, retryAfterMs }: { message: string; retryAfterMs: number }): PushRefusal =>
  new PushRefusal('too-many-look-ups', message, comeAgain(retryAfterMs))

/** What a stranger must do to be heard. */
export const HOW_TO_PROVE: string =
  'To speak for a site: publish an Ed25519 key at /.well-known/http-message-signatures-directory of that site and sign each ' +
  'request with it (RFC 9421, tag "comity-push", covering "@method" "@target-uri" "content-digest" "content-type" ' +
  '"signature-agent", or "link" where that names the topic, and all other fields that are to count); or put ' +
  'the IndexNow key of the request into its key file on the site; or let the site name a hub (WebSub) and be subscribed to.'

/** RFC 9421 §5.1: what a signature has to look like. */
export const ACCEPT_PUSH_SIGNATURE: string =
  'sig1=("@method" "@target-uri" "content-digest" "content-type" "signature-agent");created;expires;keyid;nonce;tag="comity-push"'
