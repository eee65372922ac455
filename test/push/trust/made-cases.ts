/**
 * Made cases: sites that push, honest ones with whatever makes a page another one between the moment it is sent and the moment
 * it is compared, and liars. All follow from the seed.
 */
import { writeHttpDate } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { createRandom, seedOf } from '../../../packages/testbed/src/seeded-random.ts'
import type { Random } from '../../../packages/testbed/src/seeded-random.ts'
import { MadeSite, PLAIN, wholeSecond } from './made-site.ts'
import type { Cache, MadeAnswer, SiteTraits, Trouble, Version } from './made-site.ts'
import { MadeWatch } from './made-watch.ts'
import type { SentPage, WatchFigures } from './made-watch.ts'

/** How pages are sent: each as it changes, or many together on a schedule, or all of the site. */
export const WAYS = ['pages', 'differences', 'batches', 'site', 'all pages'] as const
export type Way = (typeof WAYS)[number]

/** What is hard about an honest site. */
export const HARDSHIPS = [
  'busy while it sends',
  'clocks apart',
  'a cache in front',
  'several caches in front',
  'a cache that hides its age',
  'slow and doubled deliveries',
  'redirects',
  'pages that differ each time',
  'errors for a while',
  'no Last-Modified',
  'everything at once',
] as const
export type Hardship = (typeof HARDSHIPS)[number]

export const LIARS = [
  'does not lie',
  'never serves what it sends',
  'sends living pages as gone',
  'lies about 1 %',
  'lies about 5 %',
  'lies about 20 %',
  'lies in one folder',
  'honest at first',
  'honest at first, then 20 %',
  'lies, is silent, and lies',
  'busy, and lies about 20 %',
  'forges Last-Modified',
  'forges the age of a cache',
  'answers 403 when looked at',
  'lies, and serves a counter',
  'lies about 30 %, and calls all that it serves new',
  'lies about 30 %, and says nothing of when',
  'lies about 30 %, of pages that are gone',
  'lies anew each half minute, behind forged caches',
  'lies anew each half minute, and answers 403',
  'lies anew each half minute, and the truth now and then',
  'says that it sends from tomorrow',
] as const
export type Liar = (typeof LIARS)[number]

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 0, 5, 12)

interface MadeCase {
  readonly way: Way
  readonly site: MadeSite
  readonly watch: MadeWatch
  readonly random: Random
  readonly until: Instant
}

// ── honest sites ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface HonestCase {
  readonly seed: number
  readonly way: Way
  readonly hardship: Hardship
}

export function honestCase(seed: number): HonestCase {
  return {
    seed,
    way: WAYS[seed % WAYS.length]!,
    hardship: HARDSHIPS[Math.floor(seed / WAYS.length) % HARDSHIPS.length]!,
  }
}

export function runHonest({ seed, way, hardship }: HonestCase): WatchFigures {
  const random = createRandom(seedOf('honest', seed))
  const pages = pagesOf(way, random)
  const traits = traitsOf(hardship, pages, random)
  const made = caseOf(way, pages, traits, random, (site) => (page, at) => site.answer(page, at))
  const line = LINES[hardship === 'slow and doubled deliveries' || hardship === 'everything at once' ? 'poor' : 'good']
  new MadeSender(made, line, honestly).begin()
  return made.watch.run(made.until)
}

const pagesOf = (way: Way, random: Random): number =>
  way === 'site' || way === 'all pages' ? random.pick([200, 1_000, 2_931]) : random.between(30, 400)

