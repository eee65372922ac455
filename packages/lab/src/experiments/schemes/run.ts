/**
 * One scheme through one year: the site lives on in its process, the crawler polls it from another or is sent to, and after
 * each poll and each delivery the copy has to be the site, page by page: a price for less than that would be no price for the
 * same thing.
 */
import { hash } from 'node:crypto'
import { decodeText, readHtml } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { CopyCheck } from './check.ts'
import type { Sameness } from './check.ts'
import type { PollCost, PollTerms, Received } from './client-process.ts'
import type { CopyNews } from '../../cooperating/copy.ts'
import type { PulledForm } from './pulled.ts'
import type { PushedForm } from './pushed.ts'
import type { Lived, SendingTerms, SiteToOpen } from './server-process.ts'
import type { SchemeForm } from './table.ts'
import { LabWorker } from './worker.ts'
import { DAY_MS, YearState } from '../../cooperating/year.ts'
import type { Bodies, StoredBodies, Year } from '../../cooperating/year.ts'

export interface SchemeCost extends PollCost {
  /** Processor time of the site: for answers and what it sends, and for taking notice of what changed. */
  readonly serverMs: number
  readonly recordingMs: number
}

export interface SchemeRun {
  readonly form: SchemeForm
  /** Of polls, of sending the entire site, or of an agent's runs; 0 for what is sent when it happens. */
  readonly everyDays: number
  /** Polls, or deliveries. */
  readonly polls: number
  /** The first copy, and all that came after it. */
  readonly first: SchemeCost
  readonly year: SchemeCost
  /** A poll, or a run of an agent, that finds nothing new; nothing at all for what is sent when it happens. */
  readonly idle: SchemeCost
  /** When the copy became the site, after the first time. */
  readonly synced: readonly Instant[]
  /** From a change, or the time to send, until it was taken in: half of the deliveries were faster, and 99 of 100. */
  readonly delayMs?: { readonly p50: number; readonly p99: number } | undefined
  /** How often a page was compared, after polls and deliveries, and found to be the site's. */
  readonly compared: number
}

/** Polls come at the end of days; the first when the year begins. */
export function pollTimes({ from, until }: Pick<Year, 'from' | 'until'>, everyDays: number): readonly Instant[] {
  const times: Instant[] = []
  for (let at = from + everyDays * DAY_MS; at <= until; at += everyDays * DAY_MS) times.push(at)
  return times
}

/** SHA-256 of every version, in hexadecimal digits. */
export const digestsOf = (bodies: Bodies): ReadonlyMap<string, string> =>
  new Map(Array.from(bodies, ([content, body]) => [content, hash('sha256', body)]))

/** All that runs of one year share. */
export interface Replay {
  readonly year: Year
  readonly bodies: StoredBodies
  readonly digests: ReadonlyMap<string, string>
  /** What readers see of a version, by its digest. */
  readonly textOf: (digest: string) => string
}

interface RunPeriods {
  readonly everyDays: number
  readonly agentDays: number
}

export async function runScheme(replay: Replay, form: SchemeForm, periods: RunPeriods): Promise<SchemeRun> {
  await using site = new LabWorker('./server-process.ts')
  await using crawler = new LabWorker('./client-process.ts')
  const { year, bodies } = replay
  const port = await site.call<number>('open', { year, bodies, door: form.site } satisfies SiteToOpen)
  const address = await crawler.call<string>('open', { scheme: form.id, port })
  const run = { replay, site, crawler, check: new CopyCheck(form.name, samenessOf(replay, form)) }
  return form.kind === 'pulled' ? await polled(run, form, periods.everyDays) : await sent(run, form, address, periods)
}

interface Running {
  readonly replay: Replay
  readonly site: LabWorker
  readonly crawler: LabWorker
  readonly check: CopyCheck
}

async function polled(
  { replay: { year }, site, crawler, check }: Running,
  form: PulledForm,
  everyDays: number,
): Promise<SchemeRun> {
  const truth = new YearState(year)
  let touched: readonly string[] = form.knows === true ? [...truth.pages.keys()] : []
  const poll = async (at: Instant, recordingMs: number): Promise<SchemeCost> => {
    const before = await site.call<number>('cpu')
    const listed = form.knows === true ? new Set(touched) : truth.pages.keys()
    const cost = await crawler.call<PollCost>('poll', { listed: [...listed], at } satisfies PollTerms)
    const serverMs = (await site.call<number>('cpu')) - before
    const news = await crawler.call<CopyNews>('news')
    check.note(news)
    check.compare(truth.pages, [...touched, ...news.map(([path]) => path)])
    return { ...cost, serverMs, recordingMs }
  }
  const first = await poll(year.from, 0)
  let total = nothing
  const times = pollTimes(year, everyDays)
  for (const at of times) {
    touched = truth.advance(at).map(({ path }) => path)
    total = sum(total, await poll(at, await site.call<number>('advance', at)))
  }
  touched = []
  const idle = await poll(times.at(-1) ?? year.from, 0)
  check.compareAll(truth.pages)
  return { form, everyDays, polls: times.length, first, year: total, idle, synced: times, compared: check.compared }
}

