/**
 * Report claims: the table of all claims by their parts, the claims beside the figure that shows them, the paper's words, and the
 * tolerances. Whoever doubts a verdict gets from it to the figure, to the words, and to what was allowed, by a click each.
 */
import { overall } from '../claims/claim.ts'
import type { AnsweredPart, Claim, ClaimAnswer, Verdict } from '../claims/claim.ts'
import { claimPart } from '../claims/claim-list.ts'
import type { ClaimPart } from '../claims/claim-part.ts'
import { TOLERANCES } from '../claims/tolerances.ts'
import type { ToleranceName } from '../claims/tolerances.ts'
import { markup } from './html.ts'
import type { Markup } from './html.ts'
import { formatQuantity } from './number.ts'

// A sign besides the colour, for those who do not see it and for paper.
const signs: Readonly<Record<Verdict | 'depends on the web', readonly [sign: string, className: string]>> = {
  holds: ['✓', 'holds'],
  'does not hold here': ['✗', 'fails'],
  'depends on the web': ['◐', 'open'],
  'holds by construction': ['≡', 'open'],
  'cannot be tested here': ['○', 'open'],
  'not claimed': ['–', 'open'],
}

export function verdictMark(verdict: Verdict | 'depends on the web', text: string = verdict): Markup {
  const [sign, className] = signs[verdict]
  return markup`<span class="verdict ${className}"><span aria-hidden="true">${sign}</span> ${text}</span>`
}

/** `titles` are those of figures and tables, by id. */
export function claimsTable(claims: readonly Claim[], titles: ReadonlyMap<string, string>): Markup {
  const head = ['Web', 'Verdict', 'Our figure', 'Why', 'See'].map((name) => markup`<th scope="col">${name}</th>`)
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Table of claims"><table class="claims">
<thead><tr>${head}</tr></thead>
${claims.map((claim) => claimRows(claim, titles))}</table></div>`
}

function claimRows(claim: Claim, titles: ReadonlyMap<string, string>): Markup {
  const title = markup`<b>${claim.paper}.${claim.number}</b>${claim.claim}`
  return markup`<tbody id="${anchorOf(claim)}"><tr><th scope="rowgroup" colspan="5">${title}</th></tr>
${claim.parts.map((part) => partRows(part, titles))}</tbody>
`
}

function partRows(part: AnsweredPart, titles: ReadonlyMap<string, string>): Markup {
  const { figure } = claimPart(part.id) ?? {}
  const paper = figure === undefined ? '' : markup` <span class="quiet">Paper: ${figure}</span>`
  return markup`<tr class="part" id="${anchorOf(part)}"><th scope="rowgroup" colspan="5"><b>${part.id}</b>${part.claim}${paper}${overallLine(part.answers)}</th></tr>
${part.answers.map((answer) => answerRow(answer, titles))}`
}

function overallLine(answers: readonly ClaimAnswer[]): Markup | undefined {
  if (answers.length < 2) return undefined
  const { verdict, text } = overall(answers)
  return markup`<br><span class="small">Overall: ${verdictMark(verdict ?? 'depends on the web', text)}</span>`
}

function answerRow(
  { part, web, verdict, ours, why, shownIn }: ClaimAnswer,
  titles: ReadonlyMap<string, string>,
): Markup {
  const links = shownIn.map((id) => markup`<a href="#${id}">${titles.get(id) ?? id}</a>`)
  return markup`<tr><td>${web ?? 'any'}</td><td>${verdictMark(verdict)}</td>
<td class="ours">${ours}</td><td>${why}</td><td class="see small">${links}${sourceLinks(part)}</td></tr>
`
}

function sourceLinks(id: string): Markup[] {
  const part = claimPart(id)
  if (part === undefined) return []
  return [
    ...(part.tolerances ?? []).map((name) => markup`<a href="#${toleranceAnchor(name)}">tolerance: ${name}</a>`),
    markup`<a href="#${wordsAnchor(part)}">the paper’s words</a>`,
  ]
}

/** What the paper says, beside the plot that tests it. */
export function claimAside(claims: readonly Claim[]): Markup {
  const blocks = claims.flatMap(({ paper, parts }) => parts.map((part) => asidePart(paper, part)))
  return markup`<aside>${blocks}</aside>`
}

const asidePart = (paper: string, part: AnsweredPart): Markup =>
  markup`<div><h4>Paper ${paper} claims <a href="#${anchorOf(part)}">${part.id}</a></h4>
<p>${part.claim}</p>
${part.answers.map(asideAnswer)}</div>
`

function asideAnswer({ web, verdict, ours, why }: ClaimAnswer): Markup {
  const place = web === undefined ? '' : markup` <span class="quiet">on ${web}</span>`
  return markup`<p>${verdictMark(verdict)}${place}<br>${ours}<br><span class="quiet small">${why}</span></p>
`
}

/** What the verdicts of these claims rest on: the papers' words, and the tolerances. */
export function claimSources(claims: readonly Claim[]): Markup {
  const parts = claims.flatMap((claim) => claim.parts).flatMap(({ id }) => claimPart(id) ?? [])
  if (parts.length === 0) return markup``
  const names = [...new Set(parts.flatMap(({ tolerances }) => tolerances ?? []))]
  return markup`<section id="tolerances"><h2>Tolerances</h2>
<p>What counts as the same, where a paper says “about”, “nearly”, or nothing. They were written down before these runs; what earlier runs had found was known by then.</p>
${sourceTable('Tolerances', ['Tolerance', 'Value', 'Applied', 'Reason'], names.map(toleranceRow))}</section>
<section id="words"><h2>The papers’ words</h2>
<p>The sentence, or a piece of it, that each part was read from.</p>
${sourceTable('Words of the papers', ['Part', 'Where', 'Words'], parts.map(wordsRow))}</section>`
}

const sourceTable = (name: string, columns: readonly string[], rows: readonly Markup[]): Markup =>
  markup`<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table class="data">
<thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

function toleranceRow(name: ToleranceName): Markup {
  const { value, unit, means, reason } = TOLERANCES[name]
  return markup`<tr id="${toleranceAnchor(name)}"><td>${name}</td><td>${formatQuantity(value, unit)}</td><td>${means}</td><td>${reason}</td></tr>
`
}

const wordsRow = (part: ClaimPart): Markup =>
  markup`<tr id="${wordsAnchor(part)}"><td><a href="#${anchorOf(part)}">${part.id}</a></td><td>${part.where}</td><td><q>${part.quote}</q></td></tr>
`

const toleranceAnchor = (name: ToleranceName): string => `tolerance-${name}`
const wordsAnchor = ({ id }: ClaimPart): string => `words-${plain(id)}`

/** Of a claim, or of a part of one. */
const anchorOf = (one: Claim | { readonly id: string }): string =>
  `claim-${plain('id' in one ? one.id : `${one.paper}.${one.number}`)}`

/** Only what may stand in an anchor is kept of a paper's name. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
