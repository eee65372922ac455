/**
 * Demo truth: how fresh the collection of `comity demo` really is. The demo owns the sites, so it can compare every copy
 * with the page as it is at this moment, and count what each site was asked and sent, by the sites' own account.
 */
import { Collection } from '@comity/collection'
import type { LivingWeb } from '@comity/testbed'
import type { TruthGroup, TruthSample } from '@comity/repository'
import type { Instant } from '@comity/protocol'

/** Reading 150 rows is little; doing it for every listener is needless. */
const EVERY_MS = 400

type Spec = LivingWeb['sites'][number]['spec']

const KINDS: readonly (readonly [name: string, isOne: (spec: Spec) => boolean])[] = [
  ['cooperating', ({ cooperates, calls }) => cooperates && calls === undefined],
  ['calling', ({ calls, lies }) => calls !== undefined && lies !== true],
  ['lying', ({ lies }) => lies === true],
  ['ordinary', ({ cooperates, calls }) => !cooperates && calls === undefined],
]

export class DemoTruth implements AsyncDisposable {
  readonly #web: LivingWeb
  readonly #collection: Collection
  readonly #since: Instant
  readonly #before: ReadonlyMap<string, { readonly requests: number; readonly bytes: number }>
  #measured: { readonly at: Instant; readonly sample: TruthSample } | undefined

  /** From now on: what was spent before does not count. */
  constructor(web: LivingWeb, dir: string, now: Instant) {
    this.#web = web
    this.#collection = Collection.openReadOnly(dir)
    this.#since = now
    this.#before = new Map(web.sites.map(({ spec }) => [spec.name, web.log.traffic(spec.name)]))
  }

  sample(now: Instant): TruthSample {
    if (this.#measured === undefined || now - this.#measured.at >= EVERY_MS) {
      this.#measured = { at: now, sample: this.#measure(now) }
    }
    return this.#measured.sample
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#collection.close()
  }

  #measure(now: Instant): TruthSample {
    const held = this.#heldBySite(now)
    const groups = KINDS.map(([name, isOne]) => this.#groupOf(name, isOne, held))
    const pages = groups.reduce((sum, group) => sum + group.pages, 0)
    const fresh = groups.reduce((sum, group) => sum + group.freshness * group.pages, 0)
    return { freshness: pages === 0 ? 1 : fresh / pages, groups }
  }

  #heldBySite(now: Instant): Map<string, Held> {
    const { truth } = this.#web
    const bySite = new Map<string, Held>()
    for (const { key, value } of this.#collection.pages()) {
      const url = this.#collection.url(key)
      if (url === undefined || value.body === undefined || value.contentKey === undefined) continue
      const copy = truth.copyState(url, Buffer.from(value.contentKey).toString('hex'), value.visitedAt, now)
      if (copy === undefined) continue
      const sums = bySite.get(copy.site) ?? { pages: 0, fresh: 0, ageMs: 0, changes: 0 }
      bySite.set(copy.site, {
        pages: sums.pages + 1,
        fresh: sums.fresh + (copy.isFresh ? 1 : 0),
        ageMs: sums.ageMs + copy.ageMs,
        changes: sums.changes + truth.changes(url, this.#since, now),
      })
    }
    return bySite
  }

  #groupOf(name: string, isOne: (spec: Spec) => boolean, held: ReadonlyMap<string, Held>): TruthGroup {
    // A site that nobody may crawl has no part in this.
    const sites = this.#web.sites.filter(({ spec }) => isOne(spec) && held.has(spec.name))
    const sum = (of: (site: string) => number): number => sites.reduce((all, { spec }) => all + of(spec.name), 0)
    const spent = (site: string, member: 'requests' | 'bytes'): number =>
      this.#web.log.traffic(site)[member] - (this.#before.get(site)?.[member] ?? 0)
    const pages = sum((site) => held.get(site)!.pages)
    return {
      name,
      sites: sites.length,
      pages,
      freshness: pages === 0 ? 1 : sum((site) => held.get(site)!.fresh) / pages,
      ageSeconds: pages === 0 ? 0 : sum((site) => held.get(site)!.ageMs) / pages / 1_000,
      changes: sum((site) => held.get(site)!.changes),
      requests: sum((site) => spent(site, 'requests')),
      bytes: sum((site) => spent(site, 'bytes')),
    }
  }
}

interface Held {
  readonly pages: number
  readonly fresh: number
  readonly ageMs: number
  readonly changes: number
}
