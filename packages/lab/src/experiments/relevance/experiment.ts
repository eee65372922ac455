/**
 * Relevance: do people find what they look for? The search engine on sets of questions whose answers people have chosen,
 * beside what Lucene reaches on the same, and beside idf = 1/df, which is all the ranking by words that 001 §IV has.
 *
 *   set ──▶ an index ──▶ each question in each ranking ──▶ measures ──▶ beside the published figures
 */
import { rankDefaults } from '@comity/index'
import { answerTo, holds, untested } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import { MEASURE_NAMES, besideFigure, comparisonsOf, curvesFigure, fourDigits, measuresTable } from './figures.ts'
import type { Comparison } from './figures.ts'
import { TOLERANCE } from './published.ts'
import { searchSet } from './runs.ts'
import type { RelevanceRun } from './runs.ts'
import type { RelevanceSet } from './set.ts'
import { relevanceSettings } from './settings.ts'
import type { RelevanceSettings } from './settings.ts'
import type { ExperimentResult, Parameter, WebShape } from '../../report/model.ts'

interface RelevanceHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** Throws a RangeError for settings that make no sense, and for a set in which no question is judged. */
export async function runRelevance(
  set: RelevanceSet,
  given: Partial<RelevanceSettings> = {},
  { onPart }: RelevanceHooks = {},
): Promise<ExperimentResult> {
  const settings = relevanceSettings(given)
  if (set.questions.length === 0)
    throw new RangeError('no question of it is judged: is the right file of judgments there?')
  const { runs, indexBytes } = await searchSet(set, settings, onPart ?? (() => undefined))
  const id = `relevance-${set.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
  const comparisons = comparisonsOf(set.name, runs)
  const beside = besideFigure(id, comparisons)
  const table = measuresTable(id, set.name, runs)
  return {
    id,
    name: `Relevance on ${set.name}`,
    paper: '001',
    finding: findingOf(runs, comparisons),
    parameters: parametersOf(settings),
    seeds: [],
    webs: [shapeOf(set)],
    figures: [curvesFigure(id, runs), ...(beside === undefined ? [] : [beside])],
    tables: [table],
    toldTable: table.id,
    claims: [sizeClaim({ id, web: set.name }, set, indexBytes)],
    notes: NOTES,
  }
}

/** 001 §IV has postings of words and their places; ours has those, and what a search needs to know of each page. */
const PAPER_SIZE = 0.07

function sizeClaim(context: AnswerContext, { htmlBytes, documents }: RelevanceSet, indexBytes: number): ClaimAnswer {
  if (htmlBytes === undefined)
    return untested('001.2a', context, 'Its documents are no HTML pages. It takes a set of HTML pages.')
  const share = indexBytes / htmlBytes
  return answerTo('001.2a', context, {
    verdict: holds(Math.abs(share - PAPER_SIZE) <= toleranceOf('index-size')),
    ours: `${percent(share)}: ${formatQuantity(indexBytes, 'bytes')} of ${formatQuantity(htmlBytes, 'bytes')} in ${formatNumber(documents.length)} pages`,
    why: 'All files of our index: words with every place where they stand, titles and headings apart, and what is known of each page. Pages are short here and hold little but text, so an index is a larger part of them than of pages of the Web, and its dictionary is not shared by many.',
    shownIn: ['measures'],
  })
}

function findingOf(runs: readonly RelevanceRun[], comparisons: readonly Comparison[]): string {
  const best = runs.toSorted((a, b) => b.measures.map - a.measures.map)[0]!
  const { map, ndcg10 } = best.measures
  const own = `Best: ${best.name}, with MAP ${fourDigits(map)} and nDCG@10 ${fourDigits(ndcg10)}.`
  if (comparisons.length === 0) return `${own} There is no figure of others to compare with.`
  const missed = comparisons.filter(({ isReached }) => !isReached)
  const told = (missed.length === 0 ? comparisons : missed).map(
    ({ measure, ours, theirs, published: { k1, b } }) =>
      `${MEASURE_NAMES[measure]} ${fourDigits(ours)} to ${fourDigits(theirs)} (k1 ${k1}, b ${b})`,
  )
  const { who } = comparisons[0]!.published
  const verdict = missed.length === 0 ? `Nowhere below ${who}` : `Below ${who}`
  return `${own} ${verdict} by more than ${TOLERANCE}: ${told.join('; ')}.`
}

function parametersOf({ k1, b, language, depth }: RelevanceSettings): Parameter[] {
  return [
    { name: 'k1 and b', value: k1.map((value, i) => `${value}, ${b[i]}`).join('; ') },
    { name: 'language', value: language === '' ? 'guessed' : language },
    { name: 'weight of the title', value: rankDefaults.zones.title },
    { name: 'results a question', value: depth },
  ]
}

const shapeOf = ({ name, documents, questions, unjudged }: RelevanceSet): WebShape => ({
  name,
  pages: documents.length,
  links: 0,
  sites: 1,
  about: `${questions.length} judged questions${unjudged === 0 ? '' : `, ${unjudged} others left out`}`,
})

const NOTES: readonly string[] = [
  'A question is taken as a bag of words, any of which will do, and one that stands there twice counts twice, as in Lucene. No words are left out: those that half of the documents have count next to nothing by their idf.',
  'k1 and b are those of the figures compared with, and the weights of zones those that searches have by default. That a repeated word counts, which of the known forms of idf is used, and that k1 grows with how often a word stands in the pages that have it, and by which power, was settled after seeing what they do here and on six other sets (bench/README.md).',
  'Lucene was told that the documents are English, so ours say it of themselves too; "language guessed" is what comes of not saying it.',
  '"idf = 1/df" is 001 §IV to the letter: the sum over the words found, however often they stand in the page.',
  'The ranking by hits (hf) is not here, as nobody reads the pages of a test set. With neither hits nor importance `default` is bm25; shown is what somebody gets who types the question, where all words are asked for first.',
]
