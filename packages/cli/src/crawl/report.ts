/** Crawl report: what a crawl came to, for a person. Pure: facts in, lines out. */
import { FORGOTTEN_SEED_MARK } from '@comity/collection'
import type { CrawlSummary } from '@comity/crawler'
import { siteOf } from '@comity/protocol'
import { outcomeColour, outcomeSentence } from './outcome-words.ts'
import { exclusionSentence } from '@comity/frontier'
import { counted, formatBytes, formatCount, formatDuration, formatPerSecond } from '../terminal/quantity.ts'
import { plain, shellWord, visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

/** What the summary does not say but the command knows. */
export interface RunFacts {
  readonly maxPages: number
  readonly maxBytes: number
}

interface SeedResult {
  readonly url: string
  readonly done: boolean
  readonly waiting: number
  /** Why it is not done. */
  readonly why?: string
}

/** Start pages shown before the rest is only counted. */
const MAX_SEEDS_SHOWN = 12
const MAX_SITES_SHOWN = 12
const MAX_BATCHES_SHOWN = 12
const MAX_REASONS_SHOWN = 6

/** The summary as `--json` prints it: with the reasons that only the command knows. */
export function jsonSummary(summary: CrawlSummary, facts: RunFacts): object {
  return { ...summary, seeds: seedResults(summary, facts) }
}

function seedResults(summary: CrawlSummary, facts: RunFacts): SeedResult[] {
  // A start page that was forgotten keeps its place in the list, and nothing else.
  const seeds = summary.seeds.filter(({ url }) => !url.startsWith(FORGOTTEN_SEED_MARK))
  return seeds.map((seed) => {
    const { url, done, waiting } = seed
    return done ? seed : { url, done, waiting, why: whyNotDone(url, summary, facts) }
  })
}

function whyNotDone(url: string, summary: CrawlSummary, { maxPages, maxBytes }: RunFacts): string {
  const { givenUp } = summary
  if (givenUp.some(({ origin }) => origin === siteOf(url))) return 'its site was given up for this run'
  if (summary.pages >= maxPages) return `--max-pages ${formatCount(maxPages)} is reached`
  if (summary.bytes >= maxBytes) return `--max-bytes ${formatBytes(maxBytes)} is reached`
  if (summary.interrupted) return 'stopped before it was done'
  if (givenUp.length > 0) return 'its links lead to sites that gave no answer'
  return 'the budget of a site is spent (--site-pages, --site-bytes)'
}

export function crawlReport(summary: CrawlSummary, facts: RunFacts, paint: Paint = plain): string[] {
  return [
    '',
    ...headline(summary, paint),
    ...section('How the visits ended', outcomeLines(summary, paint), paint),
    ...section('Finding the files', typedLines(summary), paint),
    ...section('From dumps', dumpLines(summary), paint),
    ...section('Batches', batchLines(summary), paint),
    ...section('Pages that need scripts', scriptLines(summary), paint),
    ...section('Excluded', exclusionLines(summary), paint),
    ...section('Sites given up for this run', givenUpLines(summary), paint),
    ...section('Not in the index', indexLines(summary, paint), paint),
    ...section('Start pages', seedLines(summary, facts, paint), paint),
  ]
}

export function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines]
}

function headline(summary: CrawlSummary, paint: Paint): string[] {
  const { pages, sites, seconds, bytes, links, pagesPerSecond, waiting } = summary
  const now = Math.round(pagesPerSecond * seconds)
  const whole = `${counted(pages, 'page')} from ${counted(sites, 'site')}`
  const took = `${formatDuration(seconds * 1_000)}, ${formatPerSecond(pagesPerSecond)}`
  const run = now === pages ? `in ${took}` : `(${formatCount(now)} of them just now, in ${took})`
  const rest = waiting === 0 ? 'nothing waits' : `${counted(waiting, 'known page')} still to fetch`
  return [`${paint('bold', whole)} ${run}`, `${formatBytes(bytes)}, ${counted(links, 'link')}; ${rest}`]
}

function outcomeLines({ outcomes }: CrawlSummary, paint: Paint): string[] {
  const rows = Object.entries(outcomes).toSorted(([, a], [, b]) => b - a)
  const lines = textTable(
    rows.map(([name, count]) => [name, formatCount(count), outcomeSentence(name)]),
    ['left', 'right', 'left'],
  )
  return lines.map((line, i) => paint(outcomeColour(rows[i]?.[0] ?? ''), line))
}

/** Of a crawl in batches: how long each took, and how many visits stood idle at its tail (004 §6). */
function batchLines({ batches }: CrawlSummary): string[] {
  const rows = batches
    .slice(-MAX_BATCHES_SHOWN)
    .map(({ number, pages, sites, seconds, tailSeconds, idleVisitSeconds }) => [
      `${number}`,
      counted(pages, 'page'),
      counted(sites, 'site'),
      formatDuration(seconds * 1_000),
      `tail ${formatDuration(tailSeconds * 1_000)}`,
      `${(seconds > 0 ? idleVisitSeconds / seconds : 0).toFixed(1)} visits idle on average`,
    ])
  return textTable(rows, ['right', 'right', 'right', 'right', 'right', 'left'])
}

