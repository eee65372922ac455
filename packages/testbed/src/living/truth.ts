/** Living truth: whether a copy is as the page is at an instant, and since when it is not. Read off the plan, not the wire. */
import { createHash } from 'node:crypto'
import type { Instant } from '@comity/protocol'
import { pageText } from './answer.ts'
import { changesNextAt, versionOf } from './site.ts'
import type { LivingPage, LivingSite } from './site.ts'

interface CopyState {
  /** The site's name. */
  readonly site: string
  readonly isFresh: boolean
  /** Since the first change that the copy lacks; 0 for one that is fresh. */
  readonly ageMs: number
}

export class LivingTruth {
  readonly #sites: ReadonlyMap<string, LivingSite>
  /** Of each page's newest version that was asked about. */
  readonly #digests = new Map<LivingPage, { readonly version: number; readonly digest: string }>()

  constructor(sites: readonly LivingSite[]) {
    this.#sites = new Map(sites.map((site) => [site.origin, site]))
  }

  /**
   * `digest`: the SHA-256 over the copy, in hexadecimal, or the beginning of it. Undefined for what is no page of this
   * web.
   */
  copyState(url: string, digest: string, visitedAt: Instant, at: Instant): CopyState | undefined {
    const { origin, pathname } = new URL(url)
    const site = this.#sites.get(origin)
    const page = site?.resources.get(pathname)
    if (site === undefined || page?.kind !== 'page' || digest === '') return undefined
    const isFresh = this.#digestOf(site, page, at).startsWith(digest)
    const ageMs = isFresh ? 0 : Math.max(0, at - changesNextAt(page, site.epoch, visitedAt))
    return { site: site.spec.name, isFresh, ageMs }
  }

  /** Changes of a page between two instants. */
  changes(url: string, from: Instant, until: Instant): number {
    const { origin, pathname } = new URL(url)
    const site = this.#sites.get(origin)
    const page = site?.resources.get(pathname)
    if (site === undefined || page?.kind !== 'page') return 0
    return versionOf(page, site.epoch, until) - versionOf(page, site.epoch, from)
  }

  #digestOf(site: LivingSite, page: LivingPage, at: Instant): string {
    const version = versionOf(page, site.epoch, at)
    const known = this.#digests.get(page)
    if (known?.version === version) return known.digest
    const digest = createHash('sha256')
      .update(pageText(site, page, at))
      .digest('hex')
    this.#digests.set(page, { version, digest })
    return digest
  }
}
