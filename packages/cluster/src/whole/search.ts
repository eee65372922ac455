/** ClusterSearch: all shards of a cluster, searched as one index. Shards that do not answer in time are named in the answer. */
import { SearchOfParts } from '@comity/index'
import type { AnswerOfParts, PartResult, SearchRequest } from '@comity/index'
import type { Road } from '../road/road.ts'
import { GatheredAsks } from '../search/gathered-asks.ts'
import { RemotePart } from '../search/remote-part.ts'
import type { ClusterSettings } from '../settings.ts'

export interface ClusterResult extends Omit<PartResult, 'part'> {
  /** Where the page is; its key counts there alone. */
  readonly shard: number
}

export interface ClusterAnswer extends Omit<AnswerOfParts, 'results' | 'away'> {
  readonly results: readonly ClusterResult[]
  /** How many were asked, and which of them did not answer. */
  readonly shards: { readonly asked: number; readonly away: readonly number[] }
}

export class ClusterSearch {
  readonly #search: SearchOfParts
  readonly #shards: number

  constructor(road: Road, { shards }: Pick<ClusterSettings, 'shards'>) {
    this.#shards = shards
    const asks = new GatheredAsks(road)
    this.#search = new SearchOfParts(Array.from({ length: shards }, (_, shard) => new RemotePart(asks, shard)))
  }

  async search(request: SearchRequest): Promise<ClusterAnswer> {
    const { away, problems, results, ...answer } = await this.#search.search(request)
    return {
      ...answer,
      results: results.map(({ part: shard, ...result }) => Object.assign(result, { shard })),
      problems: away.length === 0 ? problems : [...problems, awayProblem(away, this.#shards)],
      shards: { asked: this.#shards, away },
    }
  }
}

/** Shards that are named; of a cluster that is down they are a thousand. */
const MAX_NAMED = 12

function awayProblem(away: readonly number[], shards: number): string {
  const named = away.slice(0, MAX_NAMED).join(', ')
  const more = away.length > MAX_NAMED ? ` and ${away.length - MAX_NAMED} more` : ''
  return away.length === 1
    ? `Shard ${named} of ${shards} is away: what it has is missing here.`
    : `Of ${shards} shards ${away.length} are away (${named}${more}): what they have is missing here.`
}
