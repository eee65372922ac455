/**
 * Links, gathered in any order and then sorted by page: `starts` and `targets` of a `WebGraph`.
 *
 * The sort is a counting sort, so it is linear and keeps the order in which each page's links were read: that of the
 * page, where the file has kept it. Links to the same target twice and links of a page to itself are dropped here.
 */
/** Pairs in blocks: nothing is copied while they grow, and at most one block is half empty. */
const BLOCK_LINKS = 1 << 19

export class LinkPairs {
  count = 0
  readonly blocks: Uint32Array[] = []
  #block: Uint32Array = new Uint32Array(0)
  #at = 0

  add(from: number, to: number): void {
    if (this.#at === this.#block.length) {
      this.#block = new Uint32Array(BLOCK_LINKS * 2)
      this.blocks.push(this.#block)
      this.#at = 0
    }
    this.#block[this.#at] = from
    this.#block[this.#at + 1] = to
    this.#at += 2
    this.count += 1
  }
}

/** As in `WebGraph`. */
export interface Links {
  readonly starts: Uint32Array
  readonly targets: Uint32Array
}

interface LinkTable extends Links {
  readonly selfLinks: number
  readonly duplicates: number
}

/** All pages of the pairs must be below `pages`. */
export function linkTable(pairs: LinkPairs, pages: number): LinkTable {
  const starts = new Uint32Array(pages + 1)
  eachPair(pairs, (from) => (starts[from + 1]! += 1))
  for (let page = 0; page < pages; page++) starts[page + 1]! += starts[page]!
  const next = starts.slice(0, pages)
  const targets = new Uint32Array(pairs.count)
  eachPair(pairs, (from, to) => (targets[next[from]!++] = to))
  return dropRepeats(starts, targets, next)
}

function eachPair({ blocks, count }: LinkPairs, visit: (from: number, to: number) => void): void {
  let left = count
  for (const block of blocks) {
    const end = Math.min(left, BLOCK_LINKS) * 2
    for (let i = 0; i < end; i += 2) visit(block[i]!, block[i + 1]!)
    left -= end / 2
  }
}

/** Moves what stays to the front, in place; `mark` is an array of a place a page, its content of no use any more. */
function dropRepeats(starts: Uint32Array, targets: Uint32Array, mark: Uint32Array): LinkTable {
  mark.fill(0)
  let [kept, selfLinks, duplicates, begin] = [0, 0, 0, 0]
  for (let page = 0; page < mark.length; page++) {
    const end = starts[page + 1]!
    for (let i = begin; i < end; i++) {
      const target = targets[i]!
      // A page's mark is the last page found to link to it, plus 1.
      if (target === page) selfLinks += 1
      else if (mark[target] === page + 1) duplicates += 1
      else {
        mark[target] = page + 1
        targets[kept++] = target
      }
    }
    begin = end
    starts[page + 1] = kept
  }
  return { starts, targets: kept === targets.length ? targets : targets.slice(0, kept), selfLinks, duplicates }
}

/** The same links the other way round: who links to each page, in the order of those pages. */
export function transposed({ starts, targets }: Links): Links {
  const pages = starts.length - 1
  const backStarts = new Uint32Array(pages + 1)
  for (const target of targets) backStarts[target + 1]! += 1
  for (let page = 0; page < pages; page++) backStarts[page + 1]! += backStarts[page]!
  const next = backStarts.slice(0, pages)
  const sources = new Uint32Array(targets.length)
  for (let page = 0; page < pages; page++) {
    for (let i = starts[page]!; i < starts[page + 1]!; i++) sources[next[targets[i]!]!++] = page
  }
  return { starts: backStarts, targets: sources }
}
