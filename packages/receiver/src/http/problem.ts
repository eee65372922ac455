/**
 * Problem: what went wrong with a request, as RFC 9457 writes it. `detail` says what follows and what to do. The kinds
 * are one table, and the OpenAPI file lists them; nothing in a problem comes from a page that was crawled.
 */

/** `application/problem+json`: the members of RFC 9457 §3.1 that we use. */
export interface ProblemModel {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
}

type ProblemKind =
  | 'bad-request'
  | 'bad-parameter'
  | 'token-needed'
  | 'token-wrong'
  | 'foreign-origin'
  | 'not-shown'
  | 'not-found'
  | 'page-unknown'
  | 'site-unknown'
  | 'capture-unknown'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'no-crawl'
  | 'body-too-large'
  | 'url-too-long'
  | 'wrong-type'
  | 'wrong-host'
  | 'too-many-requests'
  | 'headers-too-large'
  | 'internal'
  | 'crawl-failed'
  | 'not-ready'

// oxfmt-ignore
export const PROBLEMS: Readonly<Record<ProblemKind, readonly [status: number, title: string]>> = {
  'bad-request':        [400, 'The request cannot be understood'],
  'bad-parameter':      [400, 'A parameter is missing or wrong'],
  'token-needed':       [401, 'A token is needed'],
  'token-wrong':        [403, 'The token is not the right one'],
  'foreign-origin':     [403, 'The request comes from another site'],
  'not-shown':          [403, 'The page asks not to be shown from an archive'],
  'not-found':          [404, 'There is nothing here'],
  'page-unknown':       [404, 'The page is not known'],
  'site-unknown':       [404, 'The site is not known'],
  'capture-unknown':    [404, 'There is no such capture, or its body is not held'],
  'method-not-allowed': [405, 'That method is not for this place'],
  'request-timeout':    [408, 'The request took too long'],
  'no-crawl':           [409, 'No crawl is running'],
  'body-too-large':     [413, 'The body is too large'],
  'url-too-long':       [414, 'The URL is too long'],
  'wrong-type':         [415, 'The body is of the wrong type'],
  'wrong-host':         [421, 'The request is for another host'],
  'too-many-requests':  [429, 'Too much is asked at once'],
  'headers-too-large':  [431, 'The headers are too large'],
  'internal':           [500, 'Something is wrong here'],
  'crawl-failed':       [502, 'The crawl did not do it'],
  'not-ready':          [503, 'Not ready yet, or stopping'],
}

/** Thrown by whoever finds that a request cannot be answered; the server sends it. */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly kind: ProblemKind
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ProblemKind, detail: string, headers: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(detail, { cause })
    this.kind = kind
    this.headers = headers
  }

  get status(): number {
    return PROBLEMS[this.kind][0]
  }

  get model(): ProblemModel {
    const [status, title] = PROBLEMS[this.kind]
    return { type: `urn:comity:problem:${this.kind}`, title, status, detail: this.message }
  }
}
