/** Small webs written down by hand, for tests of simulated crawls. */
import fc from 'fast-check'
import type { WebGraph } from '../webs/graph/web-graph.ts'

interface SmallSite {
  /** Bytes of each of its pages; the first is its home page. */
  readonly pages: readonly number[]
  readonly latencyMs: number
  readonly bandwidth: number
}

/** Pages are numbered through, site by site. Without links every page is a start page, as in a batch. */
export function smallWeb(
  sites: readonly SmallSite[],
  links?: readonly (readonly [from: number, to: number])[],
): WebGraph {
  const bytes = Uint32Array.from(sites.flatMap(({ pages }) => pages))
  const siteOf = Uint32Array.from(sites.flatMap(({ pages }, site) => pages.map(() => site)))
  const targets = Array.from(bytes, (_, page) => [
    ...new Set((links ?? []).filter(([from, to]) => from === page && to !== page).map(([, to]) => to)),
  ])
  const starts = new Uint32Array(bytes.length + 1)
  for (const [page, list] of targets.entries()) starts[page + 1] = starts[page]! + list.length
  const isHome = (page: number): boolean => links === undefined || siteOf[page] !== siteOf[page - 1]
  return {
    name: 'small',
    pages: bytes.length,
    starts,
    targets: Uint32Array.from(targets.flat()),
    sites: sites.length,
    siteOf,
    homes: Array.from(bytes.keys()).filter(isHome),
    bytes,
    latencyMs: Float32Array.from(sites, ({ latencyMs }) => latencyMs),
    bandwidth: Float32Array.from(sites, ({ bandwidth }) => bandwidth),
  }
}

const anySite: fc.Arbitrary<SmallSite> = fc.record({
  pages: fc.array(fc.integer({ min: 0, max: 50_000 }), { minLength: 1, maxLength: 8 }),
  latencyMs: fc.integer({ min: 0, max: 2_000 }),
  bandwidth: fc.integer({ min: 100, max: 100_000 }),
})

/** A web whose pages are all found: each is linked from the page before it on its site, and some from elsewhere. */
export const anyWeb: fc.Arbitrary<WebGraph> = fc
  .tuple(fc.array(anySite, { minLength: 1, maxLength: 8 }), fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }))
  .map(([sites, extra]) => {
    const count = sites.reduce((sum, { pages }) => sum + pages.length, 0)
    const chain = Array.from({ length: count }, (_, page) => [page, Math.min(page + 1, count - 1)] as const)
    return smallWeb(sites, [...chain, ...extra.map(([from, to]) => [from % count, to % count] as const)])
  })

/** A web of which every page is a start page. */
export const anyBatch: fc.Arbitrary<WebGraph> = fc
  .array(anySite, { minLength: 1, maxLength: 8 })
  .map((sites) => smallWeb(sites))
