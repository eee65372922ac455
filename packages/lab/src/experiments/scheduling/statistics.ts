/** What is read off the lines of a scheduling experiment: areas, crossings, correlations. Pure. */
import type { Curve } from '../../simulate/record.ts'

/** The value of one column of a curve where another has reached `x`, along straight lines between its points. */
export function valueAt(curve: Curve, along: keyof Curve, x: number, column: keyof Curve): number {
  const [xs, ys] = [curve[along], curve[column]]
  let [low, high] = [0, xs.length - 1]
  if (x >= xs[high]!) return ys[high]!
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (xs[middle]! <= x) low = middle
    else high = middle
  }
  const step = xs[high]! - xs[low]!
  return step === 0 ? ys[high]! : ys[low]! + ((x - xs[low]!) / step) * (ys[high]! - ys[low]!)
}

/** PageRank where this share of the pages of the crawl is fetched. */
export const rankAtShare = (curve: Curve, share: number): number =>
  valueAt(curve, 'pages', share * curve.pages.at(-1)!, 'rank')

/** Under cumulative PageRank against the share of pages: ½ for a crawl at random over pages of equal worth. */
export function area({ pages, rank }: Curve): number {
  let sum = 0
  for (let i = 1; i < pages.length; i++) sum += ((rank[i]! + rank[i - 1]!) / 2) * (pages[i]! - pages[i - 1]!)
  return sum / pages.at(-1)!
}

/** Shares of a crawl at which curves are compared. */
const STEPS: readonly number[] = Array.from({ length: 200 }, (_, n) => (n + 1) / 201)

/** Mean distance between two curves at equal shares of pages. */
export const distance = (a: Curve, b: Curve): number =>
  mean(STEPS.map((share) => Math.abs(rankAtShare(a, share) - rankAtShare(b, share))))

/** The shares of pages between which `curve` stands clearly above all others, from the start on; 0 if it never does. */
export function leadsUntil(curve: Curve, others: readonly Curve[], margin: number): number {
  const overtaken = STEPS.find((share) =>
    others.some((other) => rankAtShare(other, share) > rankAtShare(curve, share) + margin),
  )
  return overtaken ?? 1
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length

/** Pearson's r, fed pair by pair. NaN when there is nothing to correlate. */
export class Correlation {
  #count = 0
  #meanX = 0
  #meanY = 0
  #xx = 0
  #yy = 0
  #xy = 0

  add(x: number, y: number): void {
    this.#count++
    const dx = x - this.#meanX
    const dy = y - this.#meanY
    this.#meanX += dx / this.#count
    this.#meanY += dy / this.#count
    this.#xx += dx * (x - this.#meanX)
    this.#yy += dy * (y - this.#meanY)
    this.#xy += dx * (y - this.#meanY)
  }

  get count(): number {
    return this.#count
  }
  get value(): number {
    return this.#xx === 0 || this.#yy === 0 ? NaN : this.#xy / Math.sqrt(this.#xx * this.#yy)
  }
}
