/**
 * Inflow: what a shard takes of the others' lists. It asks each of them from where it stands, offers what it is told, and remembers how
 * far it came in the same commit. What is told twice is offered twice, which is harmless; what nobody can mean is counted and left out.
 *
 * A shard that does not ask slows nobody: its lists wait on the others' disks.
 */
import { isCount, isText, isListOf, isRecordOf } from '@comity/collection'
import type { Taken } from '@comity/collection'
import type { Message, Road } from '../road/road.ts'
import type { Telling, Told } from './telling.ts'

interface InflowParts {
  readonly shard: number
  readonly shards: number
  readonly road: Road
  readonly answerMs: number
  readonly taken: readonly Taken[]
  /** Take pages in; returns how many were not taken, as they are not at home here or no URLs. */
  readonly offer: (told: readonly Told[]) => number
  /** To become durable with what was offered. */
  readonly keep: (taken: readonly Taken[]) => void
}

export const listPlace = (shard: number): string => `list.${shard}`

const isTold = isRecordOf({ url: isText, depth: isCount, seed: isCount })
const isTelling = isRecordOf({
  epoch: isCount,
  from: isCount,
  next: isCount,
  length: isCount,
  entries: isListOf(isTold),
})

interface Source {
  epoch: number
  position: number
  /** Of the list, when last heard. */
  length: number
  /** Heard from since this opening. */
  isHeard: boolean
  isAsking: boolean
}

export class Inflow {
  readonly #parts: InflowParts
  readonly #sources = new Map<number, Source>()
  refused = 0
  heard = 0

  constructor(parts: InflowParts) {
    this.#parts = parts
    for (let shard = 0; shard < parts.shards; shard++) {
      if (shard === parts.shard) continue
      const { epoch = 0, position = 0 } = parts.taken.find((one) => one.shard === shard) ?? {}
      this.#sources.set(shard, { epoch, position, length: position, isHeard: false, isAsking: false })
    }
  }

  /** How far each list was taken, by shard; and whether all that is known to be there was. */
  get taken(): readonly Taken[] {
    return [...this.#sources].map(([shard, { epoch, position }]) => ({ shard, epoch, position }))
  }

  /** Each of the others was heard from since this shard was opened. */
  get isHeard(): boolean {
    return [...this.#sources.values()].every((source) => source.isHeard)
  }

  /** Entries that are known to wait elsewhere. */
  get lag(): number {
    return [...this.#sources.values()].reduce((sum, { length, position }) => sum + Math.max(0, length - position), 0)
  }

  /** Ask all that are not being asked. Resolves when they have answered; true when one of them has more to tell. */
  async turn(): Promise<boolean> {
    const more = await Promise.all([...this.#sources].map(([shard, source]) => this.#ask(shard, source)))
    return more.includes(true)
  }

  async #ask(shard: number, source: Source): Promise<boolean> {
    if (source.isAsking) return false
    source.isAsking = true
    const { road, answerMs } = this.#parts
    const question = { shard: this.#parts.shard, epoch: source.epoch, position: source.position }
    const answer = await road.ask(listPlace(shard), question, answerMs).catch((): Message => ({}))
    source.isAsking = false
    return isTelling(answer) && this.#take(source, answer)
  }

  #take(source: Source, answer: Message): boolean {
    const { epoch, from, next, length, entries } = answer as unknown as Telling
    // One that was followed by another owner, or that would leave something out.
    if (
      epoch < source.epoch ||
      from > source.position ||
      next < from ||
      (epoch === source.epoch && next < source.position)
    )
      return false
    this.refused += this.#parts.offer(entries)
    this.heard += entries.length
    const isMoved = epoch !== source.epoch || next !== source.position
    Object.assign(source, { epoch, position: next, length, isHeard: true })
    if (isMoved) this.#parts.keep(this.taken)
    return next < length
  }
}
