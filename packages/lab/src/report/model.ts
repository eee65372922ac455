/**
 * Report model: what an experiment hands over to be read. Plain data: an experiment decides nothing about colours,
 * sizes or files, and the report computes no result.
 *
 * How long an experiment took is not in here. Everything in here is written to files that must be the same, byte for
 * byte, for the same seed; run times go to the terminal.
 */
import type { ClaimAnswer } from '../claims/claim.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

export interface ExperimentResult {
  /** Small letters, digits and hyphens; an anchor in the page. Unique in a report, as are the ids of figures and tables. */
  readonly id: string
  readonly name: string
  /** Number of the paper it replays, as in `003`. */
  readonly paper: string
  /** What was measured is never the same twice, as it ran on a real clock. */
  readonly varies?: true
  /** One or two sentences for the top of the report: what came out. */
  readonly finding: string
  /** Every setting that the numbers depend on. */
  readonly parameters: readonly Parameter[]
  readonly seeds: readonly number[]
  readonly webs: readonly WebShape[]
  readonly figures: readonly Figure[]
  readonly tables: readonly Table[]
  /** Id of the table that is told on a terminal too: small, and the gist of the experiment. */
  readonly toldTable?: string
  readonly claims: readonly ClaimAnswer[]
  /** Plain paragraphs: choices made, readings of unclear sentences, limits. */
  readonly notes: readonly string[]
}

export interface Parameter {
  readonly name: string
  readonly value: number | string | boolean
  readonly unit?: Unit
}

/**
 * What numbers count. `share` is between 0 and 1 and shown in per cent; `s` and `bytes` are shown in a larger unit where
 * that reads better; any other unit (`pages`, `hours`) is written behind the number as it is.
 */
export type Unit = string

export interface WebShape {
  readonly name: string
  readonly pages: number
  readonly links: number
  readonly sites: number
  /** Where it comes from, or what it leaves out. */
  readonly about?: string
}

/** `bars`: horizontal, one group for each category. `histogram`: columns from `x` to `x2`. */
export type FigureKind = 'lines' | 'dots' | 'histogram' | 'bars'

export interface Figure {
  readonly id: string
  readonly kind: FigureKind
  readonly title: string
  /** What it redraws: `003 Graph 2`. */
  readonly paperRef?: string
  /** What to see in it. */
  readonly caption: string
  readonly x: Axis
  readonly y: Axis
  /** A series keeps its colour in all figures of a report, by its name. */
  readonly series: readonly Series[]
  readonly references?: readonly Reference[]
}

export interface Axis {
  readonly label: string
  readonly unit?: Unit
  /** Linear when left out. A logarithmic axis cannot show zero: such points are left out and counted under the plot. */
  readonly scale?: 'linear' | 'log'
  /** Found from the points when left out. Points outside of it are not drawn. */
  readonly domain?: readonly [low: number, high: number]
  /** Of `bars`: names of the groups, at x = 0, 1, 2, … */
  readonly categories?: readonly string[]
}

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
  /** How it is drawn when not as the kind of the figure says: measured dots over a fitted line. */
  readonly style?: 'line' | 'dots' | 'bars'
  readonly dashed?: boolean
}

/** A y (or low, or high) that is not finite is a gap in the line. */
export interface Point {
  readonly x: number
  readonly y: number
  /** The spread around y over seeds or webs, drawn as a band or a whisker. */
  readonly low?: number
  readonly high?: number
  /** Of a histogram: where the column ends. */
  readonly x2?: number
}

/** A thin line to compare with: a straight path such as random's diagonal, or one value across the plot. */
export type Reference =
  | { readonly name: string; readonly points: readonly { readonly x: number; readonly y: number }[] }
  | { readonly name: string; readonly atX: number }
  | { readonly name: string; readonly atY: number }

export interface Table {
  readonly id: string
  readonly title: string
  /** What it redraws: `004 Table 1`. */
  readonly paperRef?: string
  readonly caption?: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface Column {
  readonly label: string
  readonly unit?: Unit
  /** By the first cell when left out: numbers to the right, text to the left. */
  readonly align?: 'left' | 'right'
}

/** null is an empty cell. */
export type Cell = number | string | null

export function webShapeOf(graph: WebGraph, about?: string): WebShape {
  const shape = { name: graph.name, pages: graph.pages, links: graph.targets.length, sites: graph.sites }
  return about === undefined ? shape : { ...shape, about }
}

/** A page that links to itself tells no crawler anything, but importance by links would count it. */
export const selfLinkNote = ({ selfLinks = 0 }: WebGraph): string[] =>
  selfLinks === 0
    ? []
    : [
        `${selfLinks.toLocaleString('en')} links of pages to themselves are in the file and left out: they lead a crawler nowhere, and count for no importance.`,
      ]
