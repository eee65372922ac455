/**
 * Trust fit: what silence and signals are worth, learnt from visits.
 *
 * A visit finds a page unchanged with probability e^−θ·x. The first x is the number of hidden changes expected since the
 * last visit, the others count the signals of each channel, as they are or by what they are thought to be worth; so θ says
 * how far hidden changes are more than expected, and what a signal of each channel is worth, or worth more than thought: it
 * is right with probability 1 − e^−κ where κ is its worth. The log-likelihood is concave, with
 *
 *   gradient   Σ_changed x/(e^h − 1) − Σ_unchanged x,   h = θ·x
 *
 * so Newton's method, kept inside bounds, finds its top. Each θ has a Gamma prior.
 *
 * `fitTrust` takes a whole log. `TrustFit` keeps no log: of the unchanged visits the sum of x is all that counts, and the
 * changed ones are put in cells, by twofold steps of the hidden changes and fourfold ones of the signals, of which weight
 * and sum are kept. Only that is approximate, as a cell is treated like its mean. (One Newton step per visit with a running
 * curvature was tried first: an early step to a bound could lock it there.)
 */
export interface TrustVisit {
  /** Hidden changes expected, then signals by channel. */
  readonly x: readonly number[]
  readonly changed: boolean
  readonly weight?: number
}

export interface TrustPrior {
  readonly mean: number
  /** How many observations the prior counts for. */
  readonly shape: number
}

/** κ up to 5: a signal is never believed to be right more than 993 times of a thousand. */
export const MOST_WEIGHT = 5
const LEAST_WEIGHT = 1e-3
const LEAST_EXPECTED = 1e-6
const ROUNDS = 60
/** From the last θ on, after one visit more. */
const WARM_ROUNDS = 3
/** Kept at most; the lightest goes first. */
const MOST_CELLS = 128

export interface TrustFitState {
  readonly theta: readonly number[]
  /** Sum of x over unchanged visits. */
  readonly quiet: readonly number[]
  readonly cells: readonly (readonly [name: string, weight: number, sums: readonly number[]])[]
}

/** The θ that a log of visits makes most likely. */
export function fitTrust(visits: readonly TrustVisit[], priors: readonly TrustPrior[]): number[] {
  const quiet = priors.map((_, j) => visits.reduce((sum, { x, changed }) => sum + (changed ? 0 : x[j]!), 0))
  const changes = visits.filter(({ changed }) => changed).map(({ x, weight = 1 }) => ({ x, weight }))
  const start = priors.map(({ mean }) => mean)
  return climb(start, { quiet, changes, priors }, ROUNDS)
}

/** The same, one visit at a time. */
export class TrustFit {
  readonly #priors: TrustPrior[]
  readonly #cells: Map<string, { weight: number; sums: number[] }>
  #theta: number[]
  #quiet: number[]

  constructor(priors: readonly TrustPrior[], state?: TrustFitState) {
    this.#priors = [...priors]
    this.#theta = state === undefined ? priors.map(({ mean }) => mean) : [...state.theta]
    this.#quiet = state === undefined ? priors.map(() => 0) : [...state.quiet]
    this.#cells = new Map(state?.cells.map(([name, weight, sums]) => [name, { weight, sums: [...sums] }]))
  }

