/** Made-up models of every page, for tests: as a crawl of a middling collection would give them. */
import { copyOf } from './copy-fixture.ts'
import { collections, whole } from './cluster-fixture.ts'
import type { SearchAnswer, SearchResult } from '@comity/index'
import type { CooperationStory, SchemeFigures, WatchSample } from '@comity/follow'
import { pushStories, pushesAt } from './pushes-fixture.ts'
import { sampleGraph } from './graph-fixture.ts'
import { readingModel } from './reading-page-fixture.ts'
import type { CaptureModel, LiveSample, SiteRowModel, Statistics, TrustRowModel } from '../model/models.ts'
import type { PageModels } from '../model/page-models.ts'

const NOON = Date.UTC(2026, 10, 15, 12)
const DAY = 86_400_000

export function sampleAt(second: number, errors: Readonly<Record<string, number>> = someErrors): LiveSample {
  const wave = Math.sin(second / 17) * 9 + Math.sin(second / 5) * 3
  return {
    at: NOON + second * 1_000,
    pages: 41_250 + second * 38,
    pagesPerSecond: Math.max(0, 38 + wave),
    bytes: 1_830_000_000 + second * 1_900_000,
    bytesPerSecond: Math.max(0, 1_900_000 + wave * 60_000),
    sitesReady: Math.round(14 + wave / 3),
    sitesWaiting: Math.round(122 - wave),
    pagesWaiting: 88_410 - second * 12,
    visits: 43_100 + second * 40,
    errors,
    importance: 0.61 + second / 10_000,
    unindexed: Math.round(20 + Math.abs(wave)),
  }
}

/** A sample of a run that keeps fresh, in a demonstration that knows the truth. */
export function watchedAt(second: number): LiveSample {
  const wave = Math.sin(second / 11) * 0.02
  return {
    ...sampleAt(second),
    watch: watchAt(second),
    truth: {
      freshness: 0.83 + wave,
      groups: [
        { name: 'cooperating', ...group(60, second), freshness: 0.98 + wave / 2, ageSeconds: 0.6 },
        { name: 'ordinary', ...group(83, second * 3), freshness: 0.71 + wave, ageSeconds: 9.4 },
      ],
    },
  }
}

const group = (
  pages: number,
  seconds: number,
): { sites: number; pages: number; changes: number; requests: number; bytes: number } => ({
  sites: Math.round(pages / 30),
  pages,
  changes: pages + seconds,
  requests: 40 + seconds,
  bytes: 90_000 + seconds * 2_100,
})

const figures = (requests: number, changed: number, unchanged: number, each: number): SchemeFigures => ({
  requests,
  changed,
  unchanged,
  bytes: requests * each,
})

export function watchAt(second: number): WatchSample {
  const times = (rate: number): number => 10 + Math.round(second * rate)
  return {
    policy: 'value',
    requestsPerSecond: 5,
    dayMs: 86_400_000,
    pages: 41_250,
    freshness: 0.86 + Math.sin(second / 13) * 0.03,
    ageSeconds: 4_200 + 300 * Math.sin(second / 7),
    requests: 62 + Math.round(second * 4.4),
    bytes: 812_000 + second * 31_000,
    needless: 12 + Math.round(second * 0.9),
    schemes: {
      page: figures(times(1), times(0.8), times(0.2), 18_400),
      'not-modified': figures(times(0.9), 0, times(0.9), 310),
      difference: figures(times(1.2), times(1.2), 0, 640),
      batch: figures(times(0.1), times(2), times(0.1), 9_100),
      filter: figures(times(0.6), 0, 0, 410),
      sitemap: figures(times(0.05), 0, 0, 61_000),
    },
    signals: { filter: { news: 41 + second, known: 7 }, sitemap: { news: 3, known: 118 } },
    pushes: pushesAt(second),
  }
}

const someErrors = { 'timeout-headers': 61, busy: 42, 'server-error': 37, 'dns-error': 9, truncated: 3 }

