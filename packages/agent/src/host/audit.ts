/**
 * Agent audit: did a site run the agent it says it ran, over the pages it serves? The engine runs the same bundle over pages
 * that it fetched itself, and compares. An agent is deterministic, so an honest site and an honest audit agree to the letter.
 *
 *   per page    an agent that declares it looks at one page at a time is run over a sample of the pages. What it remembers
 *               may decide whether it sends a record, not what is in it: an audit remembers nothing, and so gets a record
 *               for every page.
 *   whole       any other agent is run over all pages, and only when they are the very pages the site ran it over
 *               (`pagesDigest`).
 *
 * A page that is another by now, or was another when the agent ran, proves nothing and is counted apart (`moved`). Fields
 * that the manifest names in `unaudited` are left out: pages alone do not tell them.
 */
import type { AgentBundle } from '../bundle/bundle.ts'
import type { AgentCaps } from '../bundle/caps.ts'
import { runAgent } from './host.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import { inOrder, pagesDigest } from './pages.ts'
import type { AgentPage, AgentPages } from './pages.ts'
import type { AgentRecord } from '../bundle/record.ts'
import type { AgentResult, ReportedRecord } from '../bundle/result.ts'

export interface AuditTask {
  readonly bundle: AgentBundle
  /** What the site sent, oldest first; of an agent that is run whole, the newest counts alone. */
  readonly results: readonly AgentResult[]
  /** The pages as the engine fetched them; `modifiedAt` is when that content was first known. */
  readonly pages: AgentPages
  /** Pages to look at, of an agent that is run page by page. */
  readonly sample: number
  /** From 0 to 1, below 1: which pages are looked at must not be known beforehand. */
  readonly random: () => number
  readonly caps?: AgentCaps | undefined
  readonly signal?: AbortSignal | undefined
}

/** missing: we get a record that the site did not send. extra: the other way round. differs: both, and not the same. */
export interface Disagreement {
  readonly url: string
  readonly what: 'missing' | 'extra' | 'differs'
  readonly ours?: AgentRecord | undefined
  readonly theirs?: AgentRecord | undefined
}

export type AuditReport =
  | {
      readonly kind: 'agrees' | 'differs'
      readonly mode: 'per-page' | 'whole'
      /** Pages that could be compared, and those that were other pages when the agent ran. */
      readonly compared: number
      readonly moved: number
      /** Pages we and the site say other things of. */
      readonly disagreeing: number
      /** The first few. */
      readonly disagreements: readonly Disagreement[]
    }
  | { readonly kind: 'not-comparable'; readonly reason: string }
  /** The bundle itself does not run here. */
  | { readonly kind: 'failed'; readonly outcome: AgentOutcome; readonly message: string }

const MAX_TOLD = 20

export async function auditAgent(task: AuditTask): Promise<AuditReport> {
  const { bundle, results, pages, sample, random } = task
  const foreign = results.find(({ head }) => head.bundle !== bundle.digest)
  const newest = results.at(-1)
  if (newest === undefined) return notComparable('there is no result to audit')
  if (foreign !== undefined) return notComparable(`a result is of another bundle, ${foreign.head.bundle}`)
  const all = inOrder(pages.list())
  if (bundle.manifest.perPage) return await auditSample(task, chosen(all, sample, random), latestOf(results), newest)
  if (pagesDigest(all) !== newest.head.pagesDigest)
    return notComparable('the site ran it over other pages than those that were fetched: fetch them, or run it again')
  return await compare(task, all, recordsOf(newest.records), 'whole', 0)
}

const notComparable = (reason: string): AuditReport => ({ kind: 'not-comparable', reason })

async function auditSample(
  task: AuditTask,
  sampled: readonly AgentPage[],
  reported: Reported,
  { head }: AgentResult,
): Promise<AuditReport> {
  const isSame = ({ url, digest, modifiedAt }: AgentPage): boolean => {
    const theirs = reported.get(url)
    // Of a page they say nothing of, it counts whether they can have known it.
    return theirs === undefined ? modifiedAt <= head.at : theirs.every(({ page }) => page === digest)
  }
  const same = sampled.filter(isSame)
  return await compare(task, same, reported, 'per-page', sampled.length - same.length)
}

type Reported = ReadonlyMap<string, readonly ReportedRecord[]>

function recordsOf(records: readonly ReportedRecord[]): Map<string, ReportedRecord[]> {
  return Map.groupBy(records, ({ record }) => record.url)
}

/** What was last said of each page. */
function latestOf(results: readonly AgentResult[]): Reported {
  return new Map(results.flatMap(({ records }) => [...recordsOf(records)]))
}

async function compare(
  { bundle, pages, caps, signal }: AuditTask,
  over: readonly AgentPage[],
  reported: Reported,
  mode: 'per-page' | 'whole',
  moved: number,
): Promise<AuditReport> {
  if (over.length === 0) return notComparable(`no page could be compared; ${moved} were other pages then`)
  const ours: ReportedRecord[] = []
  const source: AgentPages = { list: () => over, read: async (page) => await pages.read(page) }
  const run = await runAgent({
    bundle,
    pages: source,
    caps,
    signal,
    onRecord: ({ record, page }) => ours.push({ record, page }),
  })
  if (run.outcome !== 'done') return { kind: 'failed', outcome: run.outcome, message: run.message }
  const made = recordsOf(ours)
  const { unaudited } = bundle.manifest
  const found = over.flatMap(
    ({ url }) => disagreementOf(url, made.get(url) ?? [], reported.get(url) ?? [], unaudited) ?? [],
  )
  const kind = found.length === 0 ? 'agrees' : 'differs'
  const counts = { compared: over.length, moved, disagreeing: found.length }
  return { kind, mode, ...counts, disagreements: found.slice(0, MAX_TOLD) }
}

function disagreementOf(
  url: string,
  ours: readonly ReportedRecord[],
  theirs: readonly ReportedRecord[],
  unaudited: readonly string[],
): Disagreement | undefined {
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const [our, their] = [ours[i]?.record, theirs[i]?.record]
    if (our === undefined) return { url, what: 'extra', theirs: their }
    if (their === undefined) return { url, what: 'missing', ours: our }
    if (auditedText(our, unaudited) !== auditedText(their, unaudited))
      return { url, what: 'differs', ours: our, theirs: their }
  }
  return undefined
}

/** A record as text, with its fields in the order of their names and without those that cannot be audited. */
function auditedText(record: AgentRecord, unaudited: readonly string[]): string {
  const fields = Object.entries(record).filter(([name]) => !unaudited.includes(name))
  return JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** So many of the pages, each as likely as any other, in their order. */
function chosen(pages: readonly AgentPage[], count: number, random: () => number): AgentPage[] {
  const kept: AgentPage[] = []
  for (const [i, page] of pages.entries()) {
    // Selection sampling (Knuth, TAOCP 3.4.2, algorithm S).
    if (random() * (pages.length - i) < count - kept.length) kept.push(page)
  }
  return kept
}
