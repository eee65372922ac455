/** Facts: the small things a collection remembers by name. */
import type { Instant } from '@comity/protocol'
import { FACT_SHAPES, requireShape } from './row-shape.ts'
import type { Shape } from './row-shape.ts'
import type { State } from './state.ts'
import type { WarcState } from '../warc/warc-store.ts'

/** Field names are part of the format. Whoever uses a collection keeps facts of its own beside these. */
export interface Facts {
  readonly warc: WarcState
  /** False while somebody writes, and after that somebody was killed. */
  readonly closed: boolean
  /** Start pages; pages know theirs by its place in this list. */
  readonly seeds: readonly string[]
  /** Where start pages have moved to. */
  readonly moved: readonly string[]
  readonly forgottenSites: readonly string[]
  readonly forgettings: readonly { readonly at: Instant; readonly pages: number; readonly sites: number }[]
}

export function factOf<Name extends keyof Facts>(state: State, name: Name): Facts[Name] | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its shape says so.
  return rawFact(state, name) as Facts[Name] | undefined
}

/** Any fact, also one of whoever uses the collection, who knows its shape. */
export function rawFact(state: State, name: string, shape: Shape = FACT_SHAPES.get(name) ?? ANY): unknown {
  return requireShape(`What the collection remembers as \`${name}\``, state.meta.get(name), shape)
}

const ANY: Shape = () => true

/** The names are checked where they become paths (`warcPath`). */
export const warcStateOf = (state: State): WarcState => factOf(state, 'warc') ?? { names: [], goodBytes: 0 }
