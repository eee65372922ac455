/**
 * A line between a site and whom it calls on which requests are lost, answers are lost, things come twice, and things come
 * late, after others that were sent later: whatever a network may do, drawn from a seed.
 */
import { PostError } from '@comity/site'
import type { Post, PostRequest } from '@comity/site'
import type { Random } from '../../packages/testbed/src/seeded-random.ts'

/** Requests that a line may hold back. */
const MOST_LATE = 8

export class FaultyLine {
  /** From 0 to 1: how likely each request meets a fault. */
  faults: number
  readonly #random: Random
  readonly #late: (() => Promise<void>)[] = []

  constructor(random: Random, faults: number) {
    this.#random = random
    this.faults = faults
  }

  readonly wrap =
    (post: Post): Post =>
    async (request, signal) => {
      if (request.method !== 'POST' || !this.#random.chance(this.faults)) return await post(request, signal)
      const fault = this.#random.pick(['lost', 'answer lost', 'twice', 'late', 'late and lost'] as const)
      if (fault === 'lost') throw cut(request)
      if (fault.startsWith('late')) this.#keep(async () => await quietly(post(request, signal)))
      if (fault === 'late and lost') throw cut(request)
      const answer = await post(request, signal)
      if (fault === 'answer lost') throw cut(request)
      return fault === 'twice' ? await post(request, signal) : answer
    }

  /** Some of what was held back arrives now. */
  async deliverLate(share: number): Promise<void> {
    for (const arrive of this.#late.splice(0)) {
      if (this.#random.chance(share)) await arrive()
      else this.#late.push(arrive)
    }
  }

  #keep(arrive: () => Promise<void>): void {
    if (this.#late.length < MOST_LATE) this.#late.push(arrive)
  }
}

const cut = ({ url }: PostRequest): PostError => new PostError('cut', `${new URL(url).host} ended the connection`)

/** Nobody waits for what comes late. */
async function quietly(answer: Promise<unknown>): Promise<void> {
  await answer.catch(() => undefined)
}
