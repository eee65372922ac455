/** Report experiment: the section of one experiment: how it was run, its figures beside the paper's claims, its tables. */
import { claimsOf } from '../claims/claim.ts'
import { claimAside } from './claims.ts'
import type { Drawing, KeyEntry } from './drawing.ts'
import { markup, trusted } from './html.ts'
import type { Markup } from './html.ts'
import type { Cell, ExperimentResult, Figure, Parameter, Table } from './model.ts'
import { formatNumber, formatQuantity } from './number.ts'
import { drawFigure } from './plot.ts'
import type { DotSymbol } from './series.ts'
import { dataTable } from './table.ts'

// Drawn twice, because text that shrinks with its plot cannot be read on a phone.
const wide = { width: 720, height: 420 }
const narrow = { width: 360, height: 300 }

export function experimentSection(result: ExperimentResult, slots: ReadonlyMap<string, readonly number[]>): Markup {
  const notes = result.notes.map((note) => markup`<p>${note}</p>`)
  return markup`<section id="${result.id}"><h2>${result.name}</h2>
<p class="lead">${result.finding}</p>
${result.figures.map((figure) => besideClaims(result, figure.id, figureBlock(figure, slots.get(figure.id) ?? [])))}
${result.tables.map((table) => besideClaims(result, table.id, tableBlock(table)))}
${notes.length === 0 ? '' : markup`<section><h3>Notes</h3>${notes}</section>`}
${setting(result)}
</section>
`
}

/** All that is needed to run it again. */
function setting({ name: experiment, parameters, seeds, webs }: ExperimentResult): Markup {
  const shapes = {
    title: `Webs of ${experiment}`,
    columns: ['Web', 'Pages', 'Links', 'Sites', 'About'].map((label) => ({ label })),
    rows: webs.map(({ name, pages, links, sites, about = '' }) => [name, pages, links, sites, about]),
  }
  const settings = {
    title: `Parameters of ${experiment}`,
    columns: [{ label: 'Parameter' }, { label: 'Value' }],
    rows: [...parameters.map(parameterRow), ...(seeds.length === 0 ? [] : [['seeds', seeds.join(', ')]])],
  }
  return markup`<section><h3>How it was run</h3>
${webs.length === 0 ? '' : dataTable(shapes)}
${dataTable(settings)}
</section>`
}

const parameterRow = ({ name, value, unit }: Parameter): Cell[] => [
  name,
  typeof value === 'number' ? formatQuantity(value, unit) : `${value}${unit === undefined ? '' : ` ${unit}`}`,
]

/** Claims that point at a figure or a table stand next to it. */
function besideClaims(result: ExperimentResult, id: string, block: Markup): Markup {
  const claims = claimsOf(result.claims.filter(({ shownIn }) => shownIn.includes(id)))
  const [layout, aside] = claims.length === 0 ? ['alone', ''] : ['both', claimAside(claims)]
  return markup`<div class="pair ${layout}" id="${id}">${block}${aside}</div>
`
}

function figureBlock(figure: Figure, slots: readonly number[]): Markup {
  const large = drawFigure(figure, slots, wide)
  const hidden =
    large.leftOut === 0 ? '' : `${formatNumber(large.leftOut)} points have no place on a logarithmic axis. `
  return markup`<figure>${heading(figure)}
${drawingBlock(large, 'wide')}
${drawingBlock(drawFigure(figure, slots, narrow), 'narrow')}
<figcaption><p>${figure.caption}</p><p class="quiet small">${hidden}${dataLink(figure.id)}</p></figcaption></figure>`
}

function tableBlock(table: Table): Markup {
  const caption = table.caption === undefined ? '' : markup`<p>${table.caption}</p>`
  return markup`<figure>${heading(table)}${dataTable(table)}
<figcaption>${caption}<p class="quiet small">${dataLink(table.id)}</p></figcaption></figure>`
}

const heading = ({ title, paperRef }: Figure | Table): Markup =>
  markup`<h3>${title}${paperRef === undefined ? '' : markup` <span class="ref">after ${paperRef}</span>`}</h3>`

const dataLink = (id: string): Markup => markup`Numbers: <a href="data/${id}.csv">data/${id}.csv</a>`

function drawingBlock({ svg, key }: Drawing, className: string): Markup {
  const names = key.length === 0 ? '' : markup`<ul class="key">${key.map(keyItem)}</ul>`
  return markup`<div class="${className}">${names}${trusted(svg)}</div>`
}

// As Plot draws them, around the middle of the key's 22 by 10 pixels.
const symbolPaths: Readonly<Record<DotSymbol, string>> = {
  circle: 'M7 5a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  square: 'M7.5 1.5h7v7h-7z',
  triangle: 'M11 0l5 9h-10z',
  diamond: 'M11 -.5l3.5 5.5l-3.5 5.5l-3.5 -5.5z',
}

const keyItem = (entry: KeyEntry): Markup =>
  markup`<li><svg viewBox="0 0 22 10" aria-hidden="true">${keyShape(entry)}</svg>${entry.name}</li>`

function keyShape({ color, dashed, mark, symbol }: KeyEntry): Markup {
  if (mark === 'dot') return markup`<path d="${symbolPaths[symbol]}" fill="${color}"/>`
  if (mark === 'block') return markup`<rect x="6" width="12" height="10" rx="1" fill="${color}"/>`
  return markup`<path d="M0 5H22" stroke="${color}" stroke-width="2.5" stroke-dasharray="${dashed ? '5 3' : 'none'}"/>`
}
