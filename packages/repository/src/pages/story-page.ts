/**
 * Story page: one page through time. What it is, what became of each visit, the stored copies and how two of them
 * differ, and the links that lead in and out.
 */
import { ownPath } from '../html/address.ts'
import { captureTable, newestShown } from './capture-table.ts'
import { counted, formatBytes, formatCount, formatDuration, formatRate } from '../client/figures.js'
import { bigNumbers, factList } from '../html/fact-list.ts'
import type { Fact } from '../html/fact-list.ts'
import {
  cut,
  foreign,
  languageAttributes,
  languageName,
  outward,
  pageLink,
  readableUrl,
  siteLink,
  titleOf,
} from '../html/foreign-text.ts'
import { freshnessSection } from './freshness-section.ts'
import { html } from '../html/html.ts'
import type { Filling, Html } from '../html/html.ts'
import { viewOfFact } from '@comity/ingest'
import type { PageFactViews } from '@comity/ingest'
import type { PageModel, PageRef } from '../model/models.ts'
import { day, moment } from '../html/moment.ts'
import { outcomeSentence } from './outcome-list.ts'
import { renderShell } from '../html/page-shell.ts'

/** A page of links is read to its end by nobody. */
const MAX_LINKS = 100

export function renderStoryPage(page: PageModel): string {
  return renderShell({
    title: titleOf(page),
    isWide: true,
    main: html`<p class="eyebrow">${siteLink(page.site)}</p>
<h1><bdi${languageAttributes(page.language)}>${cut(titleOf(page), 200)}</bdi></h1>
<p class="address">${outward(page.url)}</p>
${bigNumbers([
  ['visits', formatCount(page.visits)],
  ['changes seen', formatCount(page.changes)],
  page.importance > 0 ? ['times the mean importance', formatRate(page.importance)] : ['importance', 'not known yet'],
  ['clicks from a start', formatCount(page.depth)],
])}
<section><h2>Facts</h2>
${facts(page)}
${copyLine(page)}</section>
<section><h2>Captures</h2>
${captureTable(page)}</section>
${freshnessSection(page)}
<div class="two"><section><h2>Links in</h2>
${linkList(page.linksIn, page.moreIn ? 'and more' : undefined, 'No page that we know links here.')}</section>
<section><h2>Links out</h2>
${linkList(page.linksOut, page.moreOut > 0 ? `and ${formatCount(page.moreOut)} more` : undefined, 'It links nowhere that we know.')}</section></div>`,
  })
}

function facts({ facts: told, foundOn }: PageModel): Html {
  const found: Fact = ['Found on', foundOn !== undefined && pageLink(foundOn)]
  return factList([...told.map((fact): Fact => [fact.name, viewOfFact(fact, FACT_VIEWS)]), found])
}

export const FACT_VIEWS: PageFactViews<Filling> = {
  text: (text) => foreign(text, 80),
  outcome: outcomeShown,
  language: (tag) => languageName(tag) ?? foreign(tag, 80),
  url: urlLink,
  moment,
  bytes: formatBytes,
  duration: formatDuration,
  count: formatCount,
}

function outcomeShown(outcome: string): Html {
  const sentence = outcomeSentence(outcome)
  return html`<code>${foreign(outcome, 60)}</code>${sentence !== '' && ` – ${sentence}`}`
}

/** The story of a page we know by its URL alone. */
function urlLink(url: string): Html {
  return html`<a href="${ownPath('/page', { url })}">${foreign(readableUrl(url))}</a>`
}

function copyLine(page: PageModel): Html | false {
  if (page.noarchive) {
    return html`<p class="note">
      The page asks not to be shown from an archive (<code>noarchive</code>), so its stored copies are not shown here.
    </p>`
  }
  const newest = newestShown(page)
  if (newest === undefined) return false
  return html`<p>
      <a class="button" href="${ownPath('/page/copy', { key: page.key, near: newest.at })}">View the stored copy</a>
    </p>
    <p class="quiet">Of ${day(newest.at)}; shown without scripts, and without asking anybody else for anything.</p>`
}

type Linked = PageRef & { readonly anchor: string }

function linkList(links: readonly Linked[], more: string | undefined, none: string): Html {
  if (links.length === 0) return html`<p>${none}</p>`
  const rest = links.length > MAX_LINKS ? `${counted(links.length - MAX_LINKS, 'link')} not listed here` : undefined
  return html`<ul class="pages">
      ${links.slice(0, MAX_LINKS).map(linkItem)}
    </ul>
    ${[rest, more].map((line) => line !== undefined && html`<p class="quiet">${line}</p>`)}`
}

function linkItem(link: Linked): Html {
  // The words of the link say what its writer thinks is there; when they are the title again, once is enough.
  const anchor = link.anchor.trim()
  const words = anchor !== '' && anchor !== titleOf(link).trim() && html` <q>${foreign(anchor, 100)}</q>`
  return html`<li>${pageLink(link)}${words} <span class="crumbs">${foreign(readableUrl(link.url), 120)}</span></li> `
}
