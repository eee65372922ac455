/** Joined facts: what all shards hold, as if it were one collection. Pure. */
import { ownValue } from '@comity/protocol'
import type { CollectionFacts, Counts } from '../collection/collection-facts.ts'

const TOP_SITES = 20
const TOP_SLOWEST = 5
const TOP_DUE = 5
const MAX_EXAMPLES = 5
/** Known here, and at home and counted in another shard. */
const ELSEWHERE = 'elsewhere'
const EXCLUDED = 'outside'

export function joinedFacts(name: string, all: readonly CollectionFacts[]): CollectionFacts {
  const sum = (of: (facts: CollectionFacts) => number): number => all.reduce((total, one) => total + of(one), 0)
  const elsewhere = sum(({ outside }) => outside[ELSEWHERE] ?? 0)
  const sites = all.flatMap((one) => one.sites)
  const first = all[0]!
  return {
    ...first,
    collection: name,
    created: all.map(({ created }) => created).toSorted()[0]!,
    seeds: first.seeds.map(({ url }) => {
      return { url, waiting: sum(({ seeds }) => seeds.find((one) => one.url === url)?.waiting ?? 0) }
    }),
    pages: sum(({ pages }) => pages),
    totals: {
      pages: sum(({ totals }) => totals.pages),
      bytes: sum(({ totals }) => totals.bytes),
      links: sum(({ totals }) => totals.links),
      requests: sum(({ totals }) => totals.requests),
      outcomes: added(all.map(({ totals }) => totals.outcomes)),
    },
    known: sum(({ known }) => known) - elsewhere,
    states: less(added(all.map(({ states }) => states)), EXCLUDED, elsewhere),
    outside: without(added(all.map(({ outside }) => outside)), ELSEWHERE),
    outsideExamples: without(
      Object.assign({}, ...all.map((one) => one.outsideExamples)) as Record<string, string>,
      ELSEWHERE,
    ),
    needsScripts: {
      pages: sum(({ needsScripts }) => needsScripts.pages),
      examples: all.flatMap(({ needsScripts }) => needsScripts.examples).slice(0, MAX_EXAMPLES),
    },
    outcomes: added(all.map(({ outcomes }) => outcomes)),
    knownOutcomes: added(all.map(({ knownOutcomes }) => knownOutcomes)),
    statuses: added(all.map(({ statuses }) => statuses)),
    kinds: added(all.map(({ kinds }) => kinds)),
    errors: joinedErrors(all),
    siteCount: sum(({ siteCount }) => siteCount),
    sites: most(sites, ({ visited }) => visited, TOP_SITES),
    slowest: most(
      all.flatMap(({ slowest }) => slowest),
      ({ meanMs }) => meanMs,
      TOP_SLOWEST,
    ),
    due: most(
      all.flatMap(({ due }) => due),
      ({ at }) => -at,
      TOP_DUE,
    ),
    deadLetters: {
      total: sum(({ deadLetters }) => deadLetters.total),
      held: sum(({ deadLetters }) => deadLetters.held),
      retried: sum(({ deadLetters }) => deadLetters.retried),
      groups: most(
        all.flatMap(({ deadLetters }) => deadLetters.groups),
        ({ count }) => count,
        TOP_SITES,
      ),
    },
    disk: {
      warc: sum(({ disk }) => disk.warc),
      state: sum(({ disk }) => disk.state),
      index: sum(({ disk }) => disk.index),
    },
    warcFiles: sum(({ warcFiles }) => warcFiles),
  }
}

function most<Item>(items: readonly Item[], by: (item: Item) => number, count: number): Item[] {
  return items.toSorted((a, b) => by(b) - by(a)).slice(0, count)
}

function added(tables: readonly Counts[]): Record<string, number> {
  const sums = new Map<string, number>()
  for (const [key, count] of tables.flatMap((table) => Object.entries(table)))
    sums.set(key, (sums.get(key) ?? 0) + count)
  return Object.fromEntries(sums)
}

const less = (table: Counts, name: string, by: number): Counts => ({
  ...table,
  [name]: (ownValue(table, name) ?? 0) - by,
})

const without = <Value>(table: Readonly<Record<string, Value>>, name: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(table).filter(([key]) => key !== name))

function joinedErrors(all: readonly CollectionFacts[]): CollectionFacts['errors'] {
  const errors = Map.groupBy(
    all.flatMap((one) => one.errors),
    ({ outcome }) => outcome,
  )
  const joined = Array.from(errors.values(), (same) =>
    Object.assign({}, same[0]!, { pages: same.reduce((total, { pages }) => total + pages, 0) }),
  )
  return joined.toSorted((a, b) => b.pages - a.pages)
}
