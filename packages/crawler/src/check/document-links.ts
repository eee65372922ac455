/**
 * Document links: do the links that lists and dumps have beside their entries (`next`, `up`, `index`, `contents`) lead to something?
 * Whoever follows a `next` into nothing misses all that comes after. Those to the site's own documents are asked for, a byte of each,
 * and few: what is wrong is wrong in many places at once.
 */
import type { SyncEntry, SyncLink, SyncSummary } from '@comity/protocol'
import { statusOf } from './asker.ts'
import type { Asker } from './asker.ts'

/** Where a reader goes on comes first. */
const RELS: readonly string[] = ['next', 'prev', 'previous', 'contents', 'index', 'up']
const MOST_ASKED = 4
const MOST_KEPT = 200

interface Leading {
  readonly rel: string
  readonly href: string
  /** The document that says it. */
  readonly from: string
}

const rankOf = ({ rel }: Leading): number => RELS.indexOf(rel)

export class DocumentLinks {
  readonly #origin: string
  readonly #links = new Map<string, Leading>()

  constructor(origin: string) {
    this.#origin = origin
  }

  read(from: string, { links }: Pick<SyncSummary, 'links'>, entries: Iterable<SyncEntry> = []): void {
    this.#keep(from, links)
    for (const { links: own = [] } of entries) this.#keep(from, own)
  }

  /** The first that leads nowhere, in a sentence; each address is asked for once in a check. */
  async dead(asker: Asker): Promise<string | undefined> {
    const due = [...this.#links.values()].filter(({ href }) => !asker.hasAnswered(href))
    for (const { rel, href, from } of due.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST_ASKED)) {
      const exchange = await asker.ask(href, { headers: { range: 'bytes=0-0' } })
      if (exchange === undefined) return undefined
      const status = statusOf(exchange)
      if (status === 404 || status === 410)
        return `${new URL(from).pathname}: its link rel="${rel}" leads nowhere: ${new URL(href).pathname} is answered with ${status}`
    }
    return undefined
  }

  #keep(from: string, links: readonly SyncLink[]): void {
    for (const { rel, href } of links) {
      if (this.#links.size >= MOST_KEPT || this.#links.has(href) || !RELS.includes(rel)) continue
      if (URL.parse(href)?.origin === this.#origin) this.#links.set(href, { rel, href, from })
    }
  }
}
