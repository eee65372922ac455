/**
 * Page columns: what a survey remembers of each page, 16 bytes of it, so that ten million pages take 160 MB and a look
 * through all of them takes milliseconds.
 *
 * A URL is found by going through the lower halves of all keys: a million takes half a millisecond, which is sooner
 * than a table of slots would be worth its memory. The caller compares the URLs of what is found.
 */
const SMALLEST = 1_024

/** `outcomes` of a page without a row. */
export const UNVISITED = 0

export class PageColumns {
  count = 0
  keys: Uint32Array = new Uint32Array(SMALLEST)
  sites: Uint32Array = new Uint32Array(SMALLEST)
  depths: Uint16Array = new Uint16Array(SMALLEST)
  states: Uint8Array = new Uint8Array(SMALLEST)
  /** Numbers of `outcome names`; `UNVISITED` before the first visit. */
  outcomes: Uint8Array = new Uint8Array(SMALLEST)
  /** 1 when the body is held. */
  held: Uint8Array = new Uint8Array(SMALLEST)
  /** Up to 65,535. */
  visits: Uint16Array = new Uint16Array(SMALLEST)

  add(site: number, key: number, depth: number, state: number): void {
    const page = this.count++
    if (page === this.keys.length) this.#grow()
    this.keys[page] = key
    this.sites[page] = site
    this.depths[page] = depth
    this.states[page] = state
  }

  /** The next page from `from` on whose key has this lower half; -1 when there is none. */
  next(key: number, from: number): number {
    const page = this.keys.indexOf(key, from)
    return page < this.count ? page : -1
  }

  #grow(): void {
    const length = this.keys.length * 2
    this.keys = grown(new Uint32Array(length), this.keys)
    this.sites = grown(new Uint32Array(length), this.sites)
    this.depths = grown(new Uint16Array(length), this.depths)
    this.states = grown(new Uint8Array(length), this.states)
    this.outcomes = grown(new Uint8Array(length), this.outcomes)
    this.held = grown(new Uint8Array(length), this.held)
    this.visits = grown(new Uint16Array(length), this.visits)
  }
}

function grown<Column extends Uint8Array | Uint16Array | Uint32Array>(fresh: Column, old: Column): Column {
  fresh.set(old)
  return fresh
}
