/**
 * LinkHandler: from the links of a page to page ids, offering what is new. The hot path of a crawl: a page brings a hundred
 * links, nine in ten of them known, and a known one costs one look-up and no string.
 */
import { packAnchors, unpackAnchors } from '@comity/collection'
import { EXCLUDED, judgedAgain, reasonCode, reasonNamed } from '@comity/frontier'
import type { ExclusionReason, Discovery, Frontier, Scope } from '@comity/frontier'
import { LINK_WORDS, NOFOLLOW, UNWANTED_KIND } from '../read/reading.ts'
import type { LinkTable } from '../read/reading.ts'

const NO_FOLLOW = reasonCode('nofollow')
const OTHER_TYPE = reasonCode('type')

export interface Followed {
  readonly targets: number[]
  /** As `packAnchors` makes it, one anchor a target. */
  readonly anchors: Uint8Array
}

export class LinkHandler {
  readonly #frontier: Frontier
  readonly #scope: Scope
  /** Links that were not even remembered, as their site has no room for more. */
  overflow = 0

  constructor(frontier: Frontier, scope: Scope) {
    this.#frontier = frontier
    this.#scope = scope
  }

  /** Page ids of the links, in order. What finds no room is left out, with its anchor. */
  follow(from: { page: number; depth: number }, table: LinkTable): Followed {
    const { sites, rows, texts } = table
    const frontier = this.#frontier
    const { elsewhere } = frontier
    const aways = sites.map((origin) => elsewhere?.of(origin))
    const siteIds = sites.map((origin, n) => aways[n]?.site ?? frontier.siteIfRoom(origin))
    const text = Buffer.from(texts.buffer, texts.byteOffset, texts.byteLength)
    const seed = frontier.pages.seedOf(from.page)
    const depth = from.depth + 1
    const targets: number[] = []
    const lost = new Set<number>()
    for (let at = 0, start = 0; at < rows.length; at += LINK_WORDS) {
      const number = rows[at] as number
      const site = siteIds[number] as number
      const high = rows[at + 1] as number
      const low = rows[at + 2] as number
      const flags = rows[at + 3] as number
      const end = rows[at + 4] as number
      const away = aways[number]
      let page = site === -1 || away !== undefined ? -1 : frontier.find(site, high, low)
      if (away !== undefined) {
        const found = { ...awayFind(depth, flags), seed, parent: from.page }
        const first = start
        const url = (): string => (sites[number] as string) + text.toString('latin1', first, end)
        page = elsewhere!.take(url, away, [high, low], found)
      } else if (page !== -1) this.#foundAgain(page, depth, flags)
      else if (site !== -1 && frontier.hasRoom(site)) {
        const path = text.toString('latin1', start, end)
        const reason = this.#reason((sites[number] as string) + path, depth, flags)
        const found = { depth, seed, parent: from.page }
        page = frontier.add(
          site,
          high,
          low,
          path,
          reason === undefined ? found : { ...found, excluded: reasonCode(reason) },
        )
      }
      if (page === -1) lost.add(at / LINK_WORDS)
      else targets.push(page)
      start = end
    }
    this.overflow += lost.size
    return { targets, anchors: lost.size === 0 ? table.anchors : withoutLost(table.anchors, lost) }
  }

  #reason(url: string, depth: number, flags: number): ExclusionReason | undefined {
    if (flags & NOFOLLOW) return 'nofollow'
    if (flags & UNWANTED_KIND) return 'type'
    return this.#scope(url, { depth, listed: false })
  }

  /** A page found again may be nearer now, or be linked to by a page that does not mind. */
  #foundAgain(page: number, depth: number, flags: number): void {
    const { pages } = this.#frontier
    if (pages.stateOf(page) !== EXCLUDED) {
      if (depth < pages.depthOf(page)) this.#frontier.reach(page, depth)
      return
    }
    if (flags !== 0) return
    const reason = reasonNamed(pages.exclusionOf(page))
    if (!judgedAgain(reason, depth < pages.depthOf(page))) return
    if (this.#reason(this.#frontier.urlOf(page), depth, flags) === undefined) this.#frontier.admit(page, depth)
  }
}

/** What is judged here of a link to a page that is at home elsewhere: what was said of the link. */
function awayFind(depth: number, flags: number): Discovery {
  const found = { depth, seed: 0 }
  if (flags & NOFOLLOW) return { ...found, excluded: NO_FOLLOW }
  return flags & UNWANTED_KIND ? { ...found, excluded: OTHER_TYPE } : found
}

const withoutLost = (anchors: Uint8Array, lost: ReadonlySet<number>): Uint8Array =>
  packAnchors(unpackAnchors(anchors).filter((_, n) => !lost.has(n)))
