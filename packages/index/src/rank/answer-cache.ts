/**
 * AnswerCache: answers that were found lately, by question, each with the state of the index it is of.
 *
 *   asked ──▶ its state was the newest less than `maxAgeMs` ago ──▶ given as it is
 *         └─▶ (whoever asks looks at the index) ──▶ still the newest ──▶ given as it is
 *                                               └─▶ there is a newer ──▶ found anew
 *
 * So no answer is of a state that was replaced longer than `maxAgeMs` before; with 0, of the newest alone. A state that
 * only has its documents in other segments is no newer one. What is being found is given to all who ask for it meanwhile.
 *
 * Questions that several ask are found anew behind their backs when the index has changed (`outdated`, `renew`): then
 * fifty who ask at the same moment are answered at once, though the index changes three times a second. This is what
 * search servers do when they open a new state: warm it with the questions of the old one before they show it.
 */
import type { Instant } from '@comity/protocol'

/** A state of the index, and when it was last seen to be the newest. */
interface State {
  seenAt: Instant
  /** How often its segments were merged. */
  merges: number
}

/** What a look at the index shows, beside what the look before it did. */
type Sight = 'same' | 'merged' | 'other'

interface Kept<Answer> {
  readonly find: () => Promise<Answer>
  answer: Promise<Answer>
  state: State
  /** Those of the state when it was found. */
  merges: number
  /** When it was asked for the last time, and the time before that. */
  askedAt: Instant
  askedBefore: Instant
}

const MAX_ANSWERS = 256
/** Asked twice within this, a question is likely to be asked again soon. */
const OFTEN_MS = 3_000
/** As many as that are found anew without being asked for. */
const MAX_RENEWED = 32

export class AnswerCache<Answer> {
  readonly #now: () => Instant
  readonly #maxAgeMs: number
  /** What was not asked for longest comes first. */
  readonly #kept = new Map<string, Kept<Answer>>()
  #state: State

  constructor(now: () => Instant, maxAgeMs: number) {
    this.#now = now
    this.#maxAgeMs = maxAgeMs
    this.#state = { seenAt: now(), merges: 0 }
  }

  /** Somebody looked at the index, just now. */
  looked(sight: Sight): void {
    if (sight === 'other') this.#state = { seenAt: this.#now(), merges: 0 }
    else this.#state.seenAt = this.#now()
    if (sight === 'merged') this.#state.merges++
  }

  /** An answer that may be given without a look at the index. */
  recent(name: string): Promise<Answer> | undefined {
    const kept = this.#kept.get(name)
    // A clock that was set back says nothing about age.
    const age = kept === undefined ? Infinity : Math.abs(this.#now() - kept.state.seenAt)
    return kept === undefined || age >= this.#maxAgeMs ? undefined : this.#asked(name, kept)
  }

  /** The answer from the state that was seen at the last look, found when it is not known. */
  newest(name: string, find: () => Promise<Answer>): Promise<Answer> {
    const known = this.#kept.get(name)
    if (known?.state === this.#state) return this.#asked(name, known)
    const answer = find()
    const askedBefore = known?.askedAt ?? -Infinity
    const state = this.#state
    const kept = { find, answer, state, merges: state.merges, askedAt: this.#now(), askedBefore }
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_ANSWERS) this.#kept.delete(oldest!)
    // A failure is told to all who wait for it, and tried again by who asks next.
    answer.catch(() => this.#forget(name, kept))
    return answer
  }

  /** Questions that are asked often and should be found anew, the latest first; after a merge too, which left it cold. */
  outdated(): string[] {
    const since = this.#now() - OFTEN_MS
    const often = [...this.#kept].filter(([, { askedBefore }]) => askedBefore >= since).toReversed()
    return often
      .slice(0, MAX_RENEWED)
      .filter(([, kept]) => this.#isOutdated(kept))
      .map(([name]) => name)
  }

  /** Find an answer anew; until it is there the old one is given. Never fails: who asks next hears what is wrong. */
  async renew(name: string): Promise<void> {
    const kept = this.#kept.get(name)
    if (kept === undefined || !this.#isOutdated(kept)) return
    const state = this.#state
    const { merges } = state
    try {
      const answer = kept.find()
      await answer
      Object.assign(kept, { answer, state, merges })
    } catch {
      this.#forget(name, kept)
    }
  }

  #isOutdated({ state, merges }: Kept<Answer>): boolean {
    return state !== this.#state || merges !== state.merges
  }

  #asked(name: string, kept: Kept<Answer>): Promise<Answer> {
    kept.askedBefore = kept.askedAt
    kept.askedAt = this.#now()
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    return kept.answer
  }

  #forget(name: string, kept: Kept<Answer>): void {
    if (this.#kept.get(name) === kept) this.#kept.delete(name)
  }
}
