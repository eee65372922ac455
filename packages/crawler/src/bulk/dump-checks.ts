/**
 * DumpChecks: whether a dump holds what the site serves. Of the pages that came from it some are fetched, whole, once all of
 * it is in; a site with more than one in ten other pages has lied, and all that came from its dump is fetched again.
 * One in ten, as pages differ for honest reasons: they have changed since, or are made anew for each visitor.
 */
import type { Outcome, SettledVisit } from '@comity/ingest'

interface DumpChecksParts {
  readonly random: () => number
  /** Fetch a page that is held once more. */
  readonly visitAgain: (page: number) => void
  readonly onLie: (site: number) => void
}

interface Checked {
  /** Pages that came from the dump and were not fetched since. */
  readonly taken: Set<number>
  readonly open: Set<number>
  checked: number
  different: number
  hasLied: boolean
}

/** Of the pages that came from a dump, those that are fetched too; one at least. */
const CHECKED_SHARE = 0.03
const HONEST_SHARE = 0.1
/** What a site serves under a URL: the page, nothing, or another place. */
const ANSWERS: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'client-error', 'redirect', 'redirect-out-of-scope'])

export class DumpChecks {
  readonly #parts: DumpChecksParts
  readonly #sites = new Map<number, Checked>()
  /** Pages that are being fetched to be compared, or because their dump is not believed. */
  readonly #whole = new Set<number>()

  constructor(parts: DumpChecksParts) {
    this.#parts = parts
  }

  has(page: number): boolean {
    return this.#whole.has(page)
  }

  took(site: number, page: number): void {
    const checked = this.#of(site)
    checked.taken.add(page)
    if (checked.open.size === 0 || this.#parts.random() < CHECKED_SHARE) checked.open.add(page)
  }

  /** All of it is in. */
  begin(site: number): void {
    for (const page of this.#sites.get(site)?.open ?? []) this.#again(page)
  }

  settled({ page, row, before, outcome }: SettledVisit): void {
    const checked = this.#sites.get(row.site)
    if (!this.#whole.delete(page) || checked === undefined || !checked.open.delete(page)) return
    // What could not be fetched says nothing about what the site would have served.
    if (!ANSWERS.has(outcome)) return
    checked.taken.delete(page)
    checked.checked++
    if (outcome !== 'ok' || row.changes > (before?.changes ?? 0)) checked.different++
    this.#judge(row.site, checked)
  }

  figuresOf(site: number): { readonly checked: number; readonly different: number } {
    const { checked = 0, different = 0 } = this.#sites.get(site) ?? {}
    return { checked, different }
  }

  #judge(site: number, checked: Checked): void {
    const most = Math.floor(HONEST_SHARE * (checked.checked + checked.open.size))
    if (checked.hasLied || checked.different <= most) return
    checked.hasLied = true
    this.#parts.onLie(site)
    for (const page of checked.taken) this.#again(page)
  }

  #again(page: number): void {
    this.#whole.add(page)
    this.#parts.visitAgain(page)
  }

  #of(site: number): Checked {
    const known = this.#sites.get(site)
    if (known !== undefined) return known
    const made = { taken: new Set<number>(), open: new Set<number>(), checked: 0, different: 0, hasLied: false }
    this.#sites.set(site, made)
    return made
  }
}
