/**
 * PageRank of a web that grows, kept true while it grows (003 §2, d = 0.9).
 *
 * A page without links counts as linking to every page. That gives every page the same, so with x = 1 + d · Σ x(T)/c(T)
 * over the pages T that link to it, and c(T) their links, the ranks are x scaled to a mean of 1: the order of pages by x
 * is their order by rank, and a page whose links are not known yet, or that has none, passes nothing on.
 *
 * For each page we keep an estimate and the residual, what the equation still wants added to it. New links add to the
 * residuals of their targets; a page whose residual passes the tolerance takes it in and passes it on to its own targets
 * (Gauss-Southwell; for ranks: McSherry, WWW 2005, and Bahmani et al., VLDB 2010). What does not change is not touched:
 * 004 §5 calls solving the whole system for every page "very slow", and this is the same answer.
 *
 * Invariant between calls: |residual| ≤ tolerance · estimate for every page. The errors of all estimates
 * together are then at most tolerance / (1 − d) of the sum of the ranks.
 */
import { LinkGraph } from './link-graph.ts'

export const DAMPING = 0.9
/** A thousandth of each rank. */
export const TOLERANCE = 1e-3

interface PageRankOptions {
  readonly damping?: number
  readonly tolerance?: number
}

export class PageRank {
  readonly #graph = new LinkGraph()
  readonly #damping: number
  readonly #tolerance: number
  #value: Float64Array = new Float64Array(0)
  /**
   * Residual and limit of each page, side by side: a link that is passed along touches one line of the cache and, nine
   * times in ten, does no more. The limit is infinite while the page is in the queue, or among those to be reported.
   */
  #state: Float64Array = new Float64Array(0)
  #queue: Uint32Array = new Uint32Array(1_024)
  #head = 0
  #tail = 0
  #count = 0
  #sum = 0
  #moved: number[] = []
  /** Times that a page has passed something on, and links it went along: what all this has cost. */
  pushes = 0
  passed = 0

  constructor({ damping = DAMPING, tolerance = TOLERANCE }: PageRankOptions = {}) {
    this.#damping = damping
    this.#tolerance = tolerance
  }

  get graph(): LinkGraph {
    return this.#graph
  }

