/**
 * A made site: the versions that each of its pages ever had, by a clock of its own, and what a visitor is answered at an
 * instant: by the server, or by one of the caches in front of it, each of which has copies of its own age (RFC 9111).
 */
import { writeHttpDate } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { Random } from '../../../packages/testbed/src/seeded-random.ts'

export interface Version {
  /** Of the true time, which nobody but the maker knows. */
  readonly at: Instant
  /** Undefined for a page that is gone. */
  readonly key: Uint8Array | undefined
  /** What its server says of when it changed, where that is another time. */
  readonly modifiedAt?: Instant | undefined
  /** Near versions have near texts: a date, or a counter in them. */
  readonly simhash: readonly [number, number] | undefined
}

export interface Cache {
  readonly maxAgeMs: number
  /** When it fetched a page first. */
  readonly since: Instant
  /** It says how old its copies are: in `Date`, which is the server's, and in `Age`. */
  readonly isOpen: boolean
}

export interface Trouble {
  readonly from: Instant
  readonly to: Instant
  readonly status: number
}

export interface SiteTraits {
  /** How far the clock is ahead by which the site says when a page was as it is, and its server's beside that. */
  readonly aheadMs: number
  readonly serverAheadMs: number
  readonly caches: readonly Cache[]
  readonly troubles: readonly Trouble[]
  readonly saysModified: boolean
  /** Pages in each answer of which something differs. */
  readonly restless: ReadonlySet<number>
  readonly redirected: ReadonlySet<number>
}

export const PLAIN: SiteTraits = {
  aheadMs: 0,
  serverAheadMs: 0,
  caches: [],
  troubles: [],
  saysModified: true,
  restless: new Set(),
  redirected: new Set(),
}

export interface MadeAnswer {
  readonly status: number
  readonly version: Version
  readonly headers: HeaderList
  /** By the server's clock, in whole seconds. */
  readonly servedAt: Instant
  readonly lastModified: string | undefined
}

const SECOND = 1_000

/** How far an edit moves a page: of 6,786 edits of OpenBSD's pages the 5th to the 95th of a hundred, and the last five. */
const EDIT_BITS = [0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 11, 16, 27]

export class MadeSite {
  readonly traits: SiteTraits
  readonly pages: Version[][] = []
  readonly #random: Random
  #made = 0

  constructor(random: Random, traits: SiteTraits) {
    this.#random = random
    this.traits = traits
  }

  add(at: Instant): number {
    this.pages.push([this.version(at)])
    return this.pages.length - 1
  }

  /** Edits of a page have to be made in order. */
  edit(page: number, at: Instant): void {
    const before = this.pages[page]!.at(-1)!
    this.pages[page]!.push(this.version(at, before.simhash, this.#random.pick(EDIT_BITS)))
  }

  remove(page: number, at: Instant): void {
    this.pages[page]!.push({ at, key: undefined, simhash: undefined })
  }

  restore(page: number, at: Instant): void {
    this.pages[page]!.push({ ...this.pages[page]![0]!, at })
  }

  /** Another one than all before; of a text that differs from one in so many bits of its simhash, where it is given. */
  version(at: Instant, near?: readonly [number, number], distance = 1): Version {
    const key = new Uint8Array(16)
    new DataView(key.buffer).setUint32(0, ++this.#made)
    return { at, key, simhash: this.#text(near, distance) }
  }

  #text(near: readonly [number, number] | undefined, distance: number): readonly [number, number] {
    const bits = (): number => Math.floor(this.#random.next() * 0x1_0000_0000)
    if (near === undefined) return [bits(), bits()]
    const text: [number, number] = [...near]
    for (let left = distance; left > 0; left--) {
      const half = this.#random.int(2) as 0 | 1
      text[half] = (text[half] ^ (1 << this.#random.int(32))) >>> 0
    }
    return text
  }

  at(page: number, instant: Instant): Version {
    const versions = this.pages[page]!
    const found = versions.findLast(({ at }) => at <= instant) ?? versions[0]!
    // Made anew for whoever asks.
    return this.traits.restless.has(page) && found.key !== undefined ? this.version(found.at, found.simhash) : found
  }

  /** By the clock that it says things with. */
  says(instant: Instant): Instant {
    return instant + this.traits.aheadMs
  }

  answer(page: number, instant: Instant): MadeAnswer {
    const { caches, troubles, aheadMs, serverAheadMs, saysModified } = this.traits
    const ahead = aheadMs + serverAheadMs
    const trouble = troubles.find(({ from, to }) => instant >= from && instant < to)
    const cache = caches.length === 0 || trouble !== undefined ? undefined : this.#random.pick(caches)
    const since = cache === undefined ? instant : fetchedBy(cache, page, instant)
    const version = this.#cached(cache, page, since)
    const isOpen = cache?.isOpen !== false
    const servedAt = wholeSecond((isOpen ? since : instant) + ahead)
    const headers: [string, string][] = [['Date', writeHttpDate(servedAt)]]
    if (cache !== undefined) {
      if (isOpen) headers.push(['Age', String(Math.floor((instant - since) / SECOND))])
      headers.push(['Cache-Control', `max-age=${Math.floor(cache.maxAgeMs / SECOND)}`])
    }
    const lastModified =
      saysModified && version.key !== undefined ? writeHttpDate((version.modifiedAt ?? version.at) + ahead) : undefined
    if (lastModified !== undefined) headers.push(['Last-Modified', lastModified])
    const status = trouble?.status ?? (version.key === undefined ? 404 : 200)
    return { status, version, headers, servedAt, lastModified }
  }

  /** A copy stays the same while it is held, though the server makes each answer anew. */
  readonly #copies = new Map<string, Version>()

  #cached(cache: Cache | undefined, page: number, since: Instant): Version {
    if (cache === undefined) return this.at(page, since)
    const name = `${cache.since} ${page} ${since}`
    const copy = this.#copies.get(name) ?? this.at(page, since)
    this.#copies.set(name, copy)
    return copy
  }
}

/** It has had visitors all the time, so it fetches anew as soon as it may. */
const fetchedBy = ({ since, maxAgeMs }: Cache, page: number, instant: Instant): Instant => {
  const begin = since + ((page * 7_919) % maxAgeMs)
  return begin + Math.floor((instant - begin) / maxAgeMs) * maxAgeMs
}

export const wholeSecond = (instant: Instant): Instant => Math.floor(instant / SECOND) * SECOND
