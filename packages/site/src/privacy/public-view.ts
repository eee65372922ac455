/**
 * Public view: what of the journal is told, and under which address. Whoever recorded a page has decided that it may be
 * public; here robots.txt and the owner's patterns are asked once more, since they may have changed meanwhile. No scheme
 * looks at the journal but through this.
 *
 * Rules that change make a new epoch: all that was made under the old ones is made anew, and whoever follows the changes
 * begins anew, because pages that come into view or leave it then are in no change.
 */
import { hash } from 'node:crypto'
import { pathSpellings } from '@comity/protocol'
import type { ChangeEntry, Instant, PageEntry } from '@comity/protocol'
import { documentPaths } from '../document-paths.ts'
import type { DocumentPaths } from '../document-paths.ts'
import type { Change, Journal, JournaledPage } from '../journal/journal.ts'
import { pathVerdict, publicRules } from './public-rules.ts'
import type { PublicRules } from './public-rules.ts'
import { keyFilePath } from '../push-options.ts'
import type { SiteSetting } from '../site-options.ts'

/** A sitemap can list no longer address, and what one scheme cannot tell none does: they have to agree. */
const MAX_URL = 2_047

export class PublicView {
  readonly paths: DocumentPaths
  readonly journal: Journal
  readonly #setting: SiteSetting
  readonly #startedAt: Instant
  #robots: string
  #rules: PublicRules
  #edition: string
  #epoch = 1

  constructor(setting: SiteSetting) {
    this.#setting = setting
    this.journal = setting.journal
    const keyFile = keyFilePath(setting.push ?? {})
    this.paths = documentPaths(setting.root, keyFile === undefined ? [] : [keyFile])
    this.#startedAt = setting.now()
    this.#robots = robotsOf(setting)
    this.#rules = rulesOf(setting, this.#robots)
    this.#edition = editionOf(setting, this.#rules)
  }

  /** Look at robots.txt again. Between answers, so that each is made under one set of rules. */
  refresh(): void {
    const robots = robotsOf(this.#setting)
    if (robots === this.#robots) return
    this.#robots = robots
    this.#rules = rulesOf(this.#setting, robots)
    const edition = editionOf(this.#setting, this.#rules)
    if (edition !== this.#edition) this.#epoch++
    this.#edition = edition
  }

  /** The site's own robots.txt. */
  get robots(): string {
    return this.#robots
  }

  /** One more whenever other pages may be told of. */
  get epoch(): number {
    return this.#epoch
  }

  /** Names this journal under these rules: numbers of changes of another edition mean nothing here. */
  get edition(): string {
    return this.#edition
  }

  /** When the newest change was noticed, as far as that is still known. */
  get lastChangeAt(): Instant {
    return this.journal.changesAfter(this.journal.last - 1, 1)?.[0]?.at ?? this.#startedAt
  }

  /** Number of the change after which lists of changes tell; what was before it stands in the lists of all pages. */
  get toldSince(): number {
    const { since } = this.journal
    return Math.max(since, this.#setting.toldSince?.() ?? since)
  }

  get startedAt(): Instant {
    return this.#startedAt
  }

  isPublic(path: string): boolean {
    if (this.#setting.origin.length + path.length > MAX_URL) return false
    if (pathSpellings(path).some((spelling) => this.paths.isDocument(spelling))) return false
    // The query was looked at when the page was recorded: the owner may have listed that very address.
    return pathVerdict(path, this.#rules, true).public
  }

  page(path: string): JournaledPage | undefined {
    const page = this.journal.page(path)
    return page !== undefined && this.isPublic(path) ? page : undefined
  }

  /** By path. */
  *pages(): Iterable<JournaledPage> {
    for (const page of this.journal.pages()) if (this.isPublic(page.path)) yield page
  }

  /** Those of so many changes after a number that may be told; undefined when some were dropped. */
  changesAfter(number: number, limit?: number): readonly Change[] | undefined {
    return this.journal.changesAfter(number, limit)?.filter(({ path }) => this.isPublic(path))
  }

  url(path: string): string {
    return `${this.#setting.origin}${path}`
  }

  /** The path of an address of this site. */
  pathOf(url: string): string | undefined {
    const { origin } = this.#setting
    // As it was written: the journal has paths as the site itself spells them.
    if (url.startsWith(`${origin}/`) && !url.includes('#')) return url.slice(origin.length)
    const parsed = URL.parse(url)
    return parsed?.origin === origin ? `${parsed.pathname}${parsed.search}` : undefined
  }

  entry({ path, modifiedAt, digest, bytes, type, masked }: JournaledPage): PageEntry {
    const facts = { url: this.url(path), modifiedAt, bytes, type }
    return masked === true ? facts : { ...facts, digest }
  }

  change(change: Change): ChangeEntry {
    const { change: kind, at } = change
    if (kind !== 'deleted') return { ...this.entry(change), change: kind, changedAt: at }
    return { url: this.url(change.path), type: change.type, change: kind, changedAt: at }
  }
}

const robotsOf = ({ robots = '' }: SiteSetting): string => (typeof robots === 'string' ? robots : robots())

const rulesOf = ({ rules }: SiteSetting, robots: string): PublicRules => publicRules({ ...rules, robots })

/** Two journals have two names, and one journal under other rules has another. */
function editionOf({ journal, rules }: SiteSetting, { everybody }: PublicRules): string {
  const robots = everybody.rules.list.map(({ allow, path }) => [allow, path])
  return hash('sha256', JSON.stringify([journal.id, robots, rules ?? {}])).slice(0, 16)
}
