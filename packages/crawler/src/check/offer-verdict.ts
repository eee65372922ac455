/**
 * Offer verdict: from what was seen of an offer to good, wrong or unknown, in a sentence with what to do. The first row that holds
 * counts. What is there and says nothing, or nothing true, is not good: a crawler that relies on it misses pages. Pure.
 */
import type { Instant } from '@comity/protocol'
import type { OfferFacts } from './offer.ts'
import type { FindingState } from './findings.ts'

/** What was seen of the site besides. */
export interface SeenSite {
  readonly checkedAt: Instant
  /** The newest change of a page that was looked at, where its date can be believed. */
  readonly changedAt?: Instant | undefined
  /** Offers that were refused to whoever does not prove who they are. */
  readonly kept: ReadonlySet<string>
}

interface Verdict {
  readonly name: string
  readonly state: FindingState
  readonly holds: (facts: OfferFacts, seen: SeenSite) => boolean
  readonly found: (facts: OfferFacts, seen: SeenSite) => string
  readonly advice?: string
}

const DAY_MS = 86_400_000
/** How far a list may lag behind a page: some are written once a month. */
const LAG_MS = 31 * DAY_MS
const OLD_MS = 2 * 365 * DAY_MS
const CLOCK_MS = DAY_MS

/** Those that name pages whether or not they have changed; nothing may have changed yet for the others. */
const NAMING: ReadonlySet<OfferFacts['kind']> = new Set(['sitemap', 'metadata-archive', 'robots-rdf', 'filter', 'feed'])
/** Those that tell of every change of any page. */
const TELLS_ALL: ReadonlySet<OfferFacts['kind']> = new Set(
  [...NAMING, 'change-list' as const].filter((kind) => kind !== 'feed'),
)

const day = (at: Instant = 0): string => {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? 'no day at all' : date.toISOString().slice(0, 10)
}
const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0)

const MEND = 'mend it or take it away: a crawler that trusts it misses pages'
const PUBLISH = 'write it after every change, as comity publish does, or take it away'

const OFFER_VERDICTS: readonly Verdict[] = [
  {
    name: 'kept',
    state: 'unknown',
    holds: ({ url }, { kept }) => kept.has(url),
    found: () => 'is kept for crawlers that prove who they are',
    advice: 'look with --identity FILE --signature-agent URL: `comity keys new FILE` makes a key',
  },
  {
    name: 'forbidden',
    state: 'wrong',
    holds: ({ isForbidden }) => isForbidden === true,
    found: () => 'is offered, and robots.txt forbids to ask for it',
    advice: 'let robots.txt allow it: polite crawlers leave it alone',
  },
  {
    name: 'broken',
    state: 'wrong',
    holds: ({ problem }) => problem !== undefined,
    found: ({ problem }) => problem!,
    advice: MEND,
  },
  {
    name: 'unasked',
    state: 'unknown',
    holds: ({ isCut, requests }) => isCut === true && requests === 0,
    found: () => 'could not be looked at any more',
    advice: 'look again with more --max-requests',
  },
  {
    name: 'elsewhere',
    state: 'wrong',
    holds: ({ pages, foreign = 0 }) => pages === 0 && foreign > 0,
    found: ({ foreign = 0 }) => `names ${many(foreign, 'page')}, all of them of another origin`,
    advice: 'name pages as visitors see them: scheme, host and port count (publish with --base)',
  },
  {
    name: 'unseen',
    state: 'unknown',
    holds: ({ kind, pages, isCut }) => NAMING.has(kind) && pages === 0 && isCut === true,
    found: ({ requests }) => `names no page as far as it was read, which is ${many(requests, 'request')}`,
    advice: 'have pages stand nearer: an index, and lists',
  },
  {
    name: 'empty',
    state: 'wrong',
    holds: ({ kind, pages }) => NAMING.has(kind) && pages === 0,
    found: () => 'is there, and names no page',
    advice: MEND,
  },
  {
    name: 'future',
    state: 'wrong',
    holds: ({ newestAt }, { checkedAt }) => newestAt !== undefined && newestAt > checkedAt + CLOCK_MS,
    found: ({ newestAt }) => `tells of changes that are still to come: ${day(newestAt)}`,
    advice: 'give the time of the last change: what is yet to come cannot be believed',
  },
  {
    name: 'stale',
    state: 'wrong',
    holds: ({ kind, newestAt, isCut }, { changedAt }) =>
      TELLS_ALL.has(kind) && isCut !== true && isBefore(newestAt, changedAt, LAG_MS),
    found: ({ newestAt }, { changedAt }) =>
      `tells of no change after ${day(newestAt)}, and a page has changed on ${day(changedAt)}`,
    advice: PUBLISH,
  },
  {
    name: 'old',
    state: 'unknown',
    // Pages that are as old show that it is true.
    holds: ({ newestAt, isCut }, { checkedAt, changedAt }) =>
      isCut !== true && changedAt === undefined && isBefore(newestAt, checkedAt, OLD_MS),
    found: ({ newestAt }) => `tells of no change after ${day(newestAt)}: nothing here shows whether there was one`,
    advice: PUBLISH,
  },
  {
    name: 'unreadable',
    state: 'wrong',
    holds: ({ unread }) => unread !== undefined,
    found: ({ unread = {} }) =>
      `${many(sum(unread), 'thing')} in it cannot be read: ${Object.entries(unread)
        .map(([what, count]) => `${count} ${what}`)
        .join(', ')}`,
    advice: MEND,
  },
  { name: 'good', state: 'good', holds: () => true, found: goodWords },
]

function isBefore(newestAt: Instant | undefined, at: Instant | undefined, byMs: number): boolean {
  return newestAt !== undefined && at !== undefined && newestAt < at - byMs
}

function goodWords({ kind, pages, foreign, requests, bytes, isCut, poll }: OfferFacts): string {
  const isQuiet = pages === 0 && !NAMING.has(kind)
  const size = pages === undefined ? '' : isQuiet ? 'no change so far, ' : `${many(pages, 'page')}, `
  const others = foreign === undefined ? '' : `${many(foreign, 'page')} of other origins, which crawlers leave out, `
  const cost = `${bytes} bytes in ${many(requests, 'request')}`
  const again = poll === undefined ? '' : `; a poll that brings nothing ${poll.bytes} bytes in ${poll.requests}`
  return `${size}${others}${cost}${isCut === true ? ', not read to its end' : ''}${again}`
}

interface OfferVerdict extends Pick<Verdict, 'name' | 'state' | 'advice'> {
  readonly found: string
}

export function offerVerdict(facts: OfferFacts, seen: SeenSite): OfferVerdict {
  const { name, state, found, advice } = OFFER_VERDICTS.find((verdict) => verdict.holds(facts, seen))!
  return { name, state, found: found(facts, seen), ...(advice === undefined ? {} : { advice }) }
}
