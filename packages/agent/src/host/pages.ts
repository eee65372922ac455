/**
 * Agent pages: what an agent may see of a site, and all it may see. A site gives the public view of its journal; an engine
 * that audits gives the pages it fetched; both count as the same when they have the same URLs and digests.
 */
import { hash } from 'node:crypto'
import type { Instant } from '@comity/protocol'

export interface AgentPage {
  readonly url: string
  /** Media type without parameters. */
  readonly type: string
  readonly bytes: number
  /** `sha-256:` and 64 hexadecimal digits over the body without content coding. */
  readonly digest: string
  readonly modifiedAt: Instant
}

export interface AgentPages {
  /** All pages that are public now, in any order, each URL once. */
  list(): Iterable<AgentPage>
  /** The body of a listed page; undefined when it is gone or too large. */
  read(page: AgentPage): Promise<Uint8Array | undefined>
}

/** More pages than this are not handed to an agent; the rest is left out, last URLs first. */
const MAX_AGENT_PAGES = 2_000_000

/** By URL, in the order of UTF-16 units: the same everywhere. */
export function inOrder(pages: Iterable<AgentPage>): AgentPage[] {
  return [...pages].toSorted((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0)).slice(0, MAX_AGENT_PAGES)
}

/** What names a set of pages in order: two sites that have the same one have the same pages. */
export function pagesDigest(pages: readonly AgentPage[]): string {
  return `sha-256:${hash('sha256', pages.map(({ url, digest }) => `${url} ${digest}\n`).join(''))}`
}

export const bodyDigest = (body: Uint8Array): string => `sha-256:${hash('sha256', body)}`

/** Pages in memory: for audits, and the double of what a site has. */
export class MemoryPages implements AgentPages {
  readonly #bodies = new Map<string, Uint8Array>()
  readonly #pages = new Map<string, AgentPage>()

  add(url: string, body: Uint8Array | string, type = 'text/html', modifiedAt: Instant = 0): this {
    const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body
    this.#bodies.set(url, bytes)
    this.#pages.set(url, { url, type, bytes: bytes.length, digest: bodyDigest(bytes), modifiedAt })
    return this
  }

  list(): Iterable<AgentPage> {
    return this.#pages.values()
  }

  async read({ url }: AgentPage): Promise<Uint8Array | undefined> {
    return await Promise.resolve(this.#bodies.get(url))
  }
}