  get state(): TrustFitState {
    return {
      theta: [...this.#theta],
      quiet: [...this.#quiet],
      cells: Array.from(this.#cells, ([name, { weight, sums }]) => [name, weight, [...sums]] as const),
    }
  }

  weight(j: number): number {
    return this.#theta[j]!
  }

  /** One more channel, with nothing known of it. */
  grow(prior: TrustPrior): void {
    this.#priors.push(prior)
    this.#theta.push(prior.mean)
    this.#quiet.push(0)
    for (const { sums } of this.#cells.values()) sums.push(0)
  }

  /** Forget what is known of one channel: it begins again at its prior. */
  reset(j: number): void {
    this.#theta[j] = this.#priors[j]!.mean
    this.#quiet[j] = 0
    for (const [name, { sums }] of this.#cells) if (sums[j]! > 0) this.#cells.delete(name)
  }

  /** What was learnt so far counts `memory` times as much from now on. */
  fade(memory: number): void {
    this.#quiet = this.#quiet.map((value) => value * memory)
    for (const cell of this.#cells.values()) {
      cell.weight *= memory
      cell.sums = cell.sums.map((value) => value * memory)
    }
  }

  observe({ x, changed }: TrustVisit): void {
    if (changed) this.#putInCell(x)
    else this.#quiet = this.#quiet.map((value, j) => value + x[j]!)
    const changes = Array.from(this.#cells.values(), ({ weight, sums }) => ({
      weight,
      x: sums.map((sum) => sum / weight),
    }))
    this.#theta = climb(this.#theta, { quiet: this.#quiet, changes, priors: this.#priors }, WARM_ROUNDS)
  }

  #putInCell(x: readonly number[]): void {
    const name = cellOf(x)
    const cell = this.#cells.get(name)
    if (cell !== undefined) {
      cell.weight++
      for (const [j, value] of x.entries()) cell.sums[j]! += value
      return
    }
    this.#cells.set(name, { weight: 1, sums: [...x] })
    if (this.#cells.size <= MOST_CELLS) return
    const [lightest] = [...this.#cells].reduce((least, each) => (each[1].weight < least[1].weight ? each : least))
    this.#cells.delete(lightest)
  }
}

/** The name of the cell that a visit belongs to: each x by powers of two, of four for the signals. */
function cellOf(x: readonly number[]): string {
  // Channels without a signal at the end are left out, so that a cell keeps its name when a channel is added.
  return x
    .map((value, j) => (value > 0 ? Math.max(-9, Math.min(4, Math.floor(Math.log2(value) / (j === 0 ? 1 : 2)))) : ''))
    .join(',')
    .replace(/,+$/, '')
}

interface Seen {
  readonly quiet: readonly number[]
  readonly changes: readonly { readonly x: readonly number[]; readonly weight: number }[]
  readonly priors: readonly TrustPrior[]
}

/** Newton's method, projected on the bounds, with steps halved until they go up. */
function climb(start: readonly number[], seen: Seen, rounds: number): number[] {
  let theta = [...start]
  for (let round = 0; round < rounds; round++) {
    const { gradient, curvature } = slopes(theta, seen)
    // A weight that is at its bound and wants to leave it stays out of this round.
    const held = theta.map(
      (value, j) => (value <= LEAST_WEIGHT && gradient[j]! < 0) || (value >= MOST_WEIGHT && gradient[j]! > 0),
    )
    const step = solveLinear(curvature, gradient, held)
    const before = likelihood(theta, seen)
    let scale = 1
    let next = theta
    do {
      const length = scale
      next = theta.map((value, j) => clampWeight(value + length * step[j]!))
      scale /= 2
    } while (likelihood(next, seen) < before - 1e-9 && scale > 1e-6)
    const moved = Math.max(...next.map((value, j) => Math.abs(value - theta[j]!)))
    theta = next
    if (moved < 1e-9) break
  }
  return theta
}

function slopes(
  theta: readonly number[],
  { quiet, changes, priors }: Seen,
): { gradient: number[]; curvature: number[] } {
  const size = theta.length
  const gradient = theta.map((value, j) => priors[j]!.shape * (1 / value - 1 / priors[j]!.mean) - quiet[j]!)
  const curvature = theta.flatMap((value, j) => theta.map((_, k) => (j === k ? priors[j]!.shape / (value * value) : 0)))
  for (const { x, weight } of changes) {
    const rest = Math.expm1(Math.max(LEAST_EXPECTED, dot(theta, x)))
    for (let j = 0; j < size; j++) {
      gradient[j]! += (weight * x[j]!) / rest
      for (let k = 0; k < size; k++) curvature[j * size + k]! += (weight * x[j]! * x[k]! * (1 + 1 / rest)) / rest
    }
  }
  return { gradient, curvature }
}

function likelihood(theta: readonly number[], { quiet, changes, priors }: Seen): number {
  let sum = -dot(theta, quiet)
  for (const [j, { mean, shape }] of priors.entries()) sum += shape * (Math.log(theta[j]!) - theta[j]! / mean)
  for (const { x, weight } of changes) {
    sum += weight * Math.log(-Math.expm1(-Math.max(LEAST_EXPECTED, dot(theta, x))))
  }
  return sum
}

/** Solve matrix · y = right for a symmetric positive matrix, leaving out the rows that are held. Gauss, with no pivot. */
function solveLinear(matrix: readonly number[], right: readonly number[], held: readonly boolean[]): number[] {
  const size = right.length
  const rows = right.map((value, j) => [...matrix.slice(j * size, (j + 1) * size), value])
  for (let j = 0; j < size; j++) {
    const pivot = rows[j]!
    if (held[j]! || !(pivot[j]! > 0)) {
      rows[j] = pivot.map((_, k) => (k === j ? 1 : 0))
      continue
    }
    for (let i = j + 1; i < size; i++) {
      const factor = rows[i]![j]! / pivot[j]!
      if (factor !== 0) rows[i] = rows[i]!.map((value, k) => value - factor * pivot[k]!)
    }
  }
  const y = right.map(() => 0)
  for (let j = size - 1; j >= 0; j--) {
    let value = rows[j]![size]!
    for (let k = j + 1; k < size; k++) value -= rows[j]![k]! * y[k]!
    y[j] = value / rows[j]![j]!
  }
  return y
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!
  return sum
}

const clampWeight = (value: number): number => Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, value))
