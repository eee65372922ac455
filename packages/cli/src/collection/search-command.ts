/** `comity search`: find pages of a collection, or of all shards of a cluster, by their words. */
import { Collection } from '@comity/collection'
import type { ClusterAnswer } from '@comity/cluster'
import { collectionHints, openSearch } from '@comity/search'
import type { HintsRead } from '@comity/search'
import { MAX_OFFSET, MAX_RESULTS, RANKINGS } from '@comity/index'
import type { RankName, SearchAnswer, SearchRequest, SearchResult, Snippet } from '@comity/index'
import { wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { hintsFlag, readHintsFile, refuseHintsOf } from './hints-source.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { countFrom, formatCount } from '../terminal/quantity.ts'
import type { Paint, Terminal } from '../terminal/terminal.ts'
import { BadValue, NotThere, UsageError } from '../usage-error.ts'

interface SearchSettings extends WholeSettings {
  readonly limit: number
  readonly offset: number
  readonly rank: RankName
  readonly unfolded: boolean
  readonly hints: string | undefined
  readonly json: boolean
}

export const searchCommand: Command<SearchSettings> = {
  name: 'search',
  summary: 'find pages of a collection by their words',
  operands: [
    {
      name: 'DIR',
      help: 'the collection to search, also while a crawl is filling it; none with --cluster',
      optional: true,
    },
    { name: 'WORDS', help: 'what to look for', optional: true, many: true },
  ],
  flags: {
    limit: {
      argument: 'N',
      default: 10,
      shown: '10',
      parse: upTo(MAX_RESULTS),
      help: `show so many, at most ${MAX_RESULTS}`,
    },
    offset: { argument: 'N', default: 0, shown: '0', parse: upTo(MAX_OFFSET), help: 'leave out the first so many' },
    rank: {
      argument: 'NAME',
      default: 'default',
      shown: 'default',
      parse: parseRank,
      help: 'how pages are put in order, see below',
    },
    unfolded: off('show near duplicates of a page apart'),
    hints: hintsFlag,
    json: off('print the answer as one JSON object, the last line on stdout'),
    ...wholeFlags,
  },
  examples: [
    ['comity search example polite crawling', 'pages with both words, the best ten'],
    ['comity search example breadth-first NOT depth', 'two words one after the other, and one that must not be there'],
    [
      'comity search example title:robots site:example.org since:30d',
      'in the title, on one site, seen in the last month',
    ],
    ['comity search example index --json --limit 3', '… for a program'],
    ['comity search example pg --hints words.txt', 'with synonyms and pinned pages of a file (docs/search.md)'],
    ['comity search --cluster nats://nats.intranet:4222 --name web polite crawling', 'pages of all machines'],
  ],
  tables: [
    {
      title: 'Words',
      rows: [
        ['one two', 'both words, in any form: pages also finds page'],
        ['"one two"', 'one after the other; so are java.util and foo_bar without quotes'],
        ['one OR two', 'at least one of them; AND, NOT and (parentheses) work too'],
        ['-word', 'pages without it'],
        ['begin*', 'words that begin like this'],
        ['title: heading: anchor: url:', 'where the word stands'],
        ['site: type: lang: since:', 'site:example.org/docs, type:pdf, lang:de, since:2026-01-31, since:7d'],
      ],
    },
    { title: 'Rankings', rows: Object.entries(RANKINGS) },
  ],
  notes: [
    'Quotes and a leading minus mean something to a shell and to this command; put the whole query between single quotes: ' +
      `comity search example '"a phrase" -word'.`,
  ],
  run: runSearch,
}

/** Who asks once waits for advice longer than a server lets anybody wait. */
const ADVICE_MS = 10_000

async function runSearch({ settings, operands, terminal }: Call<SearchSettings>): Promise<number> {
  const { limit, offset, rank, unfolded, cluster } = settings
  const [dir, ...words] = cluster === undefined ? operands : ['', ...operands]
  if (dir === undefined) throw new UsageError('DIR is missing: the collection to search. comity search DIR WORDS.')
  if (words.length === 0) throw new UsageError('WORDS is missing: what to look for.')
  refuseHintsOf(settings)
  const hints = await readHintsFile(settings.hints, terminal)
  const query = words.join(' ')
  const request = { query, limit, offset, rank, unfolded }
  const answer =
    cluster === undefined ? await askCollection(dir, request, hints, terminal) : await askCluster(settings, request)
  if (settings.json) terminal.print(JSON.stringify(jsonAnswer(query, answer)))
  else terminal.print(shownAnswer(answer, offset, terminal.paint).join('\n'))
  return 0
}

async function askCollection(
  dir: string,
  request: SearchRequest,
  hints: HintsRead | undefined,
  terminal: Terminal,
): Promise<SearchAnswer> {
  await using collection = Collection.openReadOnly(dir)
  await using search = openSearch(dir, () => collection, {
    adviceMs: ADVICE_MS,
    hints: hints && collectionHints(hints, () => collection, Date.now),
  })
  const { engine } = search
  if (engine.view.generation <= 0 && collection.lastChange > 0)
    throw new NotThere(`${dir} has no index yet. Make it: comity index ${dir}`)
  const answer = await engine.search(request)
  for (const { message } of engine.view.refused) terminal.say(terminal.errorPaint('yellow', message))
  return answer
}

async function askCluster(settings: WholeSettings, request: SearchRequest): Promise<ClusterAnswer> {
  const [{ ClusterSearch }, { openCluster }] = await Promise.all([
    import('@comity/cluster'),
    import('../cluster/place.ts'),
  ])
  const { road, settings: made } = await openCluster(settings.cluster, settings)
  await using _ = road
  return await new ClusterSearch(road, made).search(request)
}

/** The snippet as plain text; where its words stand is beside it. */
function jsonAnswer(query: string, answer: SearchAnswer): object {
  const { corrected } = answer
  const others =
    corrected === undefined ? {} : { corrected: { ...corrected, results: corrected.results.map(jsonResult) } }
  return { query, ...answer, results: answer.results.map(jsonResult), ...others }
}

const jsonResult = ({ snippet, at, ...rest }: SearchResult): object => ({
  ...rest,
  at: new Date(at).toISOString(),
  snippet: snippet.text,
  marks: snippet.marks,
})

function shownAnswer(answer: SearchAnswer, offset: number, paint: Paint): string[] {
  const { corrected, suggestion, problems, tookMs } = answer
  const { results, matches, isLowerBound } = corrected ?? answer
  const lines = ['']
  for (const { words, by } of answer.widened ?? [])
    lines.push(paint('dim', `Asked for ${plainText(words)} or ${by.map(plainText).join(' or ')}.`), '')
  if (corrected !== undefined)
    lines.push(`No page has that. These are for ${paint('bold', plainText(corrected.query))}:`, '')
  for (const [i, result] of results.entries()) lines.push(...shownResult(result, offset + i + 1, paint), '')
  const pages = matches === 1 ? 'page has' : 'pages have'
  const found = `${isLowerBound ? 'at least ' : ''}${formatCount(matches)} ${pages} it, ${tookMs.toFixed(1)} ms`
  lines.push(...problems.map((problem) => paint('yellow', problem)))
  if (suggestion !== undefined && corrected === undefined)
    lines.push(`Did you mean ${paint('bold', plainText(suggestion))}?`)
  return [...lines, paint('dim', found)]
}

function shownResult({ url, title, snippet, folded, pinned }: SearchResult, number: number, paint: Paint): string[] {
  const name = plainText(title) || plainText(url)
  const isPinned = pinned === true ? paint('dim', ' pinned') : ''
  const more = folded === 0 ? '' : paint('dim', ` and ${folded} nearly the same`)
  return [
    `${String(number).padStart(3)}  ${paint('bold', name)}`,
    `     ${paint('green', plainText(url))}${isPinned}${more}`,
    ...(snippet.text === '' ? [] : [`     ${marked(snippet, paint)}`]),
  ]
}

function marked({ text, marks }: Snippet, paint: Paint): string {
  let [shown, at] = ['', 0]
  for (const [start, end] of marks) {
    shown += plainText(text.slice(at, start)) + paint('yellow', plainText(text.slice(start, end)))
    at = end
  }
  return shown + plainText(text.slice(at))
}

/** Pages are strangers' words: what a terminal would obey is left out. */
const plainText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

function parseRank(text: string): RankName {
  if (Object.hasOwn(RANKINGS, text)) return text as RankName
  const names = Object.keys(RANKINGS)
  throw new BadValue(`is none of ${names.join(', ')}.${didYouMean(text, names)}`)
}

function upTo(most: number): (text: string) => number {
  return (text) => {
    const value = countFrom(0)(text)
    if (value > most) throw new BadValue(`is more than ${most}`)
    return value
  }
}
