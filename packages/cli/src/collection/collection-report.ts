/** Collection report: the facts of a collection, for a person. Pure. */
import { LETTER_KINDS } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import type { CollectionFacts, Counts, FreshnessFacts, SiteFigures } from './collection-facts.ts'
import { exclusionLines, scriptLines, section } from '../crawl/report.ts'
import { pushWords } from '../watch/freshness-report.ts'
import { outcomeSentence } from '../crawl/outcome-words.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import { plain, shellWord, visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'
import { percent } from '../watch/report.ts'
import { urlRulesLines } from './url-rules-note.ts'

export function collectionReport(facts: CollectionFacts, now: Instant, paint: Paint = plain): string[] {
  const { states, totals, disk, warcFiles, siteCount, sites } = facts
  const size = disk.warc + disk.state + disk.index
  const rest = siteCount > sites.length ? `, the largest ${sites.length} of ${formatCount(siteCount)}` : ''
  return [
    `${paint('bold', facts.collection)}, begun ${facts.created.slice(0, 16).replace('T', ' ')} UTC`,
    '',
    ...textTable(
      [
        [
          'pages',
          formatCount(facts.pages),
          `${formatBytes(totals.bytes)} fetched in ${counted(totals.requests, 'request')}`,
        ],
        ['links', formatCount(totals.links), 'between pages we know'],
        ['known', formatCount(facts.known), stateWords(states)],
        ['sites', formatCount(siteCount), 'visited'],
        ...(facts.freshness === undefined ? [] : [freshnessRow(facts.freshness)]),
        [
          'disk',
          formatBytes(size),
          `${formatBytes(disk.warc)} in ${counted(warcFiles, 'WARC file')}, ${formatBytes(disk.state)} state`,
        ],
      ],
      ['left', 'right', 'left'],
    ),
    ...section(
      'Answers, by status',
      countLines(facts.statuses, (status) => (status === '0' ? 'no answer' : '')),
      paint,
    ),
    ...section(
      'Held, by kind',
      countLines(facts.kinds, () => ''),
      paint,
    ),
    ...section('Errors, by cause', errorLines(facts), paint),
    ...section('Pages that need scripts', scriptLines(facts), paint),
    ...section('Dead letters', letterLines(facts), paint),
    ...section('Facts that nobody can read', wrongFactLines(facts), paint),
    ...section('Excluded', exclusionLines(facts), paint),
    ...section(
      'URL rules',
      urlRulesLines(facts.urlRules).map((line) => `  ${line}`),
      paint,
    ),
    ...section(`Sites${rest}`, siteLines(sites, paint), paint),
    ...section('Sites that push', callerLines(facts.freshness), paint),
    ...section(
      'Slowest sites',
      facts.slowest.map(({ origin, meanMs }) => `  ${formatDuration(meanMs).padStart(8)}  ${origin}`),
      paint,
    ),
    ...section('Next due', dueLines(facts, now), paint),
    ...section('Start pages', seedLines(facts, paint), paint),
  ]
}

/** How fresh it was thought to be when it was last kept fresh, and who helped. */
function freshnessRow({ records, cooperating, doubted, lastWatch: { at, sample } }: FreshnessFacts): string[] {
  const helped = `${counted(cooperating, 'site helps', 'sites help')}${doubted === 0 ? '' : `, ${formatCount(doubted)} not believed in everything`}`
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return [
    'fresh',
    percent(sample.freshness),
    `by the watch until ${when} UTC; ${counted(records, 'page')} followed, ${helped}`,
  ]
}

function stateWords(states: CollectionFacts['states']): string {
  const shown = Object.entries(states).filter(([, pages]) => pages > 0)
  return shown.map(([state, pages]) => `${formatCount(pages)} ${state === 'outside' ? 'excluded' : state}`).join(', ')
}

function countLines(counts: Counts, explain: (name: string) => string): string[] {
  const rows = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  return textTable(
    rows.map(([name, count]) => [name, formatCount(count), explain(name)]),
    ['left', 'right', 'left'],
  )
}

function errorLines({ errors }: CollectionFacts): string[] {
  return errors.flatMap(({ outcome, pages, url, problem }) => [
    `  ${outcome}  ${formatCount(pages)}  ${outcomeSentence(outcome)}`,
    `      such as ${url}${problem === '' ? '' : `: ${visible(problem)}`}`,
  ])
}

/** By name, and what to do: what is wrong is not written over by whoever looks. */
function wrongFactLines({ wrongFacts: { count, names } }: CollectionFacts): string[] {
  if (count === 0) return []
  return [`  ${formatCount(count)}: ${names.join(', ')}. A command that needs one of them ends with its name`]
}

/** What was kept aside, why, and what can be done with it. */
function letterLines({ deadLetters: { total, held, groups }, collection }: CollectionFacts): string[] {
  if (held === 0) return []
  const gone = total > held ? `, the newest of ${formatCount(total)}` : ''
  return [
    `  ${counted(held, 'thing')} that we failed on${gone}: \`comity letters ${shellWord(collection)}\` shows them, tries them again, drops them`,
    ...groups
      .slice(0, TOP_LETTERS)
      .flatMap(({ kind, reason, count, newest }) => [
        `  ${formatCount(count).padStart(9)}  ${LETTER_KINDS[kind]}: ${visible(reason)}`,
        `             such as ${newest.name}, ${visible(newest.url ?? newest.from ?? newest.origin ?? '')}`,
      ]),
  ]
}

const TOP_LETTERS = 5

function siteLines(sites: readonly SiteFigures[], paint: Paint): string[] {
  if (sites.length === 0) return []
  const head = ['visited', 'waiting', 'known', 'bytes', 'answers in', 'robots.txt', '']
  const rows = sites.map(({ origin, visited, waiting, known, bytes, meanMs, robots, crawlDelayMs }) => [
    formatCount(visited),
    formatCount(waiting),
    formatCount(known),
    formatBytes(bytes),
    formatDuration(meanMs),
    crawlDelayMs > 0 ? `${robots}, ${formatDuration(crawlDelayMs)}` : robots,
    origin,
  ])
  const [first = '', ...rest] = textTable(
    [head, ...rows],
    ['right', 'right', 'right', 'right', 'right', 'left', 'left'],
  )
  return [paint('dim', first), ...rest]
}

/** What they send, and whether that is believed. */
function callerLines(freshness: FreshnessFacts | undefined): string[] {
  const callers = freshness?.callers ?? []
  return callers.flatMap(({ origin, calls }) => {
    const why = calls.why.map((sentence) => `      ${visible(sentence)}`)
    return [`  ${origin}  ${pushWords(calls) ?? ''}`].concat(why)
  })
}

function dueLines({ due }: CollectionFacts, now: Instant): string[] {
  if (due.length === 0) return ['  nothing waits']
  return due.map(({ origin, at, waiting }) => {
    const when = at <= now ? 'now' : `in ${formatDuration(at - now)}`
    return `  ${when}: ${origin}, ${counted(waiting, 'page waits', 'pages wait')}`
  })
}

function seedLines({ seeds }: CollectionFacts, paint: Paint): string[] {
  const shown = seeds.slice(0, 20).map(({ url, waiting }) => {
    const state = waiting === 0 ? paint('green', 'done    ') : paint('yellow', 'not done')
    return `  ${state}  ${url}${waiting === 0 ? '' : `  ${counted(waiting, 'page waits', 'pages wait')}`}`
  })
  return seeds.length > shown.length ? [...shown, `  … and ${formatCount(seeds.length - shown.length)} more`] : shown
}
