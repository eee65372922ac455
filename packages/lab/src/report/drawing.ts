/**
 * Report drawing: from Plot's marks to SVG text, and the few things drawn by hand: names, their leaders, a short text
 * for those who cannot see the plot. Colours are CSS variables, so one drawing serves light and dark.
 *
 * Plot's own clipping is not used: it numbers its clip paths through the life of the process, and the second report of
 * a process would differ from the first. What lies outside of a domain is left out before drawing.
 */
import * as Plot from '@observablehq/plot'
import type { Markish, PlotOptions } from '@observablehq/plot'
import { DrawnDocument, DrawnElement } from './document.ts'
import type { Figure } from './model.ts'
import { fontSize } from './naming.ts'
import type { Label } from './naming.ts'
import type { DotSymbol } from './series.ts'

export interface Drawing {
  readonly svg: string
  /** What a key beside the plot must name; empty when every name stands in the plot. */
  readonly key: readonly KeyEntry[]
  /** Points that a logarithmic axis cannot show. */
  readonly leftOut: number
}

export interface KeyEntry {
  readonly name: string
  readonly color: string
  readonly dashed: boolean
  readonly mark: 'line' | 'dot' | 'block'
  /** Of dots. */
  readonly symbol: DotSymbol
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Margins {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

interface Sheet {
  readonly figure: Figure
  readonly size: Size
  readonly margins: Margins
  readonly scales: Pick<PlotOptions, 'x' | 'y'>
  readonly marks: readonly Markish[]
  readonly labels: readonly Label[]
}

export function drawSheet({ figure, size, margins, scales, marks, labels }: Sheet): string {
  const document = new DrawnDocument()
  const options: object = {
    ...scales,
    ...size,
    marginTop: margins.top,
    marginRight: margins.right,
    marginBottom: margins.bottom,
    marginLeft: margins.left,
    marks: [...marks, () => drawLabels(document, labels)],
    className: 'plot',
    style: { fontSize: `${fontSize}px` },
    document,
  }
  const svg: unknown = Plot.plot(options)
  if (!(svg instanceof DrawnElement)) throw new TypeError('Plot drew with a document that is not ours')
  // Plot repeats its style sheet in every drawing; the page has it once.
  for (const child of svg.children) if (child.tagName === 'style') svg.removeChild(child)
  describe(document, svg, figure)
  return svg.toString()
}

/** Role, name and description, for those who hear the page (WAI-ARIA 1.2 `img`, SVG-AAM). */
function describe(document: DrawnDocument, svg: DrawnElement, { title, caption }: Figure): void {
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', title)
  svg.insertBefore(element(document, 'desc', {}, caption), svg.children[0] ?? null)
  svg.insertBefore(element(document, 'title', {}, title), svg.children[0] ?? null)
}

function drawLabels(document: DrawnDocument, labels: readonly Label[]): DrawnElement {
  const group = element(document, 'g', { class: 'names' })
  for (const { color, leader } of labels) {
    if (leader === undefined) continue
    const [from, to] = leader
    const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: color, 'stroke-opacity': 0.6 }
    group.appendChild(element(document, 'line', line))
  }
  for (const { text, color, at, anchor = 'start' } of labels) {
    const place = { x: at.x, y: at.y, dy: '0.35em', 'text-anchor': anchor, style: `--ink:${color}` }
    group.appendChild(element(document, 'text', place, text))
  }
  return group
}

function element(
  document: DrawnDocument,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): DrawnElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  if (text !== undefined) made.textContent = text
  return made
}
