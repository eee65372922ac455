/**
 * A million generated pages, indexed as a crawl would and searched: how long, how large, how much memory, how quick.
 *
 *   node bench/index-million.ts [--pages 1000000] [--words 300] [--memory 64] [--cache 128] [--dir DIR] [--json]
 *
 * What stands in DIR from an earlier run with as many pages is asked and not built again. No peer. Proven before a figure is
 * printed: the index has as many pages as were put in, by its own count; the queries find something, and cold and warm the same.
 *
 * Words are drawn from half a million by Zipf's law (the n-th most frequent stands n times more rarely than the first),
 * which is how texts are and what makes an index hard: few words with long lists, many with short ones. Lengths vary
 * around `--words`. Queries are one to four words, drawn as the pages' are but for the ten most frequent ones. Those who
 * mean ill ask otherwise: for phrases of the most frequent words, for rows of prefixes, for all that others are not.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IndexWriter, SearchEngine } from '@comity/index'
import type { IndexDocument, Plan } from '@comity/index'
import { readArguments } from './arguments.ts'
import { formatSeconds, proven } from './equal-work.ts'
import type { Work } from './equal-work.ts'
import { formatCount, ownTime, since } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  pages: 1_000_000,
  words: 300,
  memory: 64,
  cache: 128,
  dir: '',
  json: false,
})

const VOCABULARY = 500_000
const PAGES_A_SITE = 1_000
const COMMIT_EVERY = 1_000
const QUERIES = 1_000

const { pages } = flags
const dir = flags.dir || mkdtempSync(join(tmpdir(), 'comity-million-'))
/** Mulberry32: the same pages each time. */
let state = 4
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const vocabulary = Array.from({ length: VOCABULARY }, (_, n) => wordOf(n))
/** Zipf's law with exponent 1, inverted: the logarithm of the rank is drawn evenly. */
const drawn = (from = 0): string => vocabulary[Math.floor(from + (VOCABULARY - from) ** random()) - 1] as string

const built = isBuilt() ? undefined : build()
if (isWhole()) {
  for (const line of built?.lines ?? []) console.log(line)
  const asked = await ask()
  const expensive = await askMuch()
  if (flags.json) console.log(JSON.stringify({ ...built?.figures, ...asked, expensive }))
}
if (flags.dir === '') rmSync(dir, { recursive: true, force: true })

function isBuilt(): boolean {
  return flags.dir !== '' && existsSync(dir) && documentsOf() === pages
}

/** By the index itself. */
function documentsOf(): number {
  using engine = new SearchEngine(dir, { contentOf: async () => await Promise.resolve(undefined) })
  return engine.view.documents
}

function isWhole(): boolean {
  const [asked, found] = [pages, documentsOf()].map((documents) => [{ documents }])
  return proven('pages', [
    { name: 'what was put in', work: asked! },
    { name: 'the index', work: found! },
  ])
}

/** Its lines are printed when the index was looked at. */
function build(): { readonly figures: Record<string, number>; readonly lines: readonly string[] } {
  using writer = new IndexWriter(dir, { memoryBytes: flags.memory << 20 })
  const startedAt = performance.now()
  const began = ownTime()
  let [making, makingCpu, merging, bytes] = [0, 0, 0, 0]
  for (let key = 0; key < pages; key++) {
    const at = ownTime()
    const document = pageOf(key)
    const made = since(at, ownTime())
    making += made.seconds * 1e3
    makingCpu += made.cpuSeconds
    bytes += document.text.length
    writer.put(document)
    if ((key + 1) % COMMIT_EVERY !== 0) continue
    writer.commit(key)
    const mergeAt = performance.now()
    for (const _ of writer.merge());
    merging += performance.now() - mergeAt
    if ((key + 1) % 50_000 === 0)
      console.error(`${formatCount(key + 1)} pages, ${seconds(startedAt)} s, ${writer.segments} segments`)
  }
  writer.commit(pages)
  const { seconds: tookSeconds, cpuSeconds } = since(began, ownTime())
  const took = tookSeconds * 1e3 - making
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? NaN) / 1024
  const lines = [
    `${formatCount(pages)} pages, ${formatCount(bytes / 1e6)} MB of text, ${writer.segments} segments`,
    `built in ${formatCount(took / 1000)} s, ${formatCount(cpuSeconds - makingCpu)} s of processor (${formatCount(merging / 1000)} s of it merges; making the pages not counted)`,
    `${formatCount((pages / took) * 1000)} pages/s, ${formatCount(bytes / took / 1000)} MB of text/s, peak ${peakMb.toFixed(0)} MB of memory`,
  ]
  const figures = {
    pages,
    textBytes: bytes,
    buildSeconds: took / 1000,
    buildCpuSeconds: cpuSeconds - makingCpu,
    mergeSeconds: merging / 1000,
    segments: writer.segments,
    peakMb,
  }
  return { figures, lines }
}