function traitsOf(hardship: Hardship, pages: number, random: Random): SiteTraits {
  const is = (...names: Hardship[]): boolean => names.includes(hardship) || hardship === 'everything at once'
  const some = (share: number): Set<number> =>
    new Set(Array.from({ length: pages }, (_, page) => page).filter(() => random.chance(share)))
  return {
    ...PLAIN,
    ...(is('clocks apart') && {
      aheadMs: random.pick([-1, 1]) * random.pick([3 * SECOND, MINUTE, HOUR, 5 * HOUR]),
      serverAheadMs: random.pick([0, 0, -1, 1]) * random.pick([SECOND, 20 * SECOND]),
    }),
    ...((is('several caches in front') || is('a cache in front')) && {
      caches: Array.from({ length: is('several caches in front') ? 3 : 1 }, () =>
        cacheOf(random.pick([30 * SECOND, 5 * MINUTE, HOUR]), random, true),
      ),
    }),
    ...(hardship === 'a cache that hides its age' && {
      caches: [cacheOf(random.pick([10, 30]) * SECOND, random, false)],
    }),
    ...(is('redirects') && { redirected: some(0.1) }),
    ...(is('pages that differ each time') && {
      restless: some(hardship === 'everything at once' ? 0.05 : random.pick([0.02, 0.2, 1])),
    }),
    ...(is('errors for a while') && { troubles: troublesOf(random) }),
    saysModified: hardship !== 'no Last-Modified',
  }
}

const cacheOf = (maxAgeMs: number, random: Random, isOpen: boolean): Cache => ({
  maxAgeMs,
  since: BEGIN - 30 * DAY - random.int(maxAgeMs),
  isOpen,
})

const troublesOf = (random: Random): Trouble[] =>
  Array.from({ length: 3 }, () => {
    const from = BEGIN + random.int(2 * HOUR)
    return { from, to: from + random.between(10, 300) * SECOND, status: random.pick([500, 502, 503, 429, 403, 403]) }
  })

function caseOf(
  way: Way,
  pages: number,
  traits: SiteTraits,
  random: Random,
  answerOf: (site: MadeSite) => (page: number, at: Instant) => MadeAnswer,
): MadeCase {
  const site = new MadeSite(random, traits)
  for (let page = 0; page < pages; page++) site.add(BEGIN - 40 * DAY + random.int(DAY))
  const watching = {
    restMs: random.pick([0, 100, 1_000, 5_000, 15_000]),
    latencyMs: random.pick([20, 100, 600]),
    pageMs: random.pick([2, 5, 20]),
    aheadMs: random.pick([0, 0, -90 * SECOND, 90 * SECOND]),
  }
  const answer = answerOf(site)
  const watch = new MadeWatch(BEGIN - 2 * DAY, watching, random, (page, at) =>
    traits.redirected.has(page) ? { ...answer(page, at), status: 301 } : answer(page, at),
  )
  const isWhole = way === 'site' || way === 'all pages'
  // Most were crawled; some are not known yet.
  for (let page = 0; page < pages; page++) {
    const isKnown = random.chance(0.9) && !traits.redirected.has(page)
    if (isKnown) watch.hold(page, BEGIN - 2 * DAY + random.int(HOUR))
  }
  const edits: { at: Instant; page: number }[] = []
  // Before: what a crawl did not see.
  if (isWhole)
    for (let page = 0; page < pages; page++)
      if (random.chance(0.6)) edits.push({ page, at: BEGIN - random.between(HOUR, DAY) })
  const until = BEGIN + (isWhole ? 3 : 6) * HOUR
  // During: some pages are the busy ones, and an editor saves more than once.
  const folder = random.chance(0.5) ? 0 : random.int(pages)
  const busy = Array.from({ length: Math.max(3, Math.floor(pages * 0.05)) }, (_, index) => (folder + index) % pages)
  const count = isWhole ? random.pick([10, 40, 150]) : random.between(100, 600)
  const during = isWhole ? random.pick([20 * SECOND, 2 * MINUTE, 20 * MINUTE]) : until - BEGIN
  for (let edit = 0; edit < count; edit++) {
    const page = random.chance(0.5) ? random.pick(busy) : random.int(pages)
    const at = BEGIN + random.int(during)
    const saves = random.chance(0.2) ? random.between(2, 6) : 1
    for (let save = 0; save < saves; save++) edits.push({ page, at: at + save * random.between(2, 40) * SECOND })
  }
  // And after it.
  for (let edit = 0; edit < 20; edit++) edits.push({ page: random.int(pages), at: BEGIN + during + random.int(HOUR) })
  for (const { page, at } of edits.toSorted((a, b) => a.at - b.at)) {
    const isGone = site.pages[page]!.at(-1)!.key === undefined
    if (isGone) site.restore(page, at)
    else if (random.chance(0.03)) site.remove(page, at)
    else site.edit(page, at)
  }
  return { way, site, watch, random, until }
}

