/** What `bench/index.ts` prints of one set of documents: sizes, builds, queries, ours beside the peers, and targets. */
import { printRatio, proven } from '../equal-work.ts'
import type { Side } from '../equal-work.ts'
import type { DocumentFacts } from './documents.ts'
import { MODES } from './engine.ts'
import type { Mode } from './engine.ts'
import { KNOWN_SETS } from './sets.ts'
import type { EngineFigures, SetFigures } from './summary.ts'
import { formatCount } from '../measure.ts'

/** Where text is less than this part of the HTML, a positional index may be `MOST_POSITIONAL` percent of the HTML. */
const LITTLE_TEXT = 1 / 3
const MOST_POSITIONAL = 7

const MODE_NAMES: Readonly<Record<Mode, string>> = { all: 'all words', any: 'any word' }

export function report(figures: SetFigures): void {
  const { set, facts, pinned, engines } = figures
  const notes = [
    `${formatCount(facts.documents)} documents`,
    `HTML ${megabytes(facts.htmlBytes)}`,
    `text ${megabytes(facts.textBytes)} (${formatCount((100 * facts.textBytes) / facts.htmlBytes)} %)`,
    ...(facts.leftOut === 0 ? [] : [`${formatCount(facts.leftOut)} characters left out`]),
    `Node ${process.version}`,
    pinned ? 'one core each' : 'not pinned to a core, as there is no taskset',
  ]
  console.log(`\n${set}: ${notes.join(', ')}`)
  reportSizes(figures)
  reportBuilds(figures)
  reportQueries(figures)
  const ours = engines.find(({ id }) => id === 'ours')
  if (ours === undefined) return
  for (const peer of engines) if (peer !== ours) compare(ours, peer, figures)
  reportTargets(ours, set, facts)
}

function reportSizes({ facts, engines }: SetFigures): void {
  console.log(cells(['index', 'bytes', '% of HTML', '% of text', 'without places', '% of HTML', '% of text']))
  for (const { name, bytes } of engines) {
    const columns = [bytes.positional, bytes.documents].flatMap((size) => [
      formatCount(size),
      ((100 * size) / facts.htmlBytes).toFixed(2),
      ((100 * size) / facts.textBytes).toFixed(2),
    ])
    console.log(cells([name, ...columns]))
  }
}

function reportBuilds({ engines }: SetFigures): void {
  const titles = ['added in s', 'merged in s', 'processor s', 'cold in s', 'cold processor', 'peak MB']
  console.log(cells(['build, warm', 'documents/s', 'MB text/s', ...titles]))
  for (const { name, documentsPerSecond, textMbPerSecond, built } of engines) {
    const { addSeconds, seconds, cpuSeconds, coldSeconds, coldCpuSeconds, peakMb } = built
    const times = [addSeconds, seconds, cpuSeconds, coldSeconds, coldCpuSeconds]
    const columns = [documentsPerSecond, textMbPerSecond, ...times, peakMb]
    console.log(cells([name, ...columns.map((value) => formatCount(value))]))
  }
}

function reportQueries({ queries, engines }: SetFigures): void {
  for (const mode of MODES) {
    const title = `${formatCount(queries)} × ${MODE_NAMES[mode]}`
    console.log(cells([title, 'p50 µs', 'p99 µs', 'mean µs', 'matches', 'as many %', 'or more %', 'best ten same %']))
    for (const { name, asked } of engines) {
      const { p50Us, p99Us, meanUs, matches, sameCount, noLessCount, topShared } = asked[mode]
      const columns = [p50Us, p99Us, meanUs, matches].map((value) => formatCount(value))
      const agreement = [sameCount, noLessCount, topShared].map((value) => value.toFixed(1))
      console.log(cells([name, ...columns, ...agreement]))
    }
  }
}

/** That the two did the same was proven of every round before there were figures. */
function compare(ours: EngineFigures, peer: EngineFigures, { facts, queries }: SetFigures): void {
  const line = (
    what: string,
    unit: string,
    better: 'more' | 'less',
    figure: (of: EngineFigures) => number,
    cpu?: (of: EngineFigures) => number,
  ): void => {
    const side = (of: EngineFigures): Side => ({
      name: of.name,
      value: figure(of),
      cpuSeconds: cpu?.(of),
      work: [{ documents: of.built.documents, queries }],
    })
    const set = { name: 'the set', work: [{ documents: facts.documents, queries }] }
    if (proven(what, [set, side(peer)])) printRatio({ what, unit, better, ours: side(ours), peer: side(peer) })
  }
  line('size, positional', 'MB', 'less', ({ bytes }) => bytes.positional / 1e6)
  line('size, without places', 'MB', 'less', ({ bytes }) => bytes.documents / 1e6)
  const [warm, cold] = [
    ({ built }: EngineFigures): number => built.cpuSeconds,
    ({ built }: EngineFigures): number => built.coldCpuSeconds,
  ]
  line('build', 'documents/s', 'more', ({ documentsPerSecond }) => documentsPerSecond, warm)
  line('build, processor time', 's', 'less', warm)
  line('build, cold', 's', 'less', ({ built }) => built.coldSeconds, cold)
  line('build, cold, processor time', 's', 'less', cold)
  for (const mode of MODES) {
    line(`${MODE_NAMES[mode]}, p50`, 'µs', 'less', ({ asked }) => asked[mode].p50Us)
    line(`${MODE_NAMES[mode]}, p99`, 'µs', 'less', ({ asked }) => asked[mode].p99Us)
  }
}

function reportTargets({ bytes }: EngineFigures, set: string, { textBytes, htmlBytes }: DocumentFacts): void {
  if (textBytes < LITTLE_TEXT * htmlBytes) target('positional', (100 * bytes.positional) / htmlBytes, MOST_POSITIONAL)
  const most = KNOWN_SETS.find(({ name }) => name === set)?.mostDocumentLevel
  if (most !== undefined) target('without places', (100 * bytes.documents) / htmlBytes, most)
}

function target(what: string, reached: number, most: number): void {
  const verdict = reached <= most ? 'met' : 'missed'
  console.log(`${`${what}, of the HTML`.padEnd(52)} ours ${reached.toFixed(2)} % (target ≤ ${most} %, ${verdict})`)
}

const megabytes = (bytes: number): string => `${formatCount(bytes / 1e6)} MB`

function cells([first, ...rest]: readonly string[]): string {
  return first!.padEnd(18) + rest.map((cell) => cell.padStart(16)).join('')
}