async function ask(): Promise<Record<string, number>> {
  using engine = new SearchEngine(dir, { cacheBytes: flags.cache << 20, contentOf: async () => undefined })
  const { documents, bytes } = engine.view
  console.log(
    `index ${formatCount(bytes / 1e6)} MB, ${(bytes / documents).toFixed(0)} bytes a page; ${formatCount(documents)} pages can be found`,
  )
  const queries = Array.from({ length: QUERIES }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => drawn(10)),
  )
  const figures: Record<string, number> = { documents, indexBytes: bytes }
  for (const [name, kind] of [
    ['all words', 'all'],
    ['any word', 'any'],
  ] as const) {
    const plans = queries.map((words): Plan => ({ kind, parts: words.map((term) => ({ kind: 'term', term })) }))
    const work: Work[] = []
    for (const round of ['cold', 'warm']) {
      const keys: number[] = []
      const before = ownTime()
      const times = plans.map((plan) => timed(() => keys.push(...engine.rank(plan, 10).map(({ key }) => key))))
      const { cpuSeconds } = since(before, ownTime())
      work.push({ queries: times.length, found: keys.length, digest: hash('sha256', keys.join(' ')) })
      if (!proven(`${name}, ${round}`, [{ name: 'ours', work }])) continue
      figures[`${kind} ${round} p50 ms`] = percentile(times, 0.5)
      figures[`${kind} ${round} p99 ms`] = percentile(times, 0.99)
      console.log(
        `${name}, ${round}: p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms; ` +
          `${formatSeconds(cpuSeconds / times.length)} of processor each`,
      )
    }
  }
  const whole: number[] = []
  let matched = 0
  for (const words of queries) {
    const at = performance.now()
    const { matches } = await engine.search({ query: words.join(' ') })
    whole.push(performance.now() - at)
    matched += matches
  }
  if (!proven('a whole search', [{ name: 'ours', work: [{ matched }] }])) return figures
  console.log(
    `a whole search (parse, facets, folding): p50 ${percentile(whole, 0.5).toFixed(2)} ms, p99 ${percentile(whole, 0.99).toFixed(2)} ms`,
  )
  console.log(
    `cache ${formatCount(engine.cachedBytes / 1e6)} MB, memory now ${formatCount(process.memoryUsage().rss / 1e6)} MB`,
  )
  return { ...figures, 'search p50 ms': percentile(whole, 0.5), 'search p99 ms': percentile(whole, 0.99) }
}