export const statistics: Statistics = {
  pages: { known: 129_660, visited: 43_100, held: 41_250, waiting: 86_560 },
  sites: 136,
  damaged: [],
  visitedSites: 4,
  heldSites: 3,
  captures: 44_812,
  warcBytes: 1_830_000_000,
  index: { documents: 41_230, segments: 9, bytes: 96_400_000, refused: [] },
  outcomes: { ok: 41_250, redirect: 1_214, 'client-error': 403, ...someErrors },
  crawl: { kind: 'none' },
}

const words =
  'A crawler that waits between two visits takes longer, and is welcome for longer. The delay between visits should grow with the time a server takes to answer, as a slow answer is the one sign of load that every server gives.'

const titles = [
  'Crawl delay and politeness',
  'How long should a crawler wait?',
  'robots.txt: a field guide',
  'زحف الويب بأدب', // right to left
  'Höflichkeit zwischen Kriechern und Wirten',
  'A very long title that goes on about the delay between two visits of a crawler, its reasons, its history, and what everybody thinks about it',
  'Servers under load',
  '礼儀正しいクローラー',
]

export const results: readonly SearchResult[] = titles.map((title, i) => {
  const start = words.indexOf('delay')
  return {
    key: 100 + i,
    url: `https://${['docs', 'www', 'lists'][i % 3]}.example.org/archive/${2020 + i}/politeness-${i}.html`,
    title,
    score: 12 - i,
    snippet: {
      text: words,
      marks: [
        [2, 9],
        [start, start + 5],
      ],
    },
    site: 'https://docs.example.org',
    type: i === 4 ? 'pdf' : 'html',
    language: ['en', 'en', 'en', 'ar', 'de', 'en', 'en', 'ja'][i]!,
    at: NOON - i * 9 * DAY,
    folded: i === 1 ? 3 : 0,
  }
})

export const answer: SearchAnswer = {
  results,
  matches: 1_204,
  isLowerBound: true,
  facets: {
    sites: ['docs.example.org', 'www.example.org', 'lists.example.org', 'wiki.example.net'].map((value, i) => ({
      value,
      pages: 612 >> i,
    })),
    types: [
      { value: 'html', pages: 1_130 },
      { value: 'pdf', pages: 74 },
    ],
    languages: [
      { value: 'en', pages: 990 },
      { value: 'de', pages: 140 },
      { value: 'ar', pages: 51 },
      { value: 'ja', pages: 23 },
    ],
  },
  suggestion: 'crawler delay',
  problems: ['“since:yesterday” is not a date: write since:2026-01-31.'],
  tookMs: 3.4,
}

export const request: PageModels['search']['request'] = {
  query: 'crawler delay site:example.org',
  rank: 'default',
  limit: 10,
  offset: 0,
  unfolded: false,
}

export const siteRows: readonly SiteRowModel[] = Array.from({ length: 25 }, (_, i) => ({
  origin:
    i === 3
      ? 'http://old.example.net:8080'
      : `https://${['docs', 'www', 'lists', 'wiki', 'blog'][i % 5]}${i > 4 ? i : ''}.example.org`,
  known: Math.round(24_000 / (i + 1)),
  held: Math.round(9_000 / (i + 1)),
  errors: (i * 7) % 23,
  waiting: Math.round(12_000 / (i + 1)),
  importance: 0.21 / (i + 1),
  delayMs: i === 2 ? 30_000 : 2_000,
  robots: i === 5 ? 'disallow-all' : i % 3 === 0 ? 'allow-all' : 'rules',
  backoffUntil: i === 5 ? NOON + 600_000 : undefined,
  strikes: i === 5 ? 3 : 0,
  lastVisitAt: NOON - i * 4_000,
  calls: pushStories[i],
}))