  /** There are this many pages now. A new one starts with what every page has. */
  grow(count: number): void {
    if (count <= this.#count) return
    if (count > this.#value.length) this.#reserve(count)
    this.#value.fill(1, this.#count, count)
    for (let page = this.#count; page < count; page++) this.#state[2 * page + 1] = this.#tolerance
    this.#sum += count - this.#count
    this.#count = count
  }

  /** x of the equation: the rank but for a factor that is the same for all pages. */
  valueOf(page: number): number {
    return page < this.#count ? this.#value[page]! + this.#state[2 * page]! : 1
  }

  /** What makes the mean of all ranks 1. */
  get scale(): number {
    return this.#count === 0 ? 1 : this.#count / this.#sum
  }

  rankOf(page: number): number {
    return this.valueOf(page) * this.scale
  }

  /** `set`, then `settle`. */
  link(page: number, links: ArrayLike<number>, onMoved: (page: number) => void): void {
    this.set(page, links)
    this.settle(onMoved)
  }

  /**
   * Pass on all that is due. `onMoved` hears of each page without links whose value has moved. After several pages at
   * once it costs little more than after one: what they add to the same pages is passed on together.
   */
  settle(onMoved: (page: number) => void): void {
    if (this.#moved.length === 0 && this.#head === this.#tail) return
    // Some that had no links when they were noticed have been told theirs since.
    const noticed = this.#moved
    this.#moved = noticed.filter((page) => this.#graph.countOf(page) === 0)
    if (this.#moved.length < noticed.length) {
      for (const page of noticed) if (this.#graph.countOf(page) > 0) this.#enqueue(page)
    }
    this.#passAll()
    const moved = this.#moved
    this.#moved = []
    for (const page of moved) {
      this.#takeIn(page)
      this.#relax(page)
      onMoved(page)
    }
  }

  /** What a page links to is known, or has changed. Call `settle` or `solve` before the next look at a value. */
  set(page: number, links: ArrayLike<number>): void {
    let most = page
    for (let i = 0; i < links.length; i++) if (links[i]! > most) most = links[i]!
    this.grow(most + 1)
    // What it has taken in went along its old links, and goes along the new ones from now on.
    this.#pass(page, -this.#value[page]!)
    this.#graph.set(page, links)
    this.#takeIn(page)
    // One that waits for its turn goes on waiting.
    if (this.#state[2 * page + 1] !== Infinity) this.#relax(page)
    this.#pass(page, this.#value[page]!)
  }

  /** Solve the whole system from where it stands, sweep by sweep, as 004's Batch does. Returns the number of sweeps. */
  solve(tolerance: number = this.#tolerance, maxSweeps = 1_000): number {
    let sweeps = 0
    for (; sweeps < maxSweeps && this.worstResidual() > tolerance; sweeps++) {
      for (let page = 0; page < this.#count; page++) {
        if (this.#state[2 * page] !== 0) this.#pass(page, this.#takeIn(page))
      }
    }
    this.#head = this.#tail = 0
    this.#moved = []
    for (let page = 0; page < this.#count; page++) this.#relax(page)
    return sweeps
  }

  /** The largest residual, as a part of its page's value. */
  worstResidual(): number {
    let worst = 0
    for (let page = 0; page < this.#count; page++) {
      const part = Math.abs(this.#state[2 * page]!) / this.#value[page]!
      if (part > worst) worst = part
    }
    return worst
  }

  #passAll(): void {
    const mask = this.#queue.length - 1
    while (this.#head !== this.#tail) {
      const page = this.#queue[this.#head]!
      this.#head = (this.#head + 1) & mask
      const delta = this.#takeIn(page)
      this.#relax(page)
      this.#pass(page, delta)
    }
  }

  #takeIn(page: number): number {
    const delta = this.#state[2 * page]!
    this.#state[2 * page] = 0
    this.#value[page]! += delta
    return delta
  }

  /** Set the limit again, by what the page is worth now. */
  #relax(page: number): void {
    this.#state[2 * page + 1] = this.#tolerance * this.#value[page]!
  }

  /** What a page's links hand on when its value changes by `delta`. */
  #pass(page: number, delta: number): void {
    const count = this.#graph.countOf(page)
    if (count === 0) return
    const links = this.#graph.blockOf(page)
    const from = this.#graph.offsetOf(page)
    const state = this.#state
    const share = (this.#damping * delta) / count
    this.pushes++
    this.passed += count
    this.#sum += share * count
    for (let i = from; i < from + count; i++) {
      const at = 2 * links[i]!
      const residual = state[at]! + share
      state[at] = residual
      if (residual > state[at + 1]! || -residual > state[at + 1]!) this.#notice(at >> 1)
    }
  }

  #notice(page: number): void {
    this.#state[2 * page + 1] = Infinity
    if (this.#graph.countOf(page) === 0) this.#moved.push(page)
    else this.#enqueue(page)
  }

  #enqueue(page: number): void {
    this.#queue[this.#tail] = page
    this.#tail = (this.#tail + 1) & (this.#queue.length - 1)
  }

  #reserve(count: number): void {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1_024, count + 1)))
    const value = new Float64Array(size)
    value.set(this.#value)
    const state = new Float64Array(2 * size)
    state.set(this.#state)
    const queue = new Uint32Array(size)
    let tail = 0
    for (let at = this.#head; at !== this.#tail; at = (at + 1) & (this.#queue.length - 1))
      queue[tail++] = this.#queue[at]!
    this.#value = value
    this.#state = state
    this.#queue = queue
    this.#head = 0
    this.#tail = tail
  }
}
