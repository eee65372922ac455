/** Report claims: the table of all claims, and the claims beside the figure that shows them. */
import { overall } from '../claims/claim.ts'
import type { Claim, ClaimAnswer, Verdict } from '../claims/claim.ts'
import { markup } from './html.ts'
import type { Markup } from './html.ts'

// A sign besides the colour, for those who do not see it and for paper.
const signs: Readonly<Record<Verdict | 'depends on the web', readonly [sign: string, className: string]>> = {
  'holds here': ['✓', 'holds'],
  'does not hold here': ['✗', 'fails'],
  'depends on the web': ['◐', 'open'],
  'cannot be tested': ['○', 'open'],
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
  const title = markup`<b>${claim.paper}.${claim.number}</b>${claim.claim}${overallLine(claim.answers)}`
  return markup`<tbody id="${anchorOf(claim)}"><tr><th scope="rowgroup" colspan="5">${title}</th></tr>
${claim.answers.map((answer) => answerRow(answer, titles))}</tbody>
`
}

function overallLine(answers: readonly ClaimAnswer[]): Markup | undefined {
  if (answers.length < 2) return undefined
  const { verdict, text } = overall(answers)
  return markup`<br><span class="small">Overall: ${verdictMark(verdict ?? 'depends on the web', text)}</span>`
}

function answerRow({ web, verdict, ours, why, shownIn }: ClaimAnswer, titles: ReadonlyMap<string, string>): Markup {
  const links = shownIn.map((id) => markup`<a href="#${id}">${titles.get(id) ?? id}</a>`)
  return markup`<tr><td>${web ?? 'any'}</td><td>${verdictMark(verdict)}</td>
<td class="ours">${ours}</td><td>${why}</td><td class="see small">${links}</td></tr>
`
}

/** What the paper says, beside the plot that tests it. */
export function claimAside(claims: readonly Claim[]): Markup {
  const blocks = claims.map(
    (
      claim,
    ) => markup`<div><h4>Paper ${claim.paper} claims <a href="#${anchorOf(claim)}">${claim.paper}.${claim.number}</a></h4>
<p>${claim.claim}</p>
${claim.answers.map(asideAnswer)}</div>
`,
  )
  return markup`<aside>${blocks}</aside>`
}

function asideAnswer({ web, verdict, ours, why }: ClaimAnswer): Markup {
  const place = web === undefined ? '' : markup` <span class="quiet">on ${web}</span>`
  return markup`<p>${verdictMark(verdict)}${place}<br>${ours}<br><span class="quiet small">${why}</span></p>
`
}

/** Only what may stand in an anchor is kept of a paper's name. */
const anchorOf = ({ paper, number }: Claim): string =>
  `claim-${paper.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${number}`
