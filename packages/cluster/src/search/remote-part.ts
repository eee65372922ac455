/**
 * RemotePart: a shard as a search asks it, over the road. Who does not answer in time is away; and as a machine that is stopped would make
 * every search wait, it has less time from then on, until it has answered again.
 */
import type {
  FactsQuestion,
  PartFacts,
  PartHit,
  PartRanking,
  RankStep,
  ScoringStatistics,
  SearchedPart,
  ShowQuestion,
  ShownHit,
} from '@comity/index'
import { NoAnswer } from '../road/road.ts'
import type { Message, Road } from '../road/road.ts'
import { rankQuestion, readFacts, readRanking, readShown, rowOf, searchPlace } from './search-messages.ts'

/** A large shard takes a moment to open, and the rarest of its words to be looked up. */
const PATIENCE_MS = 2_000
const LITTLE_MS = 150
/** After so long it may have as much time again. */
const FORGIVEN_MS = 10_000

export class RemotePart implements SearchedPart {
  readonly #road: Pick<Road, 'ask'>
  readonly #shard: number
  readonly #now: () => number
  #lateUntil = -Infinity

  constructor(road: Pick<Road, 'ask'>, shard: number, now: () => number = () => performance.now()) {
    this.#road = road
    this.#now = now
    this.#shard = shard
  }

  async facts(question: FactsQuestion): Promise<PartFacts | undefined> {
    return await this.#ask({ kind: 'facts', ...question }, readFacts)
  }

  async rank(view: number, step: RankStep, statistics: ScoringStatistics): Promise<PartRanking | undefined> {
    return await this.#ask(rankQuestion(view, step, statistics), readRanking)
  }

  async show(
    view: number,
    hits: readonly PartHit[],
    { rank, leaves }: ShowQuestion,
  ): Promise<readonly ShownHit[] | undefined> {
    return await this.#ask({ kind: 'show', view, hits: hits.map(rowOf), rank, leaves }, readShown)
  }

  async #ask<Told>(question: Message, read: (answer: Message) => Told | undefined): Promise<Told | undefined> {
    const isLate = this.#now() < this.#lateUntil
    const patienceMs = isLate ? LITTLE_MS : PATIENCE_MS
    const askedAt = this.#now()
    let answer: Message
    try {
      answer = await this.#road.ask(searchPlace(this.#shard), question, patienceMs)
    } catch (error) {
      // That nobody has it is known at once, and costs no time.
      if (!isLate && this.#now() - askedAt >= patienceMs / 2) this.#lateUntil = this.#now() + FORGIVEN_MS
      throw error
    }
    this.#lateUntil = -Infinity
    if (answer['gone'] === true) return undefined
    const told = read(answer)
    if (told === undefined) throw new NoAnswer(`shard ${this.#shard} answered what is no answer`)
    return told
  }
}