/** Of a crawl that wants no HTML: where sites told what they have, and what was wasted where they did not (000 §4.2). */
function typedLines({ typed }: CrawlSummary): string[] {
  if (typed === undefined) return []
  const sites = typed.sites.map(({ origin, listing, told, wanted, asked }) => {
    const cost = `${counted(asked.requests, 'question')}, ${formatBytes(asked.bytes)}`
    if (listing === undefined) return `  ${origin}  no list that tells types: its pages were crawled (${cost})`
    return `  ${origin}  ${listing}: ${formatCount(wanted)} wanted of ${formatCount(told)} listed, no HTML fetched (${cost})`
  })
  const { means, files, wastedRequests, wastedBytes, declined } = typed
  const waste =
    `  pages that were only a means: ${counted(means.requests, 'request')} (${percent(wastedRequests)} of all), ` +
    `${formatBytes(means.bytes)} (${percent(wastedBytes)}); they are not kept`
  const unfit = `  of another type than their links promised: ${counted(declined, 'answer')}`
  return [
    ...sites.slice(0, MAX_SITES_SHOWN),
    ...more(sites.length - MAX_SITES_SHOWN),
    `  wanted files: ${counted(files.requests, 'request')}, ${formatBytes(files.bytes)}`,
    waste,
    ...(declined > 0 ? [unfit] : []),
  ]
}

function dumpLines({ dumps }: CrawlSummary): string[] {
  const lines = dumps.map(({ origin, pages, requests, bytes, checked, different, problem }) => {
    const got = `${counted(pages, 'page')} for ${counted(requests, 'request')}, ${formatBytes(bytes)}`
    const why = problem === undefined ? '' : `; ${visible(problem)}`
    return `  ${origin}  ${got}; ${formatCount(checked)} fetched to compare, ${formatCount(different)} different${why}`
  })
  return [...lines.slice(0, MAX_SITES_SHOWN), ...more(lines.length - MAX_SITES_SHOWN)]
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** With one of each, as a person sees by it whether a rule took away what they wanted. */
export function exclusionLines({
  outside,
  outsideExamples,
}: Pick<CrawlSummary, 'outside' | 'outsideExamples'>): string[] {
  const rows = Object.entries(outside).toSorted(([, a], [, b]) => b - a)
  const examples = new Map(Object.entries(outsideExamples))
  const table = textTable(
    rows.map(([reason, count]) => [reason, formatCount(count), exclusionSentence(reason)]),
    ['left', 'right', 'left'],
  )
  return table.flatMap((line, i) => {
    const example = examples.get(rows[i]?.[0] ?? '')
    return example === undefined ? [line] : [line, `      such as ${visible(example)}`]
  })
}

/** Who runs no scripts has not read them, and should hear it from us and not from a search that finds nothing. */
export function scriptLines({ needsScripts: { pages, examples } }: Pick<CrawlSummary, 'needsScripts'>): string[] {
  if (pages === 0) return []
  return [
    `  ${counted(pages, 'page shows', 'pages show')} next to nothing without scripts, which are not run here`,
    ...examples.map((url) => `      such as ${visible(url)}`),
  ]
}

function givenUpLines({ givenUp }: CrawlSummary): string[] {
  const shown = givenUp
    .slice(0, MAX_SITES_SHOWN)
    .map(({ origin, outcome, problem }) => `  ${origin}  ${outcome}: ${visible(problem)}`)
  return [...shown, ...more(givenUp.length - shown.length)]
}

/** What a search will not find of it, and why. */
function indexLines({ index, collection }: CrawlSummary, paint: Paint): string[] {
  if (index === undefined) return []
  const left = Object.entries(index.unread).map(([why, count]) => `  ${formatCount(count)} left out: ${visible(why)}`)
  const shown = [...left.slice(0, MAX_REASONS_SHOWN), ...more(left.length - MAX_REASONS_SHOWN)]
  if (index.problem === undefined) return shown
  const advice = `the pages are all there: comity index ${shellWord(collection)} makes the rest searchable`
  return [...shown, `  ${paint('yellow', 'indexing stopped')}: ${visible(index.problem)}`, `  ${advice}`]
}

function seedLines(summary: CrawlSummary, facts: RunFacts, paint: Paint): string[] {
  const results = seedResults(summary, facts).toSorted((a, b) => Number(a.done) - Number(b.done))
  const shown = results.slice(0, MAX_SEEDS_SHOWN).flatMap((seed) => {
    if (seed.done) return [`  ${paint('green', 'done')}      ${seed.url}`]
    const wait = `${counted(seed.waiting, 'page waits', 'pages wait')}: ${seed.why}`
    return [`  ${paint('yellow', 'not done')}  ${seed.url}`, `            ${wait}`]
  })
  return [...shown, ...more(results.length - MAX_SEEDS_SHOWN)]
}

const more = (count: number): string[] => (count > 0 ? [`  … and ${formatCount(count)} more`] : [])
