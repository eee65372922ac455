/**
 * Version store: bodies that pages have or had, by their digests, up to a budget of bytes. Differences are made against
 * them, so a wrong body would become a wrong page at a crawler's: what is read is checked against its digest, and a
 * version that is missing, cut or altered is `undefined`, which only costs that the whole page is sent.
 *
 * What goes first when there is no room: the version that was superseded longest ago, then, when all are current, the one
 * that was stored longest ago.
 */
import { hash } from 'node:crypto'
import type { Instant } from '@comity/protocol'
import type { StagedChange } from './staging.ts'

export interface VersionStore {
  /** Keep a body as a current one. A body that is not what its digest says is left out. */
  put(digest: string, body: Uint8Array): Promise<void>
  get(digest: string): Uint8Array | undefined
  /** A page has another body now; this one may go before those that are current. */
  supersede(digest: string, at: Instant): void
}

export interface VersionLimits {
  readonly maxBytes: number
  /** A larger body is not kept. */
  readonly maxBodyBytes: number
}

export const defaultVersionLimits: VersionLimits = { maxBytes: 256 * 1024 * 1024, maxBodyBytes: 4 * 1024 * 1024 }

export const digestOf = (body: Uint8Array): string => `sha-256:${hash('sha256', body, 'hex')}`

/** Which versions are there, how large, and which goes next. Both maps are in the order of leaving. */
export class VersionQueue {
  readonly #superseded = new Map<string, number>()
  readonly #current = new Map<string, number>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  has(digest: string): boolean {
    return this.#current.has(digest) || this.#superseded.has(digest)
  }

  isCurrent(digest: string): boolean {
    return this.#current.has(digest)
  }

  add(digest: string, bytes: number, isCurrent = true): void {
    this.remove(digest)
    ;(isCurrent ? this.#current : this.#superseded).set(digest, bytes)
    this.#bytes += bytes
  }

  remove(digest: string): number | undefined {
    const bytes = this.#current.get(digest) ?? this.#superseded.get(digest)
    if (bytes === undefined) return undefined
    this.#current.delete(digest)
    this.#superseded.delete(digest)
    this.#bytes -= bytes
    return bytes
  }

  supersede(digest: string): void {
    const bytes = this.#current.get(digest)
    if (bytes !== undefined) this.add(digest, bytes, false)
  }

  /** Those that have to go for the rest to fit. */
  *excess(maxBytes: number): Iterable<string> {
    for (const versions of [this.#superseded, this.#current]) {
      for (const digest of versions.keys()) {
        if (this.#bytes <= maxBytes) return
        this.remove(digest)
        yield digest
      }
    }
  }
}

export class MemoryVersions implements VersionStore {
  readonly #limits: VersionLimits
  readonly #queue = new VersionQueue()
  readonly #bodies = new Map<string, Uint8Array>()

  constructor(limits: Partial<VersionLimits> = {}) {
    this.#limits = { ...defaultVersionLimits, ...limits }
  }

  async put(digest: string, body: Uint8Array): Promise<void> {
    if (body.length > this.#limits.maxBodyBytes || digestOf(body) !== digest) return
    this.#queue.add(digest, body.length)
    // `slice` of a Buffer would be a view of what was given.
    this.#bodies.set(digest, new Uint8Array(body))
    for (const gone of this.#queue.excess(this.#limits.maxBytes)) this.#bodies.delete(gone)
  }

  get(digest: string): Uint8Array | undefined {
    return this.#bodies.get(digest)?.slice()
  }

  supersede(digest: string): void {
    this.#queue.supersede(digest)
  }
}

/** Compressing and writing wait for other threads, so some are done side by side. */
const AT_ONCE = 8

/** Bodies are in place before the changes that name them can be seen; those they replace are earlier versions then. */
export async function keepVersions(versions: VersionStore, staged: readonly StagedChange[]): Promise<void> {
  const withBody = staged.filter(({ change, body }) => body !== undefined && change.change !== 'deleted')
  for (let at = 0; at < withBody.length; at += AT_ONCE) {
    const some = withBody.slice(at, at + AT_ONCE)
    await Promise.all(some.map(({ change, body }) => versions.put(change.digest, body!)))
  }
  for (const { change, replaced } of staged) {
    if (replaced !== undefined && (replaced !== change.digest || change.change === 'deleted'))
      versions.supersede(replaced, change.at)
  }
}