// ── how they send ────────────────────────────────────────────────────────────────────────────────────────────────

interface Line {
  readonly delayMs: readonly [number, number]
  readonly failures: number
  readonly doubles: number
}

const LINES = {
  good: { delayMs: [50, 2_000], failures: 0.02, doubles: 0 },
  poor: { delayMs: [500, 60_000], failures: 0.4, doubles: 0.2 },
} as const satisfies Record<string, Line>

/** What it says of a page, which may be a lie; undefined when it says nothing of it. */
type Says = (
  page: number,
  version: Version,
  at: Instant,
) => { readonly version: Version; readonly isLie: boolean; readonly aheadMs?: number } | undefined

const honestly: Says = (_page, version) => ({ version, isLie: false })

/** As the site's kit sends (`deliver/delivery-worker.ts`): one delivery at a time, the newest of each page, again when it failed. */
class MadeSender {
  readonly #made: MadeCase
  readonly #line: Line
  readonly #says: Says
  /** By time. */
  readonly #journal: readonly { readonly at: Instant; readonly page: number }[]
  readonly #held = new Map<number, Version>()
  readonly #partPages: number
  readonly #everyMs: number
  #cursor = 0
  #walked = 0
  #failures = 0

  constructor(made: MadeCase, line: Line, says: Says) {
    this.#made = made
    this.#line = line
    this.#says = says
    const { way, random, site } = made
    this.#partPages = way === 'site' ? random.pick([300, 1_000, 4_000]) : random.pick([50, 500])
    this.#everyMs = way === 'batches' ? random.pick([SECOND, MINUTE, 15 * MINUTE, HOUR]) : 250
    this.#walked = way === 'site' || way === 'all pages' ? 0 : site.pages.length
    this.#journal = site.pages
      .flatMap((versions, page) => versions.map(({ at }) => ({ at, page })))
      .filter(({ at }) => at >= BEGIN)
      .toSorted((a, b) => a.at - b.at)
  }

  begin(): void {
    this.#made.watch.at(BEGIN, () => this.#send())
  }

  #send(): void {
    const { watch, site, way } = this.#made
    const isWalking = this.#walked < site.pages.length
    // Who sends its whole site says nothing after that.
    if (!isWalking && way === 'site') return
    const { pages, next } = isWalking ? this.#walk() : this.#follow(watch.now)
    if (pages.length > 0) return this.#deliver(pages, next, isWalking)
    const change = this.#journal[this.#cursor]
    if (change !== undefined) watch.at(this.#slotAfter(change.at), () => this.#send())
  }

  #slotAfter(at: Instant): Instant {
    return BEGIN + Math.ceil((at + 1 - BEGIN) / this.#everyMs) * this.#everyMs
  }

