/**
 * IngestEvents: one stream of what a collection takes in. Whoever has to know follows it when it is made: the commit, the index,
 * revisits and trust, statistics, what is kept, checks of pushes. Who tells knows none of them.
 *
 *   content      the body of a page is stored
 *   deposit      a visit, or what came in its place, has ended and is deposited
 *   committing   all that was deposited until now is about to become durable: what goes with it is written now
 *   committed    it is durable
 *   searchable   the index has come to this change of the collection
 */
import type { SettledVisit } from './page-handler.ts'

export interface IngestKinds {
  readonly content: { readonly page: number }
  readonly deposit: SettledVisit
  readonly committing: undefined
  readonly committed: undefined
  readonly searchable: { readonly change: number }
}

type Follower<Kind extends keyof IngestKinds> = (taken: IngestKinds[Kind]) => void

export class IngestEvents {
  readonly #followers = new Map<keyof IngestKinds, ((taken: never) => void)[]>()

  /** Followers are told in the order in which they came. */
  follow<Kind extends keyof IngestKinds>(kind: Kind, follower: Follower<Kind>): void {
    const others = this.#followers.get(kind)
    if (others === undefined) this.#followers.set(kind, [follower])
    else others.push(follower)
  }

  tell<Kind extends keyof IngestKinds>(kind: Kind, taken: IngestKinds[Kind]): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `follow` has put the two together.
    for (const follower of this.#followers.get(kind) ?? []) (follower as Follower<Kind>)(taken)
  }
}
