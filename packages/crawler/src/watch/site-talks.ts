/**
 * SiteTalks: the conversations with sites that are under way: with each site at most one, which asks one question at a time. A
 * question that was lost with its visit breaks its inquiry off.
 */
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import { Calendar, SiteTalk } from '@comity/follow'
import type { Inquiry, Questions, Spent } from '@comity/follow'
import type { SiteRules } from './offer-handler.ts'

interface SiteTalksParts {
  readonly frontier: Frontier
  readonly questions: Questions
  readonly rules: SiteRules
  readonly now: () => Instant
}

/** Conversations at a time; the other sites wait. */
const MAX_TALKS = 1_000
/** How long an answer may take before we see whether the question is still on its way. */
const PATIENCE_MS = 600_000

export class SiteTalks {
  readonly #parts: SiteTalksParts
  /** By site; and until when each is thought to be under way. */
  readonly #talks = new Map<number, { breakOff(): void }>()
  readonly #patience = new Calendar()

  constructor(parts: SiteTalksParts) {
    this.#parts = parts
  }

  get hasRoom(): boolean {
    return this.#talks.size < MAX_TALKS
  }

  has(site: number): boolean {
    return this.#talks.has(site)
  }

  begin<Result>(
    site: number,
    inquiry: Inquiry<Result>,
    ended: (result: Result | undefined, spent: Spent) => void,
  ): void {
    const { frontier, questions, rules, now } = this.#parts
    const talk = new SiteTalk({
      site,
      origin: frontier.sites[site]!.origin,
      inquiry,
      allows: (url) => rules.allows(site, url),
      ask: (question) => {
        this.#patience.set(site, now() + PATIENCE_MS)
        questions.ask(question)
      },
      ended: (result, spent) => {
        this.forget(site)
        ended(result, spent)
      },
    })
    this.#talks.set(site, talk)
    talk.begin()
  }

  forget(site: number): void {
    this.#talks.delete(site)
    this.#patience.delete(site)
  }

  /** Of those that were not heard of for long. */
  breakOffLost(now: Instant): void {
    for (let site = this.#patience.take(now); site !== undefined; site = this.#patience.take(now))
      this.#await(site, now)
  }

  /** When the next would be missed. */
  nextAt(): Instant {
    return this.#patience.nextAt()
  }

  /** The question waits for its turn, or it was lost with its visit. */
  #await(site: number, now: Instant): void {
    const place = this.#parts.frontier.sites[site]
    const isWaiting =
      place?.running?.kind === 'question' || place?.prerequisites.some(({ kind }) => kind === 'question')
    if (isWaiting === true) this.#patience.set(site, now + PATIENCE_MS)
    else this.#talks.get(site)?.breakOff()
  }
}
