/**
 * ShardSearch: what a machine answers to searches about one of its shards. The shard is opened for reading beside its crawl when
 * somebody asks, and closed when nobody has for a while.
 *
 *   closed ──question──▶ open ──nobody asked for IDLE_MS──▶ closed
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FollowedCollection } from '@comity/collection'
import type { PartHit, QueryLeaf, RankName } from '@comity/index'
import { openSearchPart } from '@comity/search'
import type { CollectionPart } from '@comity/search'
import type { Message, Road } from '../road/road.ts'
import { readAsks } from './gathered-asks.ts'
import type { GatheredAsk } from './gathered-asks.ts'
import {
  factsAnswer,
  GONE,
  hitOf,
  isFactsQuestion,
  isRankQuestion,
  isShowQuestion,
  rankAnswer,
  readRankQuestion,
  searchPlace,
  shownAnswer,
} from './search-messages.ts'

interface ShardSearchParts {
  readonly road: Road
  readonly shard: number
  readonly dir: string
  readonly cacheBytes: number
  /** Whether what is in the folder is the shard as its owner has it. */
  readonly isHeld: () => boolean
  /** Where all shards of this machine are asked at once. */
  readonly at: string
}

interface OpenShard extends AsyncDisposable {
  readonly part: CollectionPart['part']
  readonly hasIndex: () => boolean
}

const IDLE_MS = 60_000
/** A site is of one shard alone, so the most frequent of all are among those of each. */
const MAX_SITES = 10
/** Titles and snippets of one answer are all read at once. */
const MAX_SHOWN = 100

class ShardSearch implements AsyncDisposable {
  readonly #parts: ShardSearchParts
  readonly #end: () => void
  #open: OpenShard | undefined
  #idle: NodeJS.Timeout | undefined
  #answering = 0

  constructor(parts: ShardSearchParts) {
    this.#parts = parts
    this.#end = parts.road.answerAt(searchPlace(parts.shard), (message) => this.answer(message))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end()
    await this.#close()
  }

  async answer(message: Message): Promise<Message | undefined> {
    if (!this.#parts.isHeld()) return undefined
    // Once it is open it is there: looking for it each time cost as much as a shard's answer.
    if (this.#open === undefined && !existsSync(join(this.#parts.dir, 'collection.json'))) return undefined
    this.#answering++
    clearTimeout(this.#idle)
    try {
      return await this.#answered(message, (this.#open ??= this.#opened()))
    } finally {
      if (--this.#answering === 0) this.#idle = setTimeout(() => void this.#close(), IDLE_MS).unref()
    }
  }

  async #answered(message: Message, { part, hasIndex }: OpenShard): Promise<Message | undefined> {
    const { view } = message
    if (message['kind'] === 'facts' && isFactsQuestion(message)) {
      const { terms, prefixes } = message as unknown as { terms: readonly string[]; prefixes: readonly string[] }
      const facts = await part.facts({ view: view as number | undefined, terms, prefixes })
      if (facts === undefined) return GONE
      const problems = hasIndex() ? facts.problems : [...facts.problems, `Shard ${this.#parts.shard} has no index yet.`]
      return { ...factsAnswer({ ...facts, problems }), at: this.#parts.at }
    }
    if (message['kind'] === 'rank' && isRankQuestion(message)) {
      const { step, statistics } = readRankQuestion(message)
      const ranking = await part.rank(view as number, step, statistics)
      return ranking === undefined ? GONE : rankAnswer(ranking)
    }
    if (message['kind'] === 'show' && isShowQuestion(message)) {
      const { rank, leaves } = message as unknown as { rank: RankName; leaves: readonly QueryLeaf[] }
      const hits = (message['hits'] as readonly (readonly number[])[])
        .slice(0, MAX_SHOWN)
        .map((row): PartHit => hitOf(row))
      const shown = await part.show(view as number, hits, { rank, leaves })
      return shown === undefined ? GONE : shownAnswer(shown)
    }
    return undefined
  }

  #opened(): OpenShard {
    const { dir, cacheBytes } = this.#parts
    const followed = new FollowedCollection(dir, Date.now)
    const search = openSearchPart(dir, () => followed.current, { cacheBytes, maxSites: MAX_SITES })
    let isIndexed = false
    return {
      part: search.part,
      hasIndex: () => {
        isIndexed ||= followed.current.lastChange === 0 || existsSync(join(dir, 'index', 'index.json'))
        return isIndexed
      },
      [Symbol.asyncDispose]: async () => {
        await search[Symbol.asyncDispose]()
        await followed[Symbol.asyncDispose]()
      },
    }
  }

  async #close(): Promise<void> {
    clearTimeout(this.#idle)
    const open = this.#open
    this.#open = undefined
    await open?.[Symbol.asyncDispose]()
  }
}

/** A shard that has to be opened first, or is large, is asked again alone. */
const GATHER_MS = 250
/** One message holds a megabyte, and some characters are written as six. */
const MAX_ANSWER_CHARS = 700_000

/** As many as fit into one message; the others are asked alone. */
function fitting(answers: readonly (Message | null)[]): readonly (Message | null)[] {
  let left = MAX_ANSWER_CHARS
  return answers.map((answer) => {
    const chars = answer === null ? 4 : Buffer.byteLength(JSON.stringify(answer))
    if (chars > left) return null
    left -= chars
    return answer
  })
}

/** What is read lately of all shards of a machine. */
const CACHE_BYTES = 128 << 20

/** The shards of a machine, as far as it has them now. */
export class ShardSearches implements AsyncDisposable {
  readonly #road: Road
  readonly #at = `search-at.${randomUUID()}`
  readonly #end: () => void
  readonly #searches = new Map<number, { readonly epoch: number; readonly search: ShardSearch }>()

  constructor(road: Road) {
    this.#road = road
    this.#end = road.answerAt(this.#at, (message) => this.#answers(message))
  }

  /** What its shards say, each for itself; null for one that is not here, or that the others do not wait for. */
  async #answers(message: Message): Promise<Message | undefined> {
    const asks = readAsks(message)
    if (asks === undefined) return undefined
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), GATHER_MS)
    try {
      const answers = await Promise.all(
        asks.map(async (ask) => (await Promise.race([this.#answer(ask), late])) ?? null),
      )
      return { answers: fitting(answers) }
    } finally {
      clearTimeout(timer)
    }
  }

  async #answer({ to, message }: GatheredAsk): Promise<Message | undefined> {
    const held = [...this.#searches].find(([shard]) => searchPlace(shard) === to)
    return await held?.[1].search.answer(message).catch(() => undefined)
  }

  /** To be called whenever shards may have come or gone. */
  turn(
    held: readonly {
      readonly shard: number
      readonly epoch: number
      readonly dir: string
      readonly isHeld: () => boolean
    }[],
  ): void {
    const epochs = new Map(held.map(({ shard, epoch }) => [shard, epoch]))
    for (const [shard, { epoch, search }] of this.#searches) {
      if (epochs.get(shard) === epoch) continue
      this.#searches.delete(shard)
      void search[Symbol.asyncDispose]()
    }
    const cacheBytes = Math.floor(CACHE_BYTES / Math.max(1, held.length))
    for (const { shard, epoch, dir, isHeld } of held) {
      if (this.#searches.has(shard)) continue
      this.#searches.set(shard, {
        epoch,
        search: new ShardSearch({ road: this.#road, shard, dir, cacheBytes, isHeld, at: this.#at }),
      })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end()
    const all = [...this.#searches.values()]
    this.#searches.clear()
    await Promise.all(all.map(({ search }) => search[Symbol.asyncDispose]()))
  }
}
