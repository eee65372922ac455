/**
 * HitCount: how often each page went by since the last batch (001 §IV's hit frequency), people and robots apart as far
 * as they say who they are. Nothing of a reader is kept.
 */
import { headerOf, readUserAgent } from '@comity/protocol'
import type { HeaderList, PageHits } from '@comity/protocol'

/** By the User-Agent field: whoever says nothing at all is no browser. */
export function isRobot(request: HeaderList): boolean {
  return readUserAgent(headerOf(request, 'user-agent') ?? '').kind === 'robot'
}

export class HitCount {
  readonly #hits = new Map<string, { readers: number; robots: number }>()

  get size(): number {
    return this.#hits.size
  }

  add(url: string, isByRobot: boolean): void {
    const known = this.#hits.get(url)
    const hits = known ?? { readers: 0, robots: 0 }
    if (known === undefined) this.#hits.set(url, hits)
    if (isByRobot) hits.robots++
    else hits.readers++
  }

  /** All of them; the next count begins at nothing. */
  take(): PageHits[] {
    const all = Array.from(this.#hits, ([url, { readers, robots }]) => ({ url, readers, robots }))
    this.#hits.clear()
    return all
  }
}
