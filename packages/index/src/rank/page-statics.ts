/** PageStatics: importance and hits of pages as the default ranking adds them, for each segment, made when asked for. */
import { IndexError } from '../errors.ts'
import type { SearchedSegment } from '../read/index-reader.ts'
import { readPageValues, valuesStamp } from '../format/page-values.ts'
import type { ValueName } from '../format/page-values.ts'
import type { DocumentPriors } from './ranked-search.ts'
import { saturated } from './ranking.ts'
import type { RankWeights } from './ranking.ts'
import type { Segment } from '../read/segment.ts'
import { NO_STATICS, staticScores } from './static-scores.ts'
import type { StaticScores } from './static-scores.ts'

export class PageStatics implements DocumentPriors {
  readonly #dir: string
  readonly #weights: RankWeights
  #made = new WeakMap<Segment, StaticScores>()
  readonly #refused: IndexError[] = []
  #stamp = ''
  #importance: Float32Array = new Float32Array(0)
  #hits: Float32Array = new Float32Array(0)

  constructor(dir: string, weights: RankWeights) {
    this.#dir = dir
    this.#weights = weights
    this.refresh()
  }

  /** Look whether the values were replaced; true when they were. */
  refresh(): boolean {
    const stamp = `${valuesStamp(this.#dir, 'importance')} ${valuesStamp(this.#dir, 'hits')}`
    if (stamp === this.#stamp) return false
    this.#stamp = stamp
    this.#refused.length = 0
    this.#importance = this.#read('importance')
    this.#hits = this.#read('hits')
    this.#made = new WeakMap()
    return true
  }

  /** Values that could not be read; pages are ranked without them. */
  get refused(): readonly IndexError[] {
    return this.#refused
  }

  importanceOf(key: number): number {
    return this.#importance[key] ?? 0
  }
  hitsOf(key: number): number {
    return this.#hits[key] ?? 0
  }

  staticsOf({ segment }: SearchedSegment): StaticScores {
    if (this.#importance.length === 0 && this.#hits.length === 0) return NO_STATICS
    let made = this.#made.get(segment)
    if (made === undefined) {
      made = staticScores(Float64Array.from(segment.columns.keys, (key) => this.#scoreOf(key)))
      this.#made.set(segment, made)
    }
    return made
  }

  #read(name: ValueName): Float32Array {
    try {
      return readPageValues(this.#dir, name)
    } catch (error) {
      if (!(error instanceof IndexError)) throw error
      this.#refused.push(error)
      return new Float32Array(0)
    }
  }

  #scoreOf(key: number): number {
    const { importance, importancePivot, hits, hitsPivot } = this.#weights
    return saturated(this.importanceOf(key), importance, importancePivot) + saturated(this.hitsOf(key), hits, hitsPivot)
  }
}
