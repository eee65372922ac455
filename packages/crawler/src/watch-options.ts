/** What keeping a collection fresh may cost, and by which policy. */
import { INBOX_SCHEMES } from '@comity/collection'
import type { InboxScheme } from '@comity/collection'
import { policyNamed } from '@comity/frontier'
import type { RevisitPolicy } from '@comity/frontier'
import { optionInvalid } from './errors.ts'

export interface WatchOptions {
  readonly policy: RevisitPolicy
  /** Pages are visited; false: only what comes by itself is taken in, and what should be visited waits for a run that does. */
  readonly visits: boolean
  /** All requests together: pages, robots.txt, what sites offer. */
  readonly requestsPerSecond: number
  /** Bodies, as sent; Infinity: as many as the requests bring. */
  readonly bytesPerSecond: number
  /** Share of the requests for pages that are new, when there are any; 0: none, only what is held is kept fresh. */
  readonly explore: number
  /** Ask sites what changed, and believe them as far as they have deserved it. */
  readonly signals: boolean
  /** Least time between two looks at what one site says. */
  readonly minPollMs: number
  /** How long a day lasts for change rates, trust and floors: less in a demonstration. */
  readonly dayMs: number
  /** Sites that may push: those whose changes are worth most are subscribed to, the rest is polled. */
  readonly subscriptions: number
  /** What is wanted of a site that pushes, the first that it offers. */
  readonly subscribeTo: readonly InboxScheme[]
  /** In so many days what was read comes to count half (001 §IV counts for ever; what was read once must give way). */
  readonly hitsHalfLifeDays: number
}

export const watchDefaults: WatchOptions = {
  policy: policyNamed('value'),
  visits: true,
  requestsPerSecond: 1,
  bytesPerSecond: Infinity,
  explore: 0.1,
  signals: true,
  minPollMs: 60_000,
  dayMs: 86_400_000,
  subscriptions: 100,
  subscribeTo: ['differences', 'pages', 'changes'],
  hitsHalfLifeDays: 30,
}

export function watchOptions(given: Partial<WatchOptions>): WatchOptions {
  const options = { ...watchDefaults, ...given }
  const { requestsPerSecond, bytesPerSecond, explore, minPollMs, dayMs } = options
  const isRate = requestsPerSecond > 0 && requestsPerSecond < Infinity
  if (!isRate) throw optionInvalid(`A budget of ${requestsPerSecond} requests a second is none; 5 would be one.`)
  if (!(bytesPerSecond > 0))
    throw optionInvalid(`${bytesPerSecond} bytes a second are none; leave it out for no limit.`)
  if (!(explore >= 0 && explore <= 1)) throw optionInvalid(`The share for new pages is from 0 to 1, not ${explore}.`)
  if (!(minPollMs >= 0 && dayMs > 0 && options.hitsHalfLifeDays > 0)) throw optionInvalid('Times must be more than 0.')
  const { subscriptions, subscribeTo } = options
  if (!(Number.isInteger(subscriptions) && subscriptions >= 0))
    throw optionInvalid(`${subscriptions} is no number of sites that may call.`)
  const unknown = subscribeTo.find((scheme) => !INBOX_SCHEMES.includes(scheme))
  if (unknown !== undefined) throw optionInvalid(`Nobody sends ${unknown}: choose among ${INBOX_SCHEMES.join(', ')}.`)
  return options
}
