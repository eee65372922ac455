/**
 * Findings: from what was seen of a site to what is good, what is missing and what is wrong, each with what to do. Pure.
 * Missing is no fault: crawlers manage. Wrong costs somebody pages or traffic.
 */
import type { OfferFacts } from './offer.ts'
import { offerVerdict } from './offer-verdict.ts'
import type { SeenSite } from './offer-verdict.ts'
import type { CheckedPageFacts, ValidatorState } from './page.ts'
import type { SiteCheck } from './site-check.ts'

export type FindingState = 'good' | 'missing' | 'wrong' | 'unknown'

export interface Finding {
  readonly about: string
  readonly state: FindingState
  readonly found: string
  /** What to do; undefined when there is nothing to do. */
  readonly advice?: string | undefined
}

type CheckFacts = Omit<SiteCheck, 'findings'>

export function findingsOf(facts: CheckFacts): readonly Finding[] {
  const { start, pages } = facts
  if (start.problem !== undefined)
    return [robotsFinding(facts), { about: 'start page', state: 'wrong', found: start.problem }]
  return [
    robotsFinding(facts),
    startFinding(facts),
    ...scriptFindings(pages),
    ...validatorFindings(pages),
    codingFinding(pages),
    cookieFinding(pages),
    differenceFinding(pages),
    ...brokenFindings(facts),
    ...offerFindings(facts),
    ...digestFindings(facts),
  ]
}

function robotsFinding({ robots, elsewhere }: CheckFacts): Finding {
  const about = 'robots.txt'
  const delay = robots.crawlDelaySeconds === undefined ? '' : `, ${robots.crawlDelaySeconds} s between requests`
  if (robots.state === 'unreachable')
    return {
      about,
      state: 'wrong',
      found: robots.reason,
      advice: 'let it answer 200 or 404: until it does, crawlers stay away (RFC 9309 §2.3.1.4)',
    }
  if (elsewhere.length > 0)
    return {
      about,
      state: 'wrong',
      found: `it names documents of ${elsewhere.join(', ')}`,
      advice: 'name documents of this very origin: publish with --base of the address that visitors use',
    }
  if (robots.state === 'unavailable')
    return {
      about,
      state: 'missing',
      found: `${robots.reason}: everything may be read`,
      advice: 'have one, if only to name your sitemap',
    }
  return {
    about,
    state: robots.isAllowed ? 'good' : 'wrong',
    found: robots.isAllowed ? `read, and we may come${delay}` : 'it does not let us in',
  }
}

function startFinding({ start: { status } }: CheckFacts): Finding {
  return { about: 'start page', state: status === 200 ? 'good' : 'wrong', found: `status ${status}` }
}

function scriptFindings(pages: readonly CheckedPageFacts[]): Finding[] {
  const shells = pages.filter(({ needsScripts }) => needsScripts)
  const [first] = shells
  if (first === undefined) return []
  const found = `${shells.length} of ${pages.length} pages show next to nothing without scripts, such as ${first.url}`
  const advice =
    'send the words in the HTML too (server-side rendering): most crawlers run no scripts and find nothing there'
  return [{ about: 'scripts', state: 'wrong', found, advice }]
}

const VALIDATOR_ADVICE: Readonly<Record<ValidatorState, string | undefined>> = {
  right: undefined,
  missing: 'send it, so that pages are not sent twice; @comity/site does, in front of any framework',
  ignored: 'answer 304 when it comes back; a proxy or a module for compression may take it away',
  unstable: 'make it of the content: the same page had another one when asked again',
  careless: 'compare it: whoever is told "not modified" without having the page never sees it',
  vague: 'leave out what differs in every answer (times, tokens), or mask it for the tag',
  unasked: undefined,
}

const VALIDATOR_WORDS: Readonly<Record<ValidatorState, string>> = {
  right: 'right',
  missing: 'missing',
  ignored: 'sent, but not heeded when it comes back',
  unstable: 'another one for the same page',
  careless: '304 even for a tag that was never given',
  vague: 'the page differs in every answer',
  unasked: 'could not be tried',
}

function validatorFindings(pages: readonly CheckedPageFacts[]): Finding[] {
  const read = pages.filter(({ status }) => status === 200)
  return (
    [
      ['ETag', 'byTag'],
      ['Last-Modified', 'byDate'],
    ] as const
  ).map(([about, key]) => {
    const states = read.map((page) => page[key])
    const worst = WORST_FIRST.find((state) => states.includes(state)) ?? 'unasked'
    const count = states.filter((state) => state === worst).length
    const isGood = worst === 'right'
    const state: FindingState = isGood
      ? 'good'
      : worst === 'missing' || worst === 'vague'
        ? 'missing'
        : worst === 'unasked'
          ? 'unknown'
          : 'wrong'
    return {
      about,
      state,
      found: `${VALIDATOR_WORDS[worst]} on ${count} of ${read.length} pages${isGood ? ', with 304 for whoever has it' : ''}`,
      advice: VALIDATOR_ADVICE[worst],
    }
  })
}

const WORST_FIRST: readonly ValidatorState[] = ['careless', 'unstable', 'ignored', 'vague', 'missing', 'right']

function codingFinding(pages: readonly CheckedPageFacts[]): Finding {
  const about = 'content coding'
  const read = pages.filter(({ status, plainBytes }) => status === 200 && plainBytes > 1_000)
  const coded = read.filter(({ coding }) => coding !== undefined)
  if (read.length === 0) return { about, state: 'unknown', found: 'no page is long enough to tell' }
  const [sent, plain] = [sumOf(read, 'bytes'), sumOf(read, 'plainBytes')]
  if (coded.length === 0)
    return {
      about,
      state: 'missing',
      found: 'pages are sent as they are',
      advice: 'turn on gzip, brotli or zstd: text becomes a quarter',
    }
  const codings = [...new Set(coded.map(({ coding }) => coding))].join(', ')
  return { about, state: 'good', found: `${codings}: ${Math.round((100 * sent) / plain)} % of the bytes` }
}

