/** Forget in the state: what becomes of each row when pages go and records move. */
import type { Instant } from '@comity/protocol'
import { FACTS, factOf } from '../rows/facts.ts'
import type { Facts } from '../rows/facts.ts'
import type { FrontierRows } from '../rows/frontier-rows.ts'
import { placeKey } from './plan.ts'
import type { ForgetPlan, Leaving } from './plan.ts'
import { withoutTargets } from '../rows/link-list.ts'
import { encodeTexts, textsOf } from '../rows/page-texts.ts'
import type { PageText } from '../rows/page-texts.ts'
import type { BodyRow, CaptureRow, PageRow, WarcPosition } from '../rows/rows.ts'
import type { StateChanges } from '../rows/state-copy.ts'
import type { State } from '../rows/state.ts'
import type { Relocation } from '../warc/warc-rewrite.ts'
import type { WarcState } from '../warc/warc-store.ts'

interface Forgetting {
  readonly leaving: Leaving
  readonly plan: ForgetPlan
  readonly relocations: ReadonlyMap<number, Relocation>
  readonly warc: WarcState
  readonly now: Instant
}

interface ForgettingRows {
  readonly tables: StateChanges
  /** Facts that are new or changed. */
  readonly facts: (state: State) => Partial<Facts>
  /** A batch without the paths of pages that go. */
  readonly silence: (rows: FrontierRows) => FrontierRows
}

export function rowsAfterForgetting({ leaving, plan, relocations, warc, now }: Forgetting): ForgettingRows {
  const { pages, sites, origins } = leaving
  const relocated = (position: WarcPosition): WarcPosition => {
    const relocation = relocations.get(position.file)
    return relocation === undefined ? position : { file: position.file, ...relocation.of(position) }
  }
  /** Where a record or the body it stands for is now; undefined when it is gone. */
  const placed = (position: WarcPosition | undefined): WarcPosition | undefined => {
    if (position === undefined) return undefined
    if (!plan.gone.has(placeKey(position))) return relocated(position)
    const heir = plan.gone.get(placeKey(position))
    return heir === undefined ? undefined : relocated(heir.record)
  }
  const silenced = (text: PageText, page: number): PageText => (pages.has(page) ? { ...text, path: '' } : text)
  const unlessLeaving = (url: string | undefined): string | undefined =>
    url !== undefined && plan.leaves(url) ? undefined : url
  const page = (row: PageRow, id: number): PageRow | undefined => {
    if (pages.has(id)) return undefined
    const nearDuplicateOf = pages.has(row.nearDuplicateOf ?? -1) ? undefined : row.nearDuplicateOf
    const { redirectTo, canonical, body } = row
    const named = { redirectTo: unlessLeaving(redirectTo), canonical: unlessLeaving(canonical) }
    return { ...row, ...named, nearDuplicateOf, body: placed(body) }
  }
  const capture = (row: CaptureRow, [id]: [number, number]): CaptureRow | undefined =>
    pages.has(id) ? undefined : { ...row, record: placed(row.record), body: placed(row.body) }
  const body = (row: BodyRow): BodyRow | undefined => {
    const heir = plan.gone.get(placeKey(row))
    const place = placed(row)
    if (place === undefined) return undefined
    return heir === undefined ? { ...row, ...place } : { ...place, url: plan.urlOf(heir.page), at: heir.at }
  }
  const links = (bytes: Uint8Array, id: number): Uint8Array | undefined => {
    if (pages.has(id)) return undefined
    const kept = withoutTargets(bytes, (to) => pages.has(to))
    return kept[0] === 0 ? undefined : kept
  }
  const texts = (block: Buffer, key: number): Buffer =>
    encodeTexts(textsOf(block).map((text, i) => silenced(text, key - 1 + i)))
  const facts = (state: State): Partial<Facts> => {
    const seeds = factOf(state, FACTS.seeds) ?? []
    const moved = factOf(state, FACTS.moved) ?? []
    const known = factOf(state, FACTS.forgottenSites) ?? []
    const log = factOf(state, FACTS.forgettings) ?? []
    return {
      warc,
      seeds: seeds.map((seed, i) => (plan.leaves(seed) ? `${FORGOTTEN_SEED_MARK}${i}` : seed)),
      moved: moved.filter((url) => !plan.leaves(url)),
      forgottenSites: [...new Set([...known, ...origins])],
      forgettings: pages.size + sites.size === 0 ? log : [...log, { at: now, pages: pages.size, sites: sites.size }],
    }
  }
  return {
    tables: {
      // Written anew from `facts`: the copy must never have held the old ones.
      meta: (value, name) => (name === 'seeds' || name === 'moved' ? undefined : value),
      robots: (row, site) => (sites.has(site) ? undefined : row),
      cooperation: (row, site) => (sites.has(site) ? undefined : row),
      freshness: (bytes, id) => (pages.has(id) ? undefined : bytes),
      reading: (bytes, id) => (pages.has(id) ? undefined : bytes),
      similar: (value) => (pages.has(value.readUInt32BE(0)) ? undefined : value),
      pages: page,
      captures: capture,
      bodies: body,
      links,
      texts,
    },
    facts,
    silence: (rows) => ({ ...rows, texts: rows.texts.map((text, i) => silenced(text, rows.first + i)) }),
  }
}

/** Stands for a start page that was forgotten: pages know their start page by its place in the list. */
export const FORGOTTEN_SEED_MARK = 'forgotten:'
