/**
 * One scheme through one year: the site lives on in its process, the crawler polls it from another, and after each poll
 * the copy has to be the site, page by page: a price for less than that would be no price for the same thing.
 */
import { hash } from 'node:crypto'
import type { Instant } from '@comity/protocol'
import type { PollCost } from './schemes-client-process.ts'
import type { SiteToOpen } from './schemes-server-process.ts'
import type { SchemeForm } from './schemes-table.ts'
import { LabWorker } from './schemes-worker.ts'
import { DAY_MS, YearState } from './schemes-year.ts'
import type { Bodies, StoredBodies, Year } from './schemes-year.ts'

export interface SchemeCost extends PollCost {
  /** Processor time of the site: for answers, and for taking notice of what changed. */
  readonly serverMs: number
  readonly recordingMs: number
}

export interface SchemeRun {
  readonly form: SchemeForm
  readonly everyDays: number
  readonly polls: number
  /** The first copy, and all that came after it. */
  readonly first: SchemeCost
  readonly year: SchemeCost
  /** Pages compared after polls, all found to be those of the site. */
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
}

export async function runScheme(
  { year, bodies, digests }: Replay,
  form: SchemeForm,
  everyDays: number,
): Promise<SchemeRun> {
  await using site = new LabWorker('./schemes-server-process.ts')
  await using crawler = new LabWorker('./schemes-client-process.ts')
  const port = await site.call<number>('open', { year, bodies, door: form.site } satisfies SiteToOpen)
  await crawler.call('open', { scheme: form.id, port })
  const truth = new YearState(year)
  let compared = 0
  const poll = async (recordingMs: number): Promise<SchemeCost> => {
    const before = await site.call<number>('cpu')
    const cost = await crawler.call<PollCost>('poll', [...truth.pages.keys()])
    const serverMs = (await site.call<number>('cpu')) - before
    compared += check(form, truth, digests, await crawler.call('copy'))
    return { ...cost, serverMs, recordingMs }
  }
  const first = await poll(0)
  let total = nothing
  const times = pollTimes(year, everyDays)
  for (const at of times) {
    truth.advance(at)
    total = sum(total, await poll(await site.call<number>('advance', at)))
  }
  return { form, everyDays, polls: times.length, first, year: total, compared }
}

function check(
  { name }: SchemeForm,
  { pages }: YearState,
  digests: ReadonlyMap<string, string>,
  copy: readonly (readonly [path: string, digest: string])[],
): number {
  const wrong = copy.find(([path, digest]) => digests.get(pages.get(path) ?? '') !== digest)
  if (wrong === undefined && copy.length === pages.size) return copy.length
  const held = new Set(copy.map(([path]) => path))
  const missed = [...pages.keys()].find((path) => !held.has(path))
  throw new Error(`${name}: the copy is not the site: ${wrong?.[0] ?? missed ?? 'nothing'} is wrong or missing`)
}

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

export function sum(a: SchemeCost, b: SchemeCost): SchemeCost {
  const keys = Object.keys(nothing) as (keyof SchemeCost)[]
  return Object.fromEntries(keys.map((key) => [key, a[key] + b[key]])) as unknown as SchemeCost
}

export const networkBytes = ({ sent, received }: SchemeCost): number => sent + received
export const siteMs = ({ serverMs, recordingMs }: SchemeCost): number => serverMs + recordingMs
