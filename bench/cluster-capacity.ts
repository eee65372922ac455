/**
 * How does a web fall on a thousand shards, and what follows for 10⁹ and 10¹¹ pages?
 *
 *   node bench/cluster-capacity.ts [--pages 1000000] [--sites 100000] [--shards 1000] [--machines 100] [--seed 1] [--into capacity]
 *
 * A generated web (`comity lab`), crawled in rounds by so many shards, without a network: what is counted is decided by placement and by
 * which links there are. Prints tables; with --into also a report with plots. docs/capacity.md says what is measured, what is simulated
 * and what is only multiplied.
 */
import { generateWeb, writeReport } from '@comity/lab'
import type { ExperimentResult, Figure, Table } from '@comity/lab'
import { readArguments } from './arguments.ts'
import { ASSUMED, extrapolated } from './cluster-extrapolation.ts'
import { sharesOf } from './cluster-shares.ts'
import type { Shares } from './cluster-shares.ts'

const { flags } = readArguments(import.meta.filename, {
  pages: 1_000_000,
  sites: 100_000,
  shards: 1_000,
  machines: 100,
  seed: 1,
  platforms: 0.1,
  networks: 0.5,
  into: '',
})
/** Between two visits to one address. */
const DELAY_S = 15

const web = generateWeb({ pages: flags.pages, sites: flags.sites, seed: flags.seed })
const shares = sharesOf({
  web,
  shards: flags.shards,
  seed: flags.seed,
  onPlatforms: flags.platforms,
  behindNetworks: flags.networks,
})

interface Spread {
  readonly least: number
  readonly middle: number
  readonly slow: number
  readonly most: number
  readonly mean: number
}

function spreadOf(values: ArrayLike<number>): Spread {
  const sorted = Float64Array.from(values).toSorted()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length
  return { least: at(0), middle: at(0.5), slow: at(0.99), most: at(1), mean }
}

const round = (value: number): number => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)))

function spreadTable({ pages, sites, foreignRows, foreignSites, entries }: Shares): Table {
  const rows = {
    pages,
    'sites at home': sites,
    'rows of foreign URLs': foreignRows,
    'foreign sites': foreignSites,
    entries,
  }
  return {
    id: 'shards',
    title: 'What a shard has',
    columns: ['', 'least', 'median', '99 of 100', 'most', 'most / mean'].map((label) => ({ label })),
    rows: Object.entries(rows).map(([name, values]) => {
      const { least, middle, slow, most, mean } = spreadOf(values)
      return [name, round(least), round(middle), round(slow), round(most), round(most / mean)]
    }),
  }
}

function linkTable({ crossing, links, told, toldAgain, fetched, entryBytes }: Shares): Table {
  const rows: [string, number][] = [
    ['pages reached', fetched],
    ['of these of the largest domain', shares.largestDomain],
    ['links a page', links / fetched],
    ['of these to another shard', crossing / links],
    ['entries a page', (told + toldAgain) / fetched],
    ['entries for each foreign URL and shard', (told + toldAgain) / told],
    ['bytes an entry', entryBytes],
    ['bytes of entries a page', ((told + toldAgain) * entryBytes) / fetched],
  ]
  return {
    id: 'links',
    title: 'What shards tell each other',
    columns: [{ label: '' }, { label: 'value' }],
    rows: rows.map(([name, value]) => [name, round(value)]),
  }
}

/** A tenth of the machines goes; each shard of theirs is copied once, to whichever machine has fewest. */
function leavingTable({ bytes, pages }: Shares): Table {
  const of = (shard: number): number => shard % flags.machines
  const gone = Math.max(1, Math.floor(flags.machines / 10))
  const total = bytes.reduce((sum, one) => sum + one, 0)
  const left = [...bytes.keys()].filter((shard) => of(shard) < gone)
  const load = Array.from({ length: flags.machines - gone }, () => 0)
  for (const shard of left.toSorted((a, b) => bytes[b]! - bytes[a]!)) {
    const to = load.indexOf(Math.min(...load))
    load[to]! += bytes[shard]!
  }
  const moved = left.reduce((sum, shard) => sum + bytes[shard]!, 0)
  const rows: [string, number][] = [
    ['machines that go', gone],
    ['shards that are copied', left.length],
    ['of all bytes', moved / total],
    ['of all pages', left.reduce((sum, shard) => sum + pages[shard]!, 0) / shares.fetched],
    ['most that one machine takes, of all bytes', Math.max(...load) / total],
  ]
  return {
    id: 'leaving',
    title: 'A tenth of the machines leaves',
    columns: [{ label: '' }, { label: 'value' }],
    rows: rows.map(([name, value]) => [name, round(value)]),
  }
}

