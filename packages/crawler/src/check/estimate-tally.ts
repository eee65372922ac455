/**
 * Estimate tally: what a site tells of its files, added up by media type, and against what a collection holds of it: how
 * many have changed since the last visit, by the site's own word. Pure.
 */
import type { Instant } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import { isDigestOf } from '@comity/ingest'
import type { ReportedPage } from '@comity/follow'
import { typeByEnding } from '@comity/protocol'

export interface TypeEstimate {
  /** A media type; `unknown` where nobody says, and no ending does. */
  readonly type: string
  readonly pages: number
  /** Of those whose size is told. */
  readonly bytes: number
  readonly unknownSize: number
}

/** A site's word against what is held. */
export interface HeldEstimate {
  readonly held: number
  readonly unchanged: number
  readonly changed: number
  /** Listed and held, with neither date nor digest. */
  readonly unsure: number
  /** Listed and not held. */
  readonly fresh: number
  /** Held and said to be gone, or no longer listed; undefined when the list does not name everything. */
  readonly gone: number | undefined
}

export type HeldRow = Pick<PageRow, 'visitedAt' | 'contentKey' | 'lastModified'>

/** Files of one site; what is beyond is not counted. */
const MAX_FILES = 1_000_000
/** Dates in lists and in HTTP have whole seconds. */
const SECOND_MS = 1_000

interface Counted {
  readonly type: string
  pages: number
  bytes: number
  unknownSize: number
}

export class EstimateTally {
  readonly #held: ReadonlyMap<string, HeldRow> | undefined
  readonly #isWhole: boolean
  readonly #seen = new Set<string>()
  readonly #types = new Map<string, Counted>()
  readonly #counts = { unchanged: 0, changed: 0, unsure: 0, fresh: 0, deleted: 0 }
  #listedHeld = 0
  isCut = false

  /** `isWhole`: the list names everything there is, and not only what changed. */
  constructor(isWhole: boolean, held?: ReadonlyMap<string, HeldRow>) {
    this.#isWhole = isWhole
    this.#held = held
  }

  /** `url` is canonical. A file that is told of twice counts once. */
  add(url: string, told: ReportedPage): void {
    if (this.#seen.has(url)) return
    if (this.#seen.size >= MAX_FILES) return void (this.isCut = true)
    this.#seen.add(url)
    const row = this.#held?.get(url)
    if (told.change === 'deleted') {
      if (row !== undefined) this.#counts.deleted++
      return
    }
    this.#count(told)
    if (row !== undefined) this.#listedHeld++
    if (this.#held !== undefined) this.#counts[verdictOf(told, row)]++
  }

  get types(): readonly TypeEstimate[] {
    return [...this.#types.values()].toSorted((a, b) => b.pages - a.pages)
  }

  get held(): HeldEstimate | undefined {
    if (this.#held === undefined) return undefined
    const { deleted, ...counts } = this.#counts
    const missing = this.#held.size - this.#listedHeld
    const gone = this.#isWhole && !this.isCut ? missing : deleted > 0 ? deleted : undefined
    return { held: this.#held.size, ...counts, gone }
  }

  #count({ url, type, bytes }: ReportedPage): void {
    const name = type ?? typeByEnding(url) ?? (url.endsWith('/') ? 'text/html' : 'unknown')
    const counted = this.#types.get(name) ?? { type: name, pages: 0, bytes: 0, unknownSize: 0 }
    counted.pages++
    if (bytes === undefined) counted.unknownSize++
    else counted.bytes += bytes
    this.#types.set(name, counted)
  }
}

function verdictOf(
  { digest, modifiedAt, changedAt }: ReportedPage,
  row: HeldRow | undefined,
): keyof HeldEstimate & Verdict {
  if (row === undefined) return 'fresh'
  const isSame = isDigestOf(digest, row.contentKey)
  if (isSame !== undefined) return isSame ? 'unchanged' : 'changed'
  const at = modifiedAt ?? changedAt
  if (at === undefined) return 'unsure'
  return at > versionAt(row) + SECOND_MS ? 'changed' : 'unchanged'
}

type Verdict = 'unchanged' | 'changed' | 'unsure' | 'fresh'

/** When our copy was made, as the site says, or else when we took it. */
function versionAt({ lastModified, visitedAt }: HeldRow): Instant {
  const said = lastModified === undefined ? Number.NaN : Date.parse(lastModified)
  return Number.isNaN(said) ? visitedAt : Math.min(said, visitedAt)
}

/** By type, of several sites. */
export function sumTypes(lists: readonly (readonly TypeEstimate[])[]): readonly TypeEstimate[] {
  const sums = new Map<string, TypeEstimate>()
  for (const { type, pages, bytes, unknownSize } of lists.flat()) {
    const before = sums.get(type) ?? { type, pages: 0, bytes: 0, unknownSize: 0 }
    sums.set(type, {
      type,
      pages: before.pages + pages,
      bytes: before.bytes + bytes,
      unknownSize: before.unknownSize + unknownSize,
    })
  }
  return [...sums.values()].toSorted((a, b) => b.pages - a.pages)
}

export function totalsOf(types: readonly TypeEstimate[]): Omit<TypeEstimate, 'type'> {
  const sum = (of: (type: TypeEstimate) => number): number => types.reduce((all, type) => all + of(type), 0)
  return {
    pages: sum(({ pages }) => pages),
    bytes: sum(({ bytes }) => bytes),
    unknownSize: sum(({ unknownSize }) => unknownSize),
  }
}