const sumOf = (pages: readonly CheckedPageFacts[], key: 'bytes' | 'plainBytes'): number =>
  pages.reduce((sum, page) => sum + page[key], 0)

function cookieFinding(pages: readonly CheckedPageFacts[]): Finding {
  const about = 'cookies'
  const setting = pages.filter(({ setsCookie }) => setsCookie).length
  if (setting === 0) return { about, state: 'good', found: 'pages set none, so caches and lists can have them' }
  return {
    about,
    state: 'missing',
    found: `${setting} of ${pages.length} pages set one`,
    advice: 'set cookies where somebody logs in, not on every page: what sets one counts as private',
  }
}

function differenceFinding(pages: readonly CheckedPageFacts[]): Finding {
  const about = 'differences'
  const tried = pages
    .flatMap(({ dictionary, difference }) => [dictionary, difference])
    .filter((one) => one !== undefined)
  const broken = tried.find(({ problem }) => problem !== undefined)
  if (broken !== undefined)
    return {
      about,
      state: 'wrong',
      found: `${broken.coding}: ${broken.problem}`,
      advice: 'send whole pages until it is mended',
    }
  const came = tried.find(({ coding }) => coding !== undefined)
  const kinds = [...new Set(tried.flatMap(({ coding }) => coding ?? []))].join(', ')
  if (came !== undefined) return { about, state: 'good', found: `${kinds}: ${came.bytes} bytes in place of a page` }
  const offer = 'comity publish --serve or --proxy, or the middleware of @comity/site, sends them'
  return {
    about,
    state: 'missing',
    found: tried.length > 0 ? 'offered, but whole pages came' : 'not offered',
    advice: offer,
  }
}

/** What each offer is good for, and what gives a site one. */
const OFFERS: readonly (readonly [kind: OfferFacts['kind'], name: string, advice: string])[] = [
  ['sitemap', 'sitemap', 'comity publish writes one: crawlers then need not follow links to find pages'],
  ['change-list', 'change list', 'comity publish writes one: who follows it pays a few hundred bytes for a poll'],
  ['metadata-archive', 'metadata archives', 'comity publish writes them: sizes, types and dates of all pages, packed'],
  ['robots-rdf', 'robots.rdf', 'comity publish writes one'],
  ['dump', 'resource dump', 'comity publish writes one: all pages in a few requests'],
  ['change-dump', 'change dump', 'comity publish writes them: changed pages, many to a file'],
  ['wacz', 'web archive', 'comity publish writes one, which archive viewers open'],
  [
    'feed',
    'feed',
    'name one of the newest pages in the head of the home page: rel="alternate", RSS, Atom or JSON Feed',
  ],
  ['push', 'push', 'comity publish --hub sends subscribers what changes'],
  ['filter', 'filter', 'comity publish --serve or --proxy answers: one request for what changed since the last one'],
  ['batch', 'batch', 'comity publish --serve or --proxy answers: many pages in one request'],
]

function offerFindings(facts: CheckFacts): Finding[] {
  const seen = seenSite(facts)
  return OFFERS.flatMap(([kind, about, advice]) => {
    const found = facts.offers.filter((offer) => offer.kind === kind)
    if (found.length === 0) return [{ about, state: 'missing' as const, found: 'not offered', advice }]
    return found.map((offer) => offerFinding(about, offer, seen))
  })
}

function offerFinding(about: string, offer: OfferFacts, seen: SeenSite): Finding {
  const { state, found, advice } = offerVerdict(offer, seen)
  return { about, state, found: `${new URL(offer.url).pathname}: ${found}`, advice }
}

/** A server that was asked a moment ago may call that its date. */
const JUST_NOW_MS = 3_600_000

function seenSite({ requests, pages, checkedAt }: CheckFacts): SeenSite {
  const changes = pages.flatMap(({ status, byDate, lastModified = '' }) => {
    const at = Date.parse(lastModified)
    return status === 200 && byDate === 'right' && at < checkedAt - JUST_NOW_MS ? [at] : []
  })
  const kept = new Set(requests.filter(({ asksProof }) => asksProof).map(({ url }) => url))
  return { checkedAt, kept, ...(changes.length > 0 && { changedAt: Math.max(...changes) }) }
}

/** What leads to offers, and does not. */
function brokenFindings({ broken, requests }: CheckFacts): Finding[] {
  const kept = new Set(requests.filter(({ asksProof }) => asksProof).map(({ url }) => url))
  return broken.flatMap(({ url, problem }) => {
    if (kept.has(url)) return []
    const found = `${new URL(url).pathname}: ${problem}`
    return [
      {
        about: 'lists of offers',
        state: 'wrong' as const,
        found,
        advice: 'mend it or take it away: what it leads to is not found',
      },
    ]
  })
}

function digestFindings({ digests: { right, wrong } }: CheckFacts): Finding[] {
  if (wrong.length > 0)
    return [
      {
        about: 'truth of lists',
        state: 'wrong',
        found: `the digest of ${wrong[0]} is not that of the page`,
        advice: 'publish after every change, or mask what differs in every answer',
      },
    ]
  return right === 0 ? [] : [{ about: 'truth of lists', state: 'good', found: `${right} pages are what the lists say` }]
}
