/**
 * Metrics: what the server and its collection are doing, in Prometheus' text format (version 0.0.4). All names are in
 * one table. Labels are routes, methods and outcomes of ours, never a word of a stranger: their number is bounded.
 */
import { ownValue } from '@comity/protocol'
import { Histogram } from './histogram.ts'
import type { Statistics } from '../model/models.ts'

type Kind = 'counter' | 'gauge' | 'histogram'

// oxfmt-ignore
export const METRICS: Readonly<Record<string, readonly [kind: Kind, help: string]>> = {
  comity_http_requests_total:            ['counter',   'Requests answered, by method, route and status.'],
  comity_http_request_duration_seconds:  ['histogram', 'Time from the head of a request to the end of its answer, by route; event streams left out.'],
  comity_http_refused_total:             ['counter',   'Turned away, as there is no more or an address has its share: too-many-connections, too-many-streams, too-many-searches, too-many-copies.'],
  comity_http_connections:               ['gauge',     'Open connections.'],
  comity_searches_running:               ['gauge',     'Searches being answered.'],
  comity_event_streams:                  ['gauge',     'Listeners of live samples.'],
  comity_pages:                          ['gauge',     'Pages of the collection, by state: known, visited, held, waiting.'],
  comity_sites:                          ['gauge',     'Sites that are known.'],
  comity_captures:                       ['gauge',     'Observations that are stored.'],
  comity_page_outcomes:                  ['gauge',     'Pages by the outcome of their last visit.'],
  comity_warc_bytes:                     ['gauge',     'Bytes of the WARC files.'],
  comity_index_documents:                ['gauge',     'Documents that can be searched.'],
  comity_index_segments:                 ['gauge',     'Segments of the index.'],
  comity_index_bytes:                    ['gauge',     'Bytes of the index.'],
  comity_index_refused_segments:         ['gauge',     'Segments that are damaged and left out.'],
  comity_crawl_running:                  ['gauge',     '1 while a crawl writes the collection, paused or not.'],
  comity_crawl_paused:                   ['gauge',     '1 while that crawl is paused.'],
  comity_crawl_pages_per_second:         ['gauge',     'Pages a second of that crawl.'],
  comity_crawl_unindexed_pages:          ['gauge',     'Pages acknowledged and not yet searchable.'],
  comity_process_resident_bytes:         ['gauge',     'Memory of the server process.'],
  comity_process_start_time_seconds:     ['gauge',     'When the server started, in seconds since 1970.'],
}

export interface ServerGauges {
  readonly connections: number
  readonly searches: number
  readonly streams: number
  readonly residentBytes: number
  readonly startedAt: number
}

const TURNED_AWAY = ['too-many-connections', 'too-many-streams', 'too-many-searches', 'too-many-copies'] as const
type TurnedAway = (typeof TURNED_AWAY)[number]

export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #durations = new Map<string, Histogram>()
  readonly #refused = new Map<TurnedAway, number>(TURNED_AWAY.map((reason) => [reason, 0]))

  /** `route` is the path in the table of routes, or `none`. */
  count(method: string, route: string, status: number): void {
    const labels = `method="${method}",route="${route}",status="${status}"`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
  }

  refuse(reason: TurnedAway): void {
    this.#refused.set(reason, this.#refused.get(reason)! + 1)
  }

  time(route: string, seconds: number): void {
    const histogram = this.#durations.get(route) ?? new Histogram()
    this.#durations.set(route, histogram)
    histogram.add(seconds)
  }

  /** The whole page. Without statistics, as long as they are not known, only what the server knows itself. */
  text(gauges: ServerGauges, statistics: Statistics | undefined): string {
    const samples: Record<string, readonly string[]> = {
      comity_http_requests_total: Array.from(this.#requests, ([labels, n]) =>
        sample('comity_http_requests_total', n, labels),
      ),
      comity_http_request_duration_seconds: Array.from(this.#durations, ([route, histogram]) =>
        histogram.lines('comity_http_request_duration_seconds', `route="${route}"`),
      ).flat(),
      comity_http_refused_total: Array.from(this.#refused, ([reason, n]) =>
        sample('comity_http_refused_total', n, `reason="${reason}"`),
      ),
      ...single('comity_http_connections', gauges.connections),
      ...single('comity_searches_running', gauges.searches),
      ...single('comity_event_streams', gauges.streams),
      ...single('comity_process_resident_bytes', gauges.residentBytes),
      ...single('comity_process_start_time_seconds', gauges.startedAt / 1_000),
      ...(statistics === undefined ? {} : collectionSamples(statistics)),
    }
    const families = Object.entries(METRICS).flatMap(([name, [kind, help]]) => {
      const lines = ownValue(samples, name) ?? []
      return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`].concat(lines)
    })
    return `${families.join('\n')}\n`
  }
}

function collectionSamples({
  pages,
  sites,
  captures,
  warcBytes,
  index,
  outcomes,
  crawl,
}: Statistics): Record<string, string[]> {
  const sampleNow = crawl.kind === 'none' ? undefined : crawl.sample
  return {
    comity_pages: Object.entries(pages).map(([state, n]) => sample('comity_pages', n, `state="${state}"`)),
    comity_page_outcomes: Object.entries(outcomes)
      // Rows written by other versions may have other names; a label must not be a surprise.
      .filter(([outcome]) => /^[a-z-]{1,40}$/.test(outcome))
      .map(([outcome, n]) => sample('comity_page_outcomes', n, `outcome="${outcome}"`)),
    ...single('comity_sites', sites),
    ...single('comity_captures', captures),
    ...single('comity_warc_bytes', warcBytes),
    ...single('comity_index_documents', index.documents),
    ...single('comity_index_segments', index.segments),
    ...single('comity_index_bytes', index.bytes),
    ...single('comity_index_refused_segments', index.refused.length),
    ...single('comity_crawl_running', crawl.kind === 'none' ? 0 : 1),
    ...single('comity_crawl_paused', crawl.kind === 'paused' ? 1 : 0),
    ...(sampleNow === undefined ? {} : single('comity_crawl_pages_per_second', sampleNow.pagesPerSecond)),
    ...(sampleNow === undefined ? {} : single('comity_crawl_unindexed_pages', sampleNow.unindexed)),
  }
}

const sample = (name: string, value: number, labels?: string): string =>
  `${name}${labels === undefined ? '' : `{${labels}}`} ${value}`

const single = (name: string, value: number): Record<string, string[]> => ({ [name]: [sample(name, value)] })