  #walk(): { readonly pages: readonly number[]; readonly next: number } {
    const next = Math.min(this.#made.site.pages.length, this.#walked + this.#partPages)
    return { pages: Array.from({ length: next - this.#walked }, (_, index) => this.#walked + index), next }
  }

  /** Of each page that changed the newest, in the order of their newest changes. */
  #follow(now: Instant): { readonly pages: readonly number[]; readonly next: number } {
    const pages = new Set<number>()
    let next = this.#cursor
    for (; next < this.#journal.length && this.#journal[next]!.at <= now && pages.size < this.#partPages; next++) {
      const { page } = this.#journal[next]!
      pages.delete(page)
      pages.add(page)
    }
    return { pages: [...pages], next }
  }

  #deliver(pages: readonly number[], next: number, isWalking: boolean): void {
    const { watch, random } = this.#made
    const madeAt = watch.now
    const sent = pages.flatMap((page) => this.#page(page, madeAt, isWalking))
    // A large part is a long upload.
    const [least, most] = this.#line.delayMs
    const uploadMs = isWalking ? pages.length * random.between(5, 300) : 0
    const arrivesAt = madeAt + random.between(least, most) + uploadMs
    if (random.chance(this.#line.failures)) return this.#failed(arrivesAt)
    this.#failures = 0
    watch.at(arrivesAt, () => watch.arrive(sent))
    if (random.chance(this.#line.doubles))
      watch.at(arrivesAt + random.between(1, 600) * SECOND, () => watch.arrive(sent))
    watch.at(isWalking ? arrivesAt + 50 : Math.max(arrivesAt + 50, this.#slotAfter(arrivesAt)), () => {
      if (isWalking) this.#walked = next
      else this.#cursor = next
      for (const { page, version } of sent) this.#held.set(page, version)
      this.#send()
    })
  }

  #failed(at: Instant): void {
    const { watch, random } = this.#made
    const waitMs = Math.min(HOUR, 2 * SECOND * 2 ** this.#failures++)
    watch.at(at + waitMs * (0.5 + 0.5 * random.next()), () => this.#send())
  }

  #page(page: number, at: Instant, isWalking: boolean): SentPage[] {
    const { site, way } = this.#made
    const version = site.at(page, at)
    // A dump says what is there.
    if (isWalking && version.key === undefined) return []
    const said = this.#says(page, version, at)
    if (said === undefined) return []
    const isDump = way === 'site' || way === 'batches'
    const { aheadMs = 0 } = said
    const asOf = aheadMs + (isDump ? wholeSecond(site.says(said.isLie ? at : version.at)) : site.says(at))
    const base = way === 'differences' && said.version.key !== undefined ? this.#held.get(page)?.key : undefined
    const scheme = isDump ? 'dump' : base === undefined ? undefined : 'difference'
    return [{ page, version: said.version, asOf, isLie: said.isLie, base, scheme }]
  }
}

// ── liars ────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface LiarCase {
  readonly seed: number
  readonly way: Way
  readonly liar: Liar
}

export const liarCase = (seed: number): LiarCase => ({
  seed,
  way: WAYS[Math.floor(seed / LIARS.length) % WAYS.length]!,
  liar: LIARS[seed % LIARS.length]!,
})

const SHARES: Partial<Record<Liar, number>> = {
  'does not lie': 0,
  'lies about 1 %': 0.01,
  'lies about 5 %': 0.05,
  'lies about 20 %': 0.2,
  'honest at first, then 20 %': 0.2,
  'busy, and lies about 20 %': 0.2,
  'lies about 30 %, and calls all that it serves new': 0.3,
  'lies about 30 %, and says nothing of when': 0.3,
  'lies about 30 %, of pages that are gone': 0.3,
}

export function runLiar({ seed, way, liar }: LiarCase): WatchFigures {
  const random = createRandom(seedOf('liar', seed))
  const pages = pagesOf(way, random)
  const restless =
    liar === 'lies, and serves a counter' ? new Set(Array.from({ length: pages }, (_, page) => page)) : PLAIN.restless
  const saysModified = liar !== 'lies about 30 %, and says nothing of when'
  /** Pages of which it has lied. */
  const liedOf = new Set<number>()
  const made = caseOf(way, pages, { ...PLAIN, restless, saysModified }, random, (site) => servedBy(liar, site, liedOf))
  const { site, watch, until } = made
  const share = SHARES[liar] ?? 1
  const folder = [random.int(pages), Math.ceil(pages / 10)] as const
  const liesFrom = liar.startsWith('honest at first') ? 200 : 0
  let [said, lied] = [0, 0]
  let silentUntil = 0
  const lie: Says = (page, version, at) => {
    if (at < silentUntil) return undefined
    if (++said <= liesFrom) return { version, isLie: false }
    const isIn = liar === 'lies in one folder' ? (page - folder[0] + pages) % pages < folder[1] : random.chance(share)
    if (!isIn) return { version, isLie: false }
    if (++lied === 3 && liar === 'lies, is silent, and lies') silentUntil = at + 30 * MINUTE
    if (liar === 'sends living pages as gone')
      return version.key === undefined
        ? undefined
        : { version: { at, key: undefined, simhash: undefined }, isLie: true }
    // Now and then what it sends is true.
    if (liar === 'lies anew each half minute, and the truth now and then' && lied % 6 === 1)
      return { version, isLie: false }
    liedOf.add(page)
    return {
      version: site.version(at),
      isLie: true,
      ...(liar === 'says that it sends from tomorrow' && { aheadMs: 20 * HOUR }),
    }
  }
  if (liar.startsWith('lies about 30 %')) renewAll(made)
  // Who has to wait for an edit to lie says that pages changed which did not.
  if (liar.startsWith('lies anew')) for (const page of [0, 1, 2, 3]) claimEach(made, page, MINUTE / 2)
  else if (way !== 'site' && way !== 'all pages') claimChanges(made)
  new MadeSender(made, LINES.good, lie).begin()
  return watch.run(until, () => watch.isStruck)
}

function claimChanges({ site, random, until }: MadeCase): void {
  for (let claim = 0; claim < 300; claim++)
    claimChange(site.pages[random.int(site.pages.length)]!, BEGIN + random.int(until - BEGIN))
}

function claimEach({ site, until }: MadeCase, page: number, everyMs: number): void {
  for (let at = BEGIN; at < until; at += everyMs) claimChange(site.pages[page]!, at)
}

/** The same page, and the site says once more that it is another. */
function claimChange(versions: Version[], at: Instant): void {
  const place = versions.findLastIndex((version) => version.at <= at)
  const { key, simhash, at: madeAt, modifiedAt: since = madeAt } = versions[Math.max(0, place)]!
  if (key !== undefined) versions.splice(place + 1, 0, { at, key, simhash, modifiedAt: since })
}

/** Each page is another one than the crawl has found. */
function renewAll({ site }: MadeCase): void {
  const at = BEGIN - 30 * MINUTE
  for (const versions of site.pages)
    versions.splice(versions.findLastIndex((one) => one.at <= at) + 1, 0, site.version(at))
}

function servedBy(liar: Liar, site: MadeSite, liedOf: ReadonlySet<number>): (page: number, at: Instant) => MadeAnswer {
  if (liar === 'lies about 30 %, and calls all that it serves new')
    return (page, at) => {
      const answer = site.answer(page, at)
      return { ...answer, ...modified(answer, answer.servedAt) }
    }
  if (liar === 'lies about 30 %, of pages that are gone')
    return (page, at) => ({ ...site.answer(page, at), ...(liedOf.has(page) && { status: 404 }) })
  if (liar === 'forges Last-Modified')
    return (page, at) => {
      const answer = site.answer(page, at)
      return { ...answer, ...modified(answer, answer.servedAt - SECOND) }
    }
  if (liar === 'forges the age of a cache' || liar === 'lies anew each half minute, behind forged caches')
    return (page, at) => {
      const answer = site.answer(page, at)
      const servedAt = answer.servedAt - 50 * MINUTE
      const headers = [
        ['Date', new Date(servedAt).toUTCString()],
        ['Age', '3000'],
        ['Cache-Control', 'max-age=3600'],
      ] as const
      return { ...answer, servedAt, headers }
    }
  // Only a crawl is shown the pages.
  if (liar === 'answers 403 when looked at' || liar === 'lies anew each half minute, and answers 403')
    return (page, at) => ({ ...site.answer(page, at), ...(at >= BEGIN && { status: 403 }) })
  return (page, at) => site.answer(page, at)
}

function modified({ headers }: MadeAnswer, at: Instant): Pick<MadeAnswer, 'headers' | 'lastModified'> {
  const lastModified = writeHttpDate(at)
  const others = headers.filter(([name]) => name !== 'Last-Modified')
  return { headers: [...others, ['Last-Modified', lastModified]], lastModified }
}