const cooperation: CooperationStory = {
  offers: ['filter', 'change-list', 'batch'].map((kind, i) => ({
    kind: kind as 'filter',
    url: `https://docs.example.org/.well-known/${kind}`,
    checkedAt: NOON - i * 60_000,
    failures: i === 1 ? 3 : 0,
    problem: i === 1 ? 'it ended in the middle of an element' : undefined,
    restsUntil: i === 1 ? NOON + 3_600_000 : undefined,
  })),
  uses: 'filter',
  toldAt: NOON - 40_000,
  channels: [
    { channel: 'filter', heard: 48, confirmed: 46.5, recall: 0.9 },
    {
      channel: 'sitemap',
      heard: 21,
      confirmed: 2,
      recall: 0.12,
      quarantine: { until: NOON + DAY, reason: 'false alarms' },
    },
  ],
  recall: 0.91,
  silenceDoubtedUntil: undefined,
  why: [
    'filter: 46 of 48 announced pages had changed; it had told of 46 of 51 changes found; believed.',
    'sitemap: 2 of 21 announced pages had changed; it had told of 2 of 20 changes found; not believed for 24 hours because of false alarms.',
    'About 91 % of the changes are announced (at least 84 %); silence counts for that much.',
  ],
  calls: pushStories[0],
}

const unheard = { channels: [], why: [], recall: undefined, calls: undefined }

export const trustRows: readonly TrustRowModel[] = [
  { ...cooperation, origin: siteRows[0]!.origin, held: siteRows[0]!.held },
  { ...cooperation, ...unheard, uses: 'sitemap', origin: siteRows[1]!.origin, held: siteRows[1]!.held },
  { ...cooperation, origin: siteRows[2]!.origin, held: siteRows[2]!.held },
  { ...cooperation, ...unheard, uses: undefined, origin: siteRows[3]!.origin, held: siteRows[3]!.held },
]

const captures: readonly CaptureModel[] = [0, 1, 2, 5, 9, 10, 14, 30].map((days, i) => ({
  at: NOON - days * DAY - i * 731_000,
  source: i === 2 ? 'push' : i === 3 ? 'sitemap' : 'crawl',
  outcome: i === 4 ? 'server-error' : i === 1 ? 'not-modified' : 'ok',
  status: i === 4 ? 503 : i === 1 ? 304 : 200,
  bytes: i === 4 ? 312 : 18_400 + i * 12,
  digest: i === 4 ? undefined : `sha1:${['K3J5', 'K3J5', 'ZZ41', 'ZZ41', '', 'ZZ41', 'M0PQ', 'A1B2'][i]}XYZABCDEFGH`,
  hasBody: i !== 4 && i !== 1,
  scheme: i === 1 ? 'not-modified' : i === 2 ? 'difference' : undefined,
  why:
    i === 2
      ? 'sent by the site: differences by websub'
      : i > 2
        ? undefined
        : 'due: Visited 3 days ago, changes about every 5 days, 1 signal since: outdated with probability 0.94, and of importance 1.2.',
}))

const refs = titles.map((title, i) => ({
  key: 200 + i,
  url: `https://docs.example.org/links/${i}`,
  title,
  anchor: i % 2 === 0 ? 'read more about delays' : '',
}))

export const story: PageModels['page'] = {
  key: 101,
  url: 'https://docs.example.org/archive/2021/politeness-1.html',
  title: 'How long should a crawler wait?',
  facts: [
    { name: 'Last outcome', kind: 'outcome', value: 'ok' },
    { name: 'Type', kind: 'text', value: 'text/html' },
    { name: 'Language', kind: 'language', value: 'en' },
    { name: 'Size', kind: 'bytes', value: 18_412 },
    { name: 'First heard of', kind: 'moment', value: NOON - 31 * DAY },
    { name: 'Time to the first byte', kind: 'duration', value: 84 },
    { name: 'Redirects in a row', kind: 'count', value: 1_200 },
    { name: 'Canonical address', kind: 'url', value: 'https://docs.example.org/politeness' },
  ],
  site: 'https://docs.example.org',
  outcome: 'ok',
  status: 200,
  type: 'text/html',
  language: 'en',
  bytes: 18_412,
  visits: 8,
  changes: 3,
  firstSeenAt: NOON - 31 * DAY,
  visitedAt: NOON,
  changedAt: NOON - 2 * DAY,
  depth: 3,
  importance: 0.00042,
  foundOn: refs[0],
  redirectTo: undefined,
  canonical: 'https://docs.example.org/politeness',
  nearDuplicateOf: refs[1],
  noindex: false,
  noarchive: false,
  problem: undefined,
  freshness: {
    visits: 7,
    visitedAt: NOON,
    changesEveryMs: 5 * DAY,
    heard: [{ channel: 'filter', signals: 2 }],
    heardAt: NOON + 3_600_000,
    outdated: 0.87,
    dueAt: NOON + 3_700_000,
    policy: 'value',
    dayMs: DAY,
    site: cooperation,
  },
  captures,
  linksOut: refs,
  linksIn: refs.slice(0, 5),
  moreOut: 12,
  moreIn: true,
}

