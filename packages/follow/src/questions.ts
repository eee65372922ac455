/**
 * Questions: what a site is asked besides its pages, its robots.txt and its sitemaps: what it offers crawlers, what
 * changed, many pages at once. Each is a prerequisite of the frontier's, so it waits for its turn like any other request; what
 * is asked and who wants to know stays here, for as long as the run lasts.
 */
import type { Prerequisite, Frontier } from '@comity/frontier'
import { ownDocuments, FAULT } from '@comity/ingest'
import type { Documents, Exchange, Head, FaultIsolation } from '@comity/ingest'

export interface Question {
  readonly site: number
  /** Path and query on that site: nobody is asked about another. */
  readonly path: string
  readonly method?: 'GET' | 'QUERY' | 'POST' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly maxBodyBytes: number
  /** Decide by the head whether the body is worth reading. */
  readonly wants?: (head: Head) => boolean
  /** Called once, unless the run ends or the site is given up before. The site is asked nothing more until it is done. */
  readonly answered: (exchange: Exchange, address: string, documents: Documents) => void | Promise<void>
}

export class Questions {
  readonly #frontier: Frontier
  readonly #faults: FaultIsolation
  readonly #open = new Map<number, Question>()
  #last = 0

  constructor(frontier: Frontier, faults: FaultIsolation) {
    this.#frontier = frontier
    this.#faults = faults
  }

  /** Its number. */
  ask(question: Question): number {
    const { site, path } = question
    const number = ++this.#last
    this.#open.set(number, question)
    this.#frontier.runPrerequisite(site, { kind: 'question', onBehalfOf: site, path, hops: 0, question: number })
    return number
  }

  /** Nobody wants to know any more: it is not asked if it was not yet. */
  withdraw(number: number): void {
    this.#open.delete(number)
  }

  /** What a prerequisite is about; undefined when nobody wants to know any more. */
  of({ question }: Prerequisite): Question | undefined {
    return question === undefined ? undefined : this.#open.get(question)
  }

  /** `documents`: who reads what came. */
  async answered(
    prerequisite: Prerequisite,
    exchange: Exchange,
    address: string,
    documents: Documents = ownDocuments,
  ): Promise<void> {
    const question = this.of(prerequisite)
    if (prerequisite.question !== undefined) this.#open.delete(prerequisite.question)
    if (question === undefined) return
    const origin = this.#frontier.sites[question.site]?.origin ?? ''
    const url = origin + question.path
    const body = exchange.kind === 'answered' ? exchange.body : undefined
    const about = { kind: 'question', url, origin, body } as const
    const came = await this.#faults.apart(about, () => question.answered(exchange, address, documents))
    // Whoever asked must not wait for ever; what it makes of that is no news, and the fault is kept already.
    if (came === FAULT)
      void (async () => question.answered(unanswered(exchange), address, documents))().catch(() => undefined)
  }
}

function unanswered({ startedAt, endedAt, connectMs, firstByteMs, transferMs }: Exchange): Exchange {
  const timed = { startedAt, endedAt, connectMs, firstByteMs, transferMs }
  const message = 'what it answered could not be looked at, for a fault of ours'
  return { kind: 'failed', outcome: 'bad-response', message, stale: false, ...timed }
}
