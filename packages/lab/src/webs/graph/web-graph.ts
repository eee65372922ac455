/**
 * WebGraph: a whole web as an experiment sees it, in compact typed arrays: who links to whom, what lies on which site,
 * and, where they are known, sizes, speeds and words. Loaded from files, made from a seed, or read from a collection.
 */
export interface WebGraph {
  /** For titles of plots: `cnr-2000`, `generated, seed 1`. */
  readonly name: string
  readonly pages: number
  /** Page p links to targets[starts[p]] … targets[starts[p + 1] - 1], each target once and never p itself. */
  readonly starts: Uint32Array
  readonly targets: Uint32Array
  /** Links of pages to themselves that were there and are left out, where it was counted. */
  readonly selfLinks?: number | undefined
  readonly sites: number
  /** The site of each page. */
  readonly siteOf: Uint32Array
  /** Start pages: home pages known from elsewhere (004 §5), or the one page a crawl begins at. */
  readonly homes: readonly number[]
  /** Bytes of each page. */
  readonly bytes?: Uint32Array | undefined
  /** Per site: the wait before the first byte of an answer, and bytes a second after it. */
  readonly latencyMs?: Float32Array | undefined
  readonly bandwidth?: Float32Array | undefined
  readonly words?: WebWords | undefined
}

/** What can be read on a web, for crawls that look for a topic. */
export interface WebWords {
  urlOf(page: number): string
  titleOf(page: number): string
  /** Text of the body without its title. */
  bodyOf(page: number): string
  /** Anchor text of a link, by its place in `targets`. */
  anchorOf(link: number): string
}

export const linksOf = ({ starts, targets }: WebGraph, page: number): Uint32Array =>
  targets.subarray(starts[page], starts[page + 1])