/** Questions that have as much as possible read: how long the thread that answers is held, with the limit and without. */
function muchAsked(): readonly [name: string, query: string][] {
  const stops = vocabulary.slice(0, 10)
  const prefixes = [...new Set(vocabulary.map((word) => word.slice(0, 2)))]
  const pairs = stops.flatMap((one) => stops.map((other) => `"${one} ${other}"`))
  return [
    ['ten most frequent words', stops.join(' ')],
    ['any of 32 frequent words', vocabulary.slice(0, 32).join(' OR ')],
    ['a phrase of two', `"${stops.slice(0, 2).join(' ')}"`],
    ['a phrase of ten', `"${stops.join(' ')}"`],
    ['any of 16 phrases', pairs.slice(0, 16).join(' OR ')],
    ['all of 16 phrases', pairs.slice(0, 16).join(' ')],
    [
      '32 prefixes of two letters',
      prefixes
        .slice(0, 32)
        .map((prefix) => `${prefix}*`)
        .join(' OR '),
    ],
    [
      'eight prefixes, all of them',
      prefixes
        .slice(0, 8)
        .map((prefix) => `${prefix}*`)
        .join(' '),
    ],
    ['a prefix of one letter', `${prefixes[0]![0]}*`],
    [
      'parentheses, 15 deep',
      stops.slice(0, 8).reduce((inner, word, i) => `(${inner} ${i % 2 ? 'AND' : 'OR'} (${word} OR x${i}))`, stops[9]!),
    ],
    [
      'without all other words',
      `${stops[0]} ${vocabulary
        .slice(10, 40)
        .map((word) => `-${word}`)
        .join(' ')}`,
    ],
    ['a phrase, but not another', `"${stops.slice(0, 3).join(' ')}" -"${stops.slice(3, 6).join(' ')}"`],
    ['everything of a type', 'type:html'],
    ['misspelt', 'bxqzrt bxqzru bxqzrv'],
  ]
}

async function askMuch(): Promise<Record<string, number>> {
  const options = {
    cacheBytes: flags.cache << 20,
    contentOf: async (): Promise<undefined> => await Promise.resolve(undefined),
  }
  using usual = new SearchEngine(dir, options)
  using unlimited = new SearchEngine(dir, { ...options, maxSteps: Infinity })
  const figures: Record<string, number> = {}
  console.log('expensive searches, ms'.padEnd(30), '     p50      max   without a limit')
  for (const [name, query] of muchAsked()) {
    const times: number[] = []
    let isStopped = false
    for (const rank of ['default', 'bm25', 'idf', 'hf'] as const)
      for (const offset of [0, 10, 900]) {
        const at = performance.now()
        const { problems } = await usual.search({ query, rank, offset })
        times.push(performance.now() - at)
        isStopped ||= problems.some((problem) => problem.includes('stopped'))
      }
    const at = performance.now()
    await unlimited.search({ query, offset: 900 })
    const without = performance.now() - at
    const [p50, max] = [percentile(times, 0.5), Math.max(...times)]
    figures[`${name} p50 ms`] = p50
    figures[`${name} max ms`] = max
    figures[`${name} unlimited ms`] = without
    const row = [p50, max, without].map((ms) => ms.toFixed(1).padStart(8)).join(' ')
    console.log(name.padEnd(30), `${row}${isStopped ? '  stopped' : ''}`)
  }
  return figures
}

function pageOf(key: number): IndexDocument {
  const length = Math.ceil(flags.words * (0.2 + 1.6 * random()))
  const words: string[] = []
  for (let i = 0; i < length; i++) words.push(drawn())
  const site = Math.floor(key / PAGES_A_SITE)
  return {
    key,
    url: `http://s${site}.example/${words[0]}/${key}.html`,
    title: words.slice(0, 5).join(' '),
    headings: [],
    text: words.join(' '),
    anchors: [],
    // No stems: the words are no language's.
    language: 'und',
    type: 'text/html',
    at: 1.7e12 + key * 60_000,
  }
}

/** Five to nine letters, different for every number; frequent words are the shorter ones. */
function wordOf(number: number): string {
  const [consonants, vowels] = ['bcdfghjklmnprstvwz', 'aeiou']
  let word = ''
  for (let rest = number + 90; rest > 0; rest = Math.floor(rest / 90)) {
    const part = rest % 90
    word += consonants[Math.floor(part / 5)]! + vowels[part % 5]!
  }
  return word
}

function timed(act: () => unknown): number {
  const at = performance.now()
  act()
  return performance.now() - at
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(0)
}
