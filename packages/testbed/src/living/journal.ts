/**
 * Living journal: what a living site knows of its own changes. It is brought up to date when somebody asks, as a CMS would on
 * every save: what a page is at an instant is known, so nothing has to tick, and no change is told before it has happened.
 */
import type { Instant } from '@comity/protocol'
import { MemoryJournal, MemoryVersions, noteChange, publicRules } from '@comity/site'
import { PAGE_TYPE, pageText, robotsText } from './answer.ts'
import { changedAt, changesNextAt, versionOf } from './site.ts'
import type { LivingPage, LivingSite } from './site.ts'

/** Nobody who keeps fresh asks for older ones, and the web may live for days. */
const CHANGES = 5_000
/** What a site with few pages may keep of them as they were, and what it may for each when there are many. */
const [LEAST_VERSION_BYTES, VERSION_BYTES_A_PAGE] = [2 << 20, 32 << 10]

export class LivingJournal {
  readonly journal: MemoryJournal
  readonly #site: LivingSite
  readonly #bodyOf: (page: LivingPage, now: Instant) => string
  readonly #rules: { readonly rules: ReturnType<typeof publicRules> }
  readonly #told = new Map<string, number>()
  #telling: Promise<void> = Promise.resolve()

  /** `bodyOf`: what the journal has of a page; what the site serves unless given. */
  constructor(
    site: LivingSite,
    bodyOf: (page: LivingPage, now: Instant) => string = (page, now) => pageText(site, page, now),
  ) {
    const maxBytes = Math.max(LEAST_VERSION_BYTES, site.resources.size * VERSION_BYTES_A_PAGE)
    this.journal = new MemoryJournal({ versions: new MemoryVersions({ maxBytes }), limits: { changes: CHANGES } })
    this.#site = site
    this.#bodyOf = bodyOf
    this.#rules = { rules: publicRules({ robots: robotsText(site) }) }
  }

  /** Everything that changed until now is in the journal when it resolves. */
  async upTo(now: Instant): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tell(now))
    await this.#telling
  }

  /** When something changes next; Infinity when nothing ever does. */
  nextAt(now: Instant): Instant {
    const { resources, epoch } = this.#site
    let next = Infinity
    for (const page of resources.values()) {
      if (page.kind !== 'page') continue
      const recovers = page.trouble === undefined || page.trouble.until <= now ? Infinity : page.trouble.until
      next = Math.min(next, changesNextAt(page, epoch, now), recovers)
    }
    return next
  }

  async #tell(now: Instant): Promise<void> {
    for (const { page, at } of this.#untold(now)) {
      this.#told.set(page.path, versionOf(page, this.#site.epoch, now))
      const body = Buffer.from(this.#bodyOf(page, now))
      await noteChange(this.journal, { path: page.path, body, type: PAGE_TYPE }, this.#rules, at)
    }
  }

  /** Pages that are not as they were last told, in the order of their changes. A page in trouble is none before it recovers. */
  #untold(now: Instant): { page: LivingPage; at: Instant }[] {
    const { resources, epoch } = this.#site
    const changed: { page: LivingPage; at: Instant }[] = []
    for (const page of resources.values()) {
      if (page.kind !== 'page' || (page.trouble !== undefined && now < page.trouble.until)) continue
      if (this.#told.get(page.path) === versionOf(page, epoch, now)) continue
      changed.push({ page, at: Math.max(changedAt(page, epoch, now), page.trouble?.until ?? 0) })
    }
    return changed.toSorted((a, b) => a.at - b.at)
  }
}
