/**
 * Hostile case: one way in which a server misbehaves, told in a sentence, with the outcome a sound crawler gives it.
 *
 * Where a case acts decides what it needs:
 *   page     answers a request for its own path; all such cases can share one server
 *   site     answers every path of a site of its own, robots.txt among them
 *   accept   acts as soon as a connection is there, before any request was read
 *   tls      shows a certificate that should not be believed (or one that should)
 *   nowhere  is an address where nobody answers
 *   name     is a host name whose lookup misbehaves
 */
import type { CertificateFault } from '../certificate.ts'
import type { Random } from '../seeded-random.ts'

/** How a visit ended. The first ones are the crawler's own names; a test keeps them the same. */
export type VisitOutcome =
  | 'ok'
  | 'not-modified'
  | 'redirect'
  | 'skipped-type'
  | 'client-error'
  | 'server-error'
  /** 429 or 503. */
  | 'busy'
  /** The body is not whole: kept, and not trusted. */
  | 'truncated'
  | 'timeout-connect'
  | 'timeout-headers'
  /** After the head: what there is of the body is kept, and not trusted. */
  | 'timeout-body'
  | 'headers-too-large'
  | 'connection-refused'
  | 'unreachable'
  /** Before the head of the response was whole. */
  | 'connection-reset'
  /** Not HTTP, or HTTP that cannot be framed. */
  | 'bad-response'
  | 'tls-error'
  | 'proxy-error'
  | 'dns-error'
  | 'address-refused'
  | 'fault'
  | 'redirect-loop'
  | 'redirect-too-long'
  | 'redirect-out-of-scope'
  | 'redirect-nowhere'
  | 'bad-coding'
  | 'not-text'
  | 'decoded-too-large'
  | 'too-much-work'
  | 'too-large'
  /** Of the whole site: it was connected to, and would not tell its rules. */
  | 'robots-unreachable'
  /** Of the whole site: it asks for a longer rest than a crawl has patience for. */
  | 'rests-too-long'
  | 'robots-disallowed'
  /** The crawl stopped by itself, with more left than it took. */
  | 'trap'

interface CaseFacts {
  /** Kebab-case, unique. */
  readonly name: string
  /** What the server does. */
  readonly sentence: string
  /** How the visit ends, redirects followed to their end; for a trap, how the crawl of it ends. */
  readonly expect: VisitOutcome
  /** Outcomes that are as sound: where the standard leaves a choice, or where it depends on a setting. */
  readonly alsoFine?: readonly VisitOutcome[]
  readonly scheme?: 'https'
}

export type Serve = (visit: HostileVisit) => Promise<void> | void

export type HostileCase = CaseFacts &
  (
    | { readonly place: 'page' | 'site' | 'accept'; readonly serve: Serve }
    | { readonly place: 'tls'; readonly fault: CertificateFault }
    | { readonly place: 'nowhere'; readonly how: 'refuses' | 'never-accepts' }
    | { readonly place: 'name'; readonly hostname: string; readonly answers: NameAnswers }
  )

/** What the n-th lookup of a name gives (0 is the first); `site` is where the case's server listens. */
export type NameAnswers = (n: number, site: string) => NameAnswer
type NameAnswer = { readonly addresses: readonly string[] } | { readonly code: string } | 'silence'

/** One connection seen from the hostile side. Every method turns harmless once the peer is gone or a limit is hit. */
export interface HostileVisit {
  /** Below the case's own path and with the query: `/` for the case itself. Empty for `accept` cases. */
  readonly path: string
  /** `/case/NAME`, or empty for a case with a site of its own: put it before paths in links. */
  readonly base: string
  /** `http://127.0.2.1:8080`. */
  readonly origin: string
  readonly random: Random
  /** The pause of cases that drip. */
  readonly paceMs: number
  /** Latin-1 for strings, so that a byte is a byte. Resolves when the kernel has taken it; false when it is over. */
  send(bytes: string | Uint8Array): Promise<boolean>
  wait(ms: number): Promise<boolean>
  /** Say nothing more until the peer goes or the time limit strikes. */
  hang(): Promise<void>
  /** RST instead of FIN. */
  reset(): void
}

/** True for the expected outcome and for those as sound. */
export function isExpectedOutcome(one: HostileCase, outcome: VisitOutcome): boolean {
  return one.expect === outcome || one.alsoFine?.includes(outcome) === true
}

export const page = (
  name: string,
  sentence: string,
  expect: VisitOutcome | readonly [VisitOutcome, ...VisitOutcome[]],
  serve: Serve,
): HostileCase => ({ name, sentence, ...outcomesOf(expect), place: 'page', serve })

/** The first outcome is the expected one, the others are as sound. */
export function outcomesOf(
  expect: VisitOutcome | readonly [VisitOutcome, ...VisitOutcome[]],
): Pick<CaseFacts, 'expect' | 'alsoFine'> {
  if (typeof expect === 'string') return { expect }
  const [first, ...alsoFine] = expect
  return { expect: first, alsoFine }
}
