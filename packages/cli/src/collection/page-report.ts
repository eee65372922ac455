/** Page report: one page's story, for a person. Pure. */
import { viewOfFact } from '@comity/ingest'
import type { PageFactViews } from '@comity/ingest'
import { tableOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { section } from '../crawl/report.ts'
import { freshnessLines } from '../watch/freshness-report.ts'
import { outcomeSentence } from '../crawl/outcome-words.ts'
import type { PageStory, StoryCapture, StoryLink } from './page-story.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import { plain, visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

export function pageReport(story: PageStory, now: Instant, paint: Paint = plain): string[] {
  const { url, state, why, captures, linksIn, linksInCount, linksOut, linksOutCount } = story
  return [
    paint('bold', url),
    `  ${state}${why === undefined ? '' : `: ${why}`}`,
    ...section('How it was found', foundLines(story), paint),
    ...section('robots.txt', [`  ${robotsLine(story)}`], paint),
    ...section('The page', factLines(story), paint),
    ...section('Freshness', freshnessLines(story, now), paint),
    ...section(`Captures (${formatCount(captures.length)})`, captures.flatMap(captureLines), paint),
    ...section(`Links here (${formatCount(linksInCount)})`, linkLines(linksIn, linksInCount), paint),
    ...section(`Links from here (${formatCount(linksOutCount)})`, linkLines(linksOut, linksOutCount), paint),
  ]
}

function foundLines({ foundOn, depth, seed, tries }: PageStory): string[] {
  const depthWords = `${counted(depth, 'click')} from the start page${seed === undefined ? '' : ` ${seed}`}`
  const chain = foundOn.map((url, i) => `  ${i === 0 ? 'found on' : 'which was found on'} ${url}`)
  return [
    ...(foundOn.length === 0 ? ['  a start page, or listed in a sitemap'] : [`  ${depthWords}`]),
    ...chain,
    ...(tries === 0 ? [] : [`  ${counted(tries, 'try', 'tries')} failed so far`]),
  ]
}

function robotsLine({ robots: { verdict, allowed, rule, line, readAt } }: PageStory): string {
  if (allowed === undefined) return verdict
  const because = rule === undefined ? 'no rule matches' : `rule "${visible(rule)}" in line ${line}`
  const detail = verdict.startsWith('as ') ? `, ${because}` : ''
  return `${allowed ? 'allowed' : 'disallowed'}: ${verdict}${detail} (read ${readAt})`
}

function factLines({ row, facts }: PageStory): string[] {
  if (row === undefined) return []
  const title: readonly (readonly [string, string])[] = row.title === undefined ? [] : [['title', row.title]]
  const visits = ['visits', `${formatCount(row.visits)}, ${counted(row.changes, 'change')} seen`] as const
  const told = facts.map((fact) => [lowered(fact.name), viewOfFact(fact, FACT_TEXTS)] as const)
  return textTable(
    [...title, ...told, visits].map(([name, value]) => [name, visible(value)]),
    ['left', 'left'],
  )
}

const lowered = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`

const FACT_TEXTS: PageFactViews<string> = {
  text: String,
  outcome: (outcome) => `${outcome}, ${outcomeSentence(outcome)}`,
  language: String,
  url: String,
  moment: (at) => new Date(at).toISOString(),
  bytes: formatBytes,
  duration: formatDuration,
  count: formatCount,
}

const SOURCES: ReadonlyMap<string, string> = tableOf({
  push: 'sent by the site',
  gateway: 'seen at a gateway',
  dump: 'in a package of the site',
})

function captureLines({
  at,
  source,
  status,
  outcome,
  bytes,
  digest,
  problem,
  scheme,
  why,
  record,
  body,
}: StoryCapture): string[] {
  const place = (one: NonNullable<typeof record>): string => `${one.file} at ${one.offset}, ${one.length} bytes`
  const way = SOURCES.get(source)
  const came = `${way === undefined ? '' : `  ${way}`}${scheme === undefined ? '' : `  by ${scheme}`}`
  return [
    `  ${at}  ${status === 0 ? '–' : status}  ${outcome}  ${formatBytes(bytes)}${came}${digest === undefined ? '' : `  ${digest}`}`,
    ...(why === undefined ? [] : [`      ${visible(why)}`]),
    ...(problem === undefined ? [] : [`      ${visible(problem)}`]),
    ...(record === undefined ? [] : [`      ${place(record)}${body === undefined ? '' : `; body: ${place(body)}`}`]),
  ]
}

function linkLines(links: readonly StoryLink[], count: number): string[] {
  const shown = links.map(({ url, anchor }) => `  ${url}${anchor === '' ? '' : `  "${short(visible(anchor))}"`}`)
  return count > links.length
    ? [...shown, `  … and ${formatCount(count - links.length)} more (--links ${count} shows all)`]
    : shown
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
