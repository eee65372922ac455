/**
 * Report page: the whole report as one HTML file, a pure function of the results. In the order of a reader's questions:
 * what is this, what came out, which claims hold, and then the evidence, experiment by experiment.
 */
import { claimsOf, tallyParts, withAllParts } from '../claims/claim.ts'
import type { Claim } from '../claims/claim.ts'
import { paperOf } from '../claims/claim-paper.ts'
import { checkResults } from './check.ts'
import { claimsTable, claimSources, verdictMark } from './claims.ts'
import { experimentSection } from './experiment.ts'
import { markup, trusted } from './html.ts'
import type { Markup } from './html.ts'
import type { ExperimentResult } from './model.ts'
import { formatNumber } from './number.ts'
import { assignSlots } from './palette.ts'
import { stylesheet } from './style.ts'

// Nothing is loaded and nothing runs, whatever a page of a stranger's web is called.
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

export interface ReportScope {
  /** Every part of every claim of the papers, also of those that no experiment here answers. */
  readonly allClaims?: boolean
  /** Experiments that could not be run, and why. */
  readonly leftOut?: readonly string[]
}

/** Throws ReportError for results that no report can be made of. */
export function renderReport(
  results: readonly ExperimentResult[],
  { allClaims = false, leftOut = [] }: ReportScope = {},
): string {
  checkResults(results)
  const slots = assignSlots(results.flatMap(({ figures }) => figures))
  const claims = claimsIn(results, allClaims)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Comity lab report</title>
<style>${trusted(stylesheet)}</style>
</head>
<body><main>
${opening(results, claims)}
${contents(results)}
<section id="findings"><h2>What came out</h2>
<dl class="findings">
${results.map(finding)}</dl></section>
${leftOut.length === 0 ? '' : markup`<section id="left-out"><h2>What could not be run</h2><ul>${leftOut.map((one) => markup`<li>${one}</li>`)}</ul></section>`}
${claimsSection(results, claims)}
${results.map((result) => experimentSection(result, slots))}
${claimSources(claims)}
<footer class="quiet small"><p>All numbers of this page: <a href="report.json">report.json</a>, and one CSV file for each
figure and table.</p></footer>
</main></body>
</html>
`.source
}

export function claimsIn(results: readonly ExperimentResult[], allClaims: boolean): Claim[] {
  const answers = results.flatMap(({ claims }) => claims)
  return claimsOf(allClaims ? withAllParts(answers) : answers)
}

function opening(results: readonly ExperimentResult[], claims: readonly Claim[]): Markup {
  const papers = [...new Set(results.map(({ paper }) => paper))].toSorted()
  const webs = new Set(results.flatMap((one) => one.webs.map(({ name }) => name))).size
  const parts = claims.reduce((sum, claim) => sum + claim.parts.length, 0)
  const tested = claims.length === 0 ? [] : [`${plural(claims.length, 'claim')} in ${plural(parts, 'part')}`]
  const scope = [`${plural(results.length, 'experiment')} on ${plural(webs, 'web')}`, ...tested]
  const title =
    claims.length === 0 ? results.map(({ name }) => name).join(', ') : 'What the papers claim, and what holds here'
  return markup`<header><h1>${title}</h1>
<p class="lead">Experiments on crawling, by the Comity lab with the code that crawls: ${scope.join(', ')}.
${claims.length === 0 ? '' : 'Every plot stands beside the claim it tests. '}${results.some(({ varies }) => varies) ? '' : 'The same seeds give this same file, byte for byte.'}</p>
<ul class="papers">${papers.map(paperLine)}</ul>
${sums(claims)}</header>`
}

function paperLine(id: string): Markup {
  const paper = paperOf(id)
  if (paper === undefined) return markup`<li>${id}</li>`
  return markup`<li><b>${id}</b> ${paper.authors}: <cite>${paper.title}</cite>, ${paper.year}</li>`
}

const plural = (n: number, noun: string): string => `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`

/** How many parts of claims came out how. */
function sums(claims: readonly Claim[]): Markup {
  const counts = tallyParts(claims)
  const shown = [
    'holds',
    'depends on the web',
    'does not hold here',
    'holds by construction',
    'cannot be tested here',
    'not claimed',
  ] as const
  const items = shown.filter((verdict) => counts.has(verdict))
  return markup`<ul class="sums" aria-label="Parts of claims by verdict">${items.map(
    (verdict) => markup`<li><b>${counts.get(verdict)}</b>${verdictMark(verdict)}</li>`,
  )}</ul>`
}

function contents(results: readonly ExperimentResult[]): Markup {
  const items = results.map(({ id, name, figures, tables }) => {
    const parts = [...figures, ...tables].map((part) => markup`<li><a href="#${part.id}">${part.title}</a></li>`)
    return markup`<li><a href="#${id}">${name}</a><ul>${parts}</ul></li>
`
  })
  return markup`<nav aria-label="Contents"><ol>
<li><a href="#findings">What came out</a></li>
${results.some(({ claims }) => claims.length > 0) ? markup`<li><a href="#claims">Claims of the papers</a></li>` : ''}
${items}${results.some(({ claims }) => claims.length > 0) ? markup`<li><a href="#tolerances">Tolerances</a></li><li><a href="#words">The papers’ words</a></li>` : ''}</ol></nav>`
}

const finding = ({ id, name, paper, finding: text }: ExperimentResult): Markup =>
  markup`<div><dt><a href="#${id}">${name}</a> <span class="ref">paper ${paper}</span></dt><dd>${text}</dd></div>
`

function claimsSection(results: readonly ExperimentResult[], claims: readonly Claim[]): Markup {
  if (claims.length === 0) return markup``
  const parts = results.flatMap(({ figures, tables }) => [...figures, ...tables])
  const titles = new Map(parts.map(({ id, title }) => [id, title]))
  return markup`<section id="claims"><h2>Claims of the papers</h2>
<p>A claim has as many parts as sentences that can be true by themselves, and each was tested on each web that has what it needs.
A verdict is about these webs and these settings, and none on what the authors saw on theirs. What a setting or a web that was fitted
makes so “holds by construction”: it shows that we measure right, and nothing of the Web. What is “not claimed” is our reading.</p>
${claimsTable(claims, titles)}</section>`
}