function addressTable({ addressPages, addressShards, fetched }: Shares): Table {
  const places = [1, 2, 5, 10, 20].filter((place) => place <= addressShards.length)
  return {
    id: 'addresses',
    title: `Waiting at shared addresses, a visit each ${DELAY_S} s`,
    columns: ['place', 'pages of all', 'shards in line', 'days for its pages here'].map((label) => ({ label })),
    rows: places.map((place) => {
      const pages = addressPages[place - 1]!
      return [place, round(pages / fetched), addressShards[place - 1]!, round((pages * DELAY_S) / 86_400)]
    }),
  }
}

const extrapolations: Table = {
  id: 'capacity',
  title: `Multiplied: a crawl in ${ASSUMED.days} days`,
  columns: [{ label: '' }, { label: '10⁹ pages' }, { label: '10¹¹ pages' }],
  rows: extrapolated([1e9, 1e11], {
    entriesAPage: (shares.told + shares.toldAgain) / shares.fetched,
    entryBytes: shares.entryBytes,
  }).map(({ name, values }) => [name as string | number].concat(values.map(round))),
}

function histogram(id: string, title: string, values: ArrayLike<number>, label: string): Figure {
  const [bins, most] = [30, Math.max(...Array.from(values))]
  const counts = Array.from({ length: bins }, () => 0)
  for (const value of Array.from(values)) counts[Math.min(bins - 1, Math.floor((value / (most + 1)) * bins))]!++
  const width = (most + 1) / bins
  const points = counts.map((y, bin) => ({ x: bin * width, x2: (bin + 1) * width, y }))
  const series = [{ name: 'shards', points }]
  return {
    id,
    kind: 'histogram',
    title,
    caption: `${flags.shards} shards.`,
    x: { label },
    y: { label: 'shards' },
    series,
  }
}

const tables = [spreadTable(shares), linkTable(shares), addressTable(shares), leavingTable(shares), extrapolations]
for (const { title, columns, rows } of tables) {
  console.log(`\n${title}`)
  for (const row of [columns.map(({ label }) => label), ...rows])
    console.log(row.map((cell, n) => (n === 0 ? String(cell).padEnd(44) : String(cell).padStart(16))).join(''))
}

if (flags.into !== '') {
  const waiting = shares.addressPages.slice(0, 1_000).map((y, n) => ({ x: n + 1, y: (y * DELAY_S) / 86_400 }))
  const figures: Figure[] = [
    histogram('pages', 'Pages of a shard', shares.pages, 'pages'),
    histogram('foreign', 'Rows of foreign URLs of a shard', shares.foreignRows, 'rows'),
    histogram('foreign-sites', 'Sites a shard has found pages of, at home elsewhere', shares.foreignSites, 'sites'),
    {
      id: 'waiting',
      kind: 'lines',
      title: 'Days that an address takes for its pages',
      caption: `One visit each ${DELAY_S} s, however many machines there are.`,
      x: { label: 'address, the busiest first', scale: 'log' },
      y: { label: 'days', scale: 'log' },
      series: [{ name: 'addresses', points: waiting }],
    },
  ]
  const result: ExperimentResult = {
    id: 'cluster-capacity',
    name: 'How a web falls on the shards of a cluster',
    paper: '003',
    finding: `${flags.shards} shards, ${shares.fetched} pages: ${round((shares.told + shares.toldAgain) / shares.fetched)} entries a page.`,
    parameters: Object.entries(flags).map(([name, value]) => ({ name, value })),
    seeds: [flags.seed],
    webs: [{ name: web.name, pages: web.pages, links: web.targets.length, sites: web.sites }],
    figures,
    tables,
    claims: [],
    notes: ['Placement is that of a cluster; hosts on one domain or address are made up by law. See docs/capacity.md.'],
  }
  const [report] = await writeReport(flags.into, [result])
  console.log(`\n${report}`)
}