async function sent(
  { replay: { year }, site, crawler, check }: Running,
  form: PushedForm,
  address: string,
  { everyDays, agentDays }: RunPeriods,
): Promise<SchemeRun> {
  const { terms, ownDays } = { terms: form.push, ownDays: form.push.when === 'agent' ? agentDays : everyDays }
  await site.call('send', { terms, address, everyMs: ownDays * DAY_MS } satisfies SendingTerms)
  const truth = new YearState(year)
  const synced: Instant[] = []
  const delays: number[] = []
  let before = { cost: (await crawler.call<Received>('received')).cost, cpu: await site.call<number>('cpu') }
  const stretch = async (to: Instant): Promise<SchemeCost> => {
    const { sendings, recordingMs } = await site.call<Lived>('live', to)
    if (terms.scheme === 'site') await crawler.call('siteEnded')
    const { cost, news } = await crawler.call<Received>('received')
    const cpu = await site.call<number>('cpu')
    let [taken, touched] = [0, [] as string[]]
    for (const [i, { at, tookMs, requests }] of sendings.entries()) {
      touched.push(...truth.advance(at).map(({ path }) => path))
      // What has to be asked for when an entire site has come belongs to the last request of it.
      const end = i === sendings.length - 1 ? news.length : requests
      for (; taken < end; taken++) {
        check.note(news[taken]!)
        touched.push(...news[taken]!.map(([path]) => path))
      }
      check.compare(truth.pages, touched)
      touched = []
      synced.push(at + tookMs)
      delays.push(tookMs)
    }
    const spent = { ...minus(cost, before.cost), serverMs: cpu - before.cpu - recordingMs, recordingMs }
    before = { cost, cpu }
    return spent
  }
  const first = await stretch(year.from)
  synced.length = delays.length = 0
  // An entire site is sent when a period ends, so one period at a time; all else as long as it likes.
  let total = nothing
  for (const at of terms.scheme === 'site' ? pollTimes(year, everyDays) : [year.until])
    total = sum(total, await stretch(at))
  check.compareAll(truth.pages)
  const idle = { ...nothing, serverMs: await site.call<number>('idle') }
  return {
    form,
    everyDays: terms.when === 'agent' || terms.when === 'each period' ? ownDays : 0,
    polls: synced.length,
    first,
    year: total,
    idle,
    synced,
    delayMs: delaysOf(delays),
    compared: check.compared,
  }
}

/** The same bytes; to an agent that looks at words alone, the same words. */
function samenessOf({ digests, textOf }: Replay, form: SchemeForm): Sameness {
  const isSame: Sameness = (content, digest) => digests.get(content) === digest
  if (form.kind === 'pulled' || form.push.agent !== 'visible-text-change') return isSame
  return (content, digest) => isSame(content, digest) || textOf(digests.get(content) ?? '') === textOf(digest)
}

/** What readers see of each version, as the example agent has it. */
export function visibleTexts(bodies: Bodies, digests: ReadonlyMap<string, string>): Replay['textOf'] {
  const byDigest = new Map(Array.from(bodies, ([content, body]) => [digests.get(content), body]))
  const texts = new Map<string, string>()
  return (digest) => {
    const known = texts.get(digest)
    if (known !== undefined) return known
    const { title, text } = readHtml(decodeText(byDigest.get(digest) ?? new Uint8Array(0), 'text/html').text)
    const seen = hash('sha256', `${title}\n${text}`.replaceAll(/\s+/gu, ' ').trim())
    texts.set(digest, seen)
    return seen
  }
}

export const delaysOf = (delays: readonly number[]): NonNullable<SchemeRun['delayMs']> => ({
  p50: quantile(delays, 0.5),
  p99: quantile(delays, 0.99),
})

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? NaN

export const nothing: SchemeCost = {
  requests: 0,
  connections: 0,
  sent: 0,
  received: 0,
  cpuMs: 0,
  wallMs: 0,
  fetched: 0,
  changes: 0,
  broken: 0,
  serverMs: 0,
  recordingMs: 0,
}

function eachOf<Cost extends PollCost>(a: Cost, b: Cost, how: (a: number, b: number) => number): Cost {
  const entries = Object.entries(a) as [keyof Cost, number][]
  return Object.fromEntries(entries.map(([key, value]) => [key, how(value, b[key] as number)])) as unknown as Cost
}

export const sum = (a: SchemeCost, b: SchemeCost): SchemeCost => eachOf(a, b, (one, other) => one + other)
export const scaled = (cost: SchemeCost, by: number): SchemeCost => eachOf(cost, cost, (one) => one * by)
const minus = (a: PollCost, b: PollCost): PollCost => eachOf(a, b, (one, other) => one - other)

export const networkBytes = ({ sent: out, received }: SchemeCost): number => out + received
export const siteMs = ({ serverMs, recordingMs }: SchemeCost): number => serverMs + recordingMs
