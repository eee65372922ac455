/**
 * Withdrawal: whether a later answer about a page that was shipped takes it out again. What was public once and is forbidden now must
 * go; what one reader alone was told must take nothing from everybody, or anybody could take away any page. Pure.
 *
 *   said in the head of an answer                     to whom                          the page
 *   noindex, none, a date of unavailable_after that   anybody whom the server did      goes, whatever else the answer says: Set-Cookie,
 *     is over; GET or HEAD; 2xx, 3xx, 404, 410, 451     not know, with cookies too       private, no body, a body that was not seen whole
 *   the same                                          with 4xx and 5xx else            stays: an error page speaks of itself
 *   404, 410, 451 to GET                              anybody likewise                 goes
 *   401                                               who has neither cookie nor key   goes: it is for those who sign in
 *   403                                               `--quorum` such readers          goes: one alone may be shut out himself
 *   private, no-store; 200, 206, 304; GET or HEAD     who has neither cookie nor key   goes, but for an answer that sets a cookie: it
 *                                                                                        may be private for that (RFC 9111 §7.3)
 *   Set-Cookie, Vary: Cookie, other types, 3xx, 5xx   anybody                          stays: nothing is said of the page that we have
 *
 * Of a body that came: `noindex` in it takes the page out whoever got it; a form that asks for a password, where nobody was known.
 */

export interface LaterAnswer {
  readonly method: string
  readonly status: number
  /** To whom the server spoke: to whoever came, to somebody it may have known by what was said before, or to somebody it knew. */
  readonly to: 'anybody' | 'unseen' | 'somebody'
  readonly hasCookie: boolean
  readonly saysNoindex: boolean
  readonly setsCookie: boolean
  readonly kept: 'no-store' | 'private' | undefined
}

/** `forbidden`: once enough readers were told so. */
type Withdrawal = 'noindex' | 'status' | 'authorization' | 'forbidden' | 'no-store' | 'private'

export const GONE: ReadonlySet<number> = new Set([404, 410, 451])
/** Answers that describe the page itself (RFC 9110 §15.3.7, §15.4.5). */
const OF_THE_PAGE: ReadonlySet<number> = new Set([200, 206, 304])

/** Why the page is taken out; undefined when it stays. */
export function withdrawal(answer: LaterAnswer): Withdrawal | undefined {
  const { method, status, to, hasCookie, saysNoindex, setsCookie, kept } = answer
  if ((method !== 'GET' && method !== 'HEAD') || to === 'somebody') return undefined
  const isOfPage = (status >= 200 && status < 400) || GONE.has(status)
  // Where nobody knows for whom, a wish is better kept: the page comes back when it passes again.
  if (saysNoindex && isOfPage) return 'noindex'
  if (to === 'unseen') return undefined
  // Servers that do not know HEAD answer it with 404.
  if (GONE.has(status) && method === 'GET') return 'status'
  if (hasCookie) return undefined
  if (status === 401) return 'authorization'
  if (status === 403) return 'forbidden'
  return OF_THE_PAGE.has(status) && !setsCookie ? kept : undefined
}