export const models: PageModels = {
  copy: copyOf(story),
  cluster: whole,
  collections,
  search: { request, answer, stock: statistics },
  live: { ...statistics, crawl: { kind: 'running', pid: 4_711, startedAt: NOON - 4_000_000, sample: sampleAt(0) } },
  freshness: {
    crawl: { kind: 'running', pid: 4_711, startedAt: NOON - 4_000_000, sample: watchedAt(0) },
    last: undefined,
    sites: trustRows,
    total: 63,
    ordinary: 73,
    offset: 0,
    limit: 4,
  },
  calls: {
    crawl: { kind: 'running', pid: 4_711, startedAt: NOON - 4_000_000, sample: watchedAt(0) },
    last: undefined,
    sites: pushStories.map((calls, i) => ({ origin: siteRows[i]!.origin, held: siteRows[i]!.held, calls })),
    total: 9,
    offset: 0,
    limit: 4,
    deadLetters: {
      total: 1_204,
      held: 1_000,
      retried: 2,
      groups: [
        {
          kind: 'sent',
          reason: 'TypeError: undefined is not <b>iterable</b>',
          count: 71,
          newest: {
            name: 'crawl-1203',
            at: NOON - 60_000,
            url: 'https://docs.example/<script>alert(1)</script>',
            origin: 'https://docs.example',
            from: 'pages by push, number 7',
          },
        },
        {
          kind: 'shipment',
          reason: 'comity ended 6 times while it was worked on, and did not say why',
          count: 1,
          newest: {
            name: 'crawl-12',
            at: NOON - 7_200_000,
            url: undefined,
            origin: 'gateway:east',
            from: 'batches by gateway',
          },
        },
      ],
    },
  },
  reading: readingModel(refs),
  sites: {
    sites: siteRows,
    total: 136,
    visited: 136,
    linked: 212,
    show: 'visited',
    sort: 'importance',
    offset: 25,
    limit: 25,
  },
  site: {
    ...siteRows[5]!,
    calls: pushStories[1],
    outcomes: statistics.outcomes,
    robotsText: 'User-agent: *\nDisallow: /private/\nCrawl-delay: 10\nSitemap: https://docs.example.org/sitemap.xml\n',
    topPages: refs,
  },
  page: story,
  difference: {
    key: 101,
    url: story.url,
    title: story.title,
    from: captures[3]!.at,
    to: captures[0]!.at,
    lines: [
      { kind: 'skipped', text: '14 lines that are the same' },
      { kind: 'same', text: 'Politeness is a promise to those who serve.' },
      { kind: 'removed', text: 'A crawler should wait ten seconds.' },
      {
        kind: 'added',
        text: 'A crawler should wait ten times as long as the last answer took, and at least two seconds.',
      },
      { kind: 'added', text: words },
      { kind: 'same', text: 'robots.txt may ask for more.' },
      { kind: 'skipped', text: '212 lines that are the same' },
    ],
    added: 2,
    removed: 1,
    isCut: false,
  },
  graph: sampleGraph(40, 160),
  problem: {
    type: 'urn:comity:problem:page-unknown',
    title: 'The page is not known',
    status: 404,
    detail: 'No page with this URL was ever offered to the crawl. Add it as a seed, or search for words of it.',
  },
}
