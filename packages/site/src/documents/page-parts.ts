/**
 * Page parts: a site's pages in parts of about equal size, such that a change concerns one part only (002 §6.5.3: who
 * fetches a list after one change should not pay for all of it).
 *
 * A page's part follows from a hash of its path. Counting off pages in order would move all behind a new one; this way
 * only doubling the number of parts, once the site has doubled, makes all anew.
 */
import { hash } from 'node:crypto'
import type { Instant } from '@comity/protocol'
import type { Change, JournaledPage } from '../journal/journal.ts'
import { JournalFollower, rememberedChanges } from '../journal/follower.ts'
import type { PublicView } from '../privacy/public-view.ts'

export interface PagePart {
  /** `3f`; of the one group of a small site, the empty name. */
  readonly name: string
  /** Changes when anything in the group does; no two states of one process have the same. */
  readonly version: string
  /** When that was. Not when its newest page changed: an old page may be new in it, or have left it. */
  readonly modifiedAt: Instant
  readonly size: number
  /** By path. */
  pages(): Iterable<JournaledPage>
}

export class PageParts {
  readonly #view: PublicView
  readonly #groupPages: (pages: number, bytes: number) => number
  readonly #follower: JournalFollower
  #groups: Group[] = []
  #wanted = 1
  #count = 0
  #bytes = 0
  #makes = 0

  /** `groupPages`: how many pages a group is to have, given how many there are and the sum of their bytes. */
  constructor(view: PublicView, groupPages: (pages: number, bytes: number) => number) {
    this.#view = view
    this.#groupPages = groupPages
    this.#follower = new JournalFollower(view, this)
  }

  /** Of all pages together, as of the last time the groups were made. */
  get bytes(): number {
    this.#follower.catchUp()
    return this.#bytes
  }

  /** As of the newest change, by name. Empty groups are left out. */
  current(): readonly PagePart[] {
    this.#follower.catchUp()
    const now = this.#groups.length
    // Not back and forth around one size.
    if (this.#count > this.#wanted * now * 1.5 || (now > 1 && this.#count < (this.#wanted * now) / 4)) this.reset()
    return this.#groups.filter(({ size }, i) => size > 0 || i === 0)
  }

  reset(): void {
    this.#makes++
    let bytes = 0
    const paths: string[] = []
    for (const page of this.#view.pages()) {
      bytes += page.bytes
      paths.push(page.path)
    }
    this.#count = paths.length
    this.#bytes = bytes
    this.#wanted = Math.max(1, this.#groupPages(paths.length, bytes))
    const count = 2 ** Math.max(0, Math.ceil(Math.log2(paths.length / this.#wanted)))
    const digits = (count - 1).toString(16).length
    const make = (_: unknown, i: number): Group =>
      new Group(this.#view, count === 1 ? '' : i.toString(16).padStart(digits, '0'), this.#makes)
    this.#groups = Array.from({ length: count }, make)
    for (const path of paths) this.#groupOf(path).paths.add(path)
    this.#date()
  }

  /** What is forgotten was before what is remembered. */
  #date(): void {
    const oldest = this.#view.journal.changesAfter(this.#view.journal.since, 1)?.[0]
    for (const group of this.#groups) group.modifiedAt = oldest?.at ?? this.#view.startedAt
    for (const { path, at } of rememberedChanges(this.#view)) this.#groupOf(path).modifiedAt = at
  }

  apply({ path, change, at, number }: Change): void {
    const group = this.#groupOf(path)
    this.#count -= Number(group.paths.has(path))
    if (change === 'deleted') group.paths.delete(path)
    else group.paths.add(path)
    this.#count += Number(group.paths.has(path))
    group.touch(number, at)
  }

  #groupOf(path: string): Group {
    if (this.#groups.length === 1) return this.#groups[0]!
    return this.#groups[hash('sha256', path, 'buffer').readUInt32BE(0) % this.#groups.length]!
  }
}

/** Only paths are held; what is known of a page is looked up when it is wanted. */
class Group implements PagePart {
  readonly name: string
  readonly paths: Set<string> = new Set()
  readonly #view: PublicView
  readonly #make: number
  #number = 0
  modifiedAt: Instant = 0

  constructor(view: PublicView, name: string, make: number) {
    this.#view = view
    this.name = name
    this.#make = make
  }

  get version(): string {
    return `${this.#make}.${this.#number}`
  }

  get size(): number {
    return this.paths.size
  }

  *pages(): Iterable<JournaledPage> {
    for (const path of [...this.paths].toSorted()) {
      const page = this.#view.page(path)
      if (page !== undefined) yield page
    }
  }

  touch(number: number, at: Instant): void {
    this.#number = number
    this.modifiedAt = at
  }
}
