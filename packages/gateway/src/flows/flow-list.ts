/** FlowList: connections by when they were last heard, the oldest first. A connection is in one list at a time. */
import type { Connection } from './connection.ts'

export class FlowList {
  #oldest: Connection | undefined
  #newest: Connection | undefined
  size = 0

  get oldest(): Connection | undefined {
    return this.#oldest
  }

  /** It was heard just now: to the end of this list, from wherever it is. */
  touch(flow: Connection): void {
    if (this.#newest === flow) return
    flow.list?.remove(flow)
    flow.list = this
    flow.older = this.#newest
    if (this.#newest === undefined) this.#oldest = flow
    else this.#newest.newer = flow
    this.#newest = flow
    this.size++
  }

  remove(flow: Connection): void {
    if (this.#oldest === flow) this.#oldest = flow.newer
    if (this.#newest === flow) this.#newest = flow.older
    if (flow.older !== undefined) flow.older.newer = flow.newer
    if (flow.newer !== undefined) flow.newer.older = flow.older
    flow.older = flow.newer = flow.list = undefined
    this.size--
  }
}
