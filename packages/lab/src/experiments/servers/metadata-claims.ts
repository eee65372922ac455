/** Claims 1 to 6 of 000, from what archives weigh and take. */
import { answerTo, holds, holdsUnlessMade, untested } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import type { Table } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from './answer.ts'
import type { MetadataFacts } from './metadata.ts'

const [PLAIN, PACKED, LARGEST, ARCHIVES, OVERHEAD] = [64, 22, 42_000, 250, 0.0016]
/** 100 KB, and how many pages the paper has in it. */
const [ONE_FILE, IN_ONE_FILE] = [100_000, 5_000]
/** 100,000 pages. */
const LARGE_SITE = 100_000
const OTHER = 0.15

/** `isMade`: types, sizes and paths were drawn from what the paper says. */
export function metadataClaims(context: AnswerContext, facts: MetadataFacts, isMade: boolean): ClaimAnswer[] {
  return [entrySize, oneFile, archiveCount, irrelevant, otherGroup, overhead].flatMap((claim) =>
    claim(context, facts, isMade),
  )
}

const shownIn = ['metadata']
const MADE_WHY = 'Paths, types and sizes were made as the paper says; the archives are really written.'

/** Up to what the paper gives as a limit, and a little. */
const isWithin = (value: number, limit: number): boolean => value <= limit * (1 + toleranceOf('about-a-limit'))

function entrySize(
  context: AnswerContext,
  { pages, plainBytes, packedBytes }: MetadataFacts,
  isMade: boolean,
): ClaimAnswer[] {
  const [plain, packed] = [plainBytes / pages, packedBytes / pages]
  return [
    answerTo('000.1a', context, {
      verdict: holdsUnlessMade(isMade, Math.abs(plain - PLAIN) <= toleranceOf('entry-bytes')),
      ours: `${formatNumber(plain)} bytes plain, over ${formatNumber(pages)} pages`,
      why: `The paper’s example takes 64 bytes with its line end, for a path of 30 characters; paths have about ${formatNumber(Math.round(plain - PLAIN + 30))} here.${isMade ? ` ${MADE_WHY}` : ''}`,
      shownIn,
    }),
    answerTo('000.1b', context, {
      verdict: holds(isWithin(packed, PACKED)),
      ours: `${formatNumber(packed)} bytes packed`,
      why: 'Fewer count as held: it is meant as what to expect at most.',
      shownIn,
    }),
  ]
}

function oneFile(context: AnswerContext, facts: MetadataFacts): ClaimAnswer[] {
  const { sites, inOneFile, smallSites, packedBytes, pages } = facts
  const held = ONE_FILE / (packedBytes / pages)
  return [
    answerTo('000.2a', context, {
      verdict: holds(isWithin(IN_ONE_FILE, held)),
      ours: `100 KB hold ${formatNumber(Math.floor(held))} pages`,
      why: 'More count as held.',
      shownIn,
    }),
    sites < 2
      ? untested(
          '000.2b',
          context,
          'A site made to be large says nothing of most sites. It takes a table of pages of many.',
          `${sites} site`,
        )
      : answerTo('000.2b', context, {
          verdict: holds(inOneFile > sites / 2),
          ours: `${inOneFile} of ${sites} sites fit one file of 100 KB; ${smallSites} have 5,000 pages or fewer`,
          why: 'Most is more than half.',
          shownIn,
        }),
  ]
}

function archiveCount(
  context: AnswerContext,
  { pages, sites, archives, largestArchive }: MetadataFacts,
): ClaimAnswer[] {
  const scaled = (archives * LARGE_SITE) / pages
  const isOne = sites === 1 && pages >= LARGE_SITE
  return [
    answerTo('000.3a', context, {
      verdict: holds(isWithin(largestArchive, LARGEST)),
      ours: `the largest has ${formatQuantity(largestArchive, 'bytes')}`,
      why: 'Sorted by last change, 2,000 a segment, split by type. Smaller counts as held.',
      shownIn,
    }),
    answerTo('000.3b', context, {
      verdict: holds(scaled <= ARCHIVES * (1 + toleranceOf('archive-count'))),
      ours: `${formatNumber(archives)} archives for ${formatNumber(pages)} pages${isOne ? '' : ` of ${sites} sites`}`,
      why: 'Fewer count as held; by proportion where there are not 100,000 pages.',
      shownIn,
    }),
  ]
}

function irrelevant(
  context: AnswerContext,
  { mostIrrelevant: { archives, bytes, asked } }: MetadataFacts,
): ClaimAnswer[] {
  return [
    answerTo('000.4a', context, {
      verdict: holds(archives <= 1 && isWithin(bytes, LARGEST)),
      ours: `at most ${archives} of a type with older entries, ${formatQuantity(bytes, 'bytes')}, for ${asked} dates asked`,
      why: 'Which archives are read is decided by their names.',
      shownIn,
    }),
  ]
}

function otherGroup(context: AnswerContext, { inOther, sites, pages }: MetadataFacts, isMade: boolean): ClaimAnswer[] {
  const ours = `${percent(inOther)} of ${formatNumber(pages)} pages are in archives called “other”`
  if (!(inOther > 0 && inOther < 1))
    return [
      untested(
        '000.5b',
        context,
        `All pages of ${sites} sites are of one type, so nothing is to be merged. It takes files of many types.`,
        ours,
      ),
    ]
  return [
    answerTo('000.5b', context, {
      verdict: holdsUnlessMade(isMade, Math.abs(inOther - OTHER) <= toleranceOf('other-share')),
      ours,
      why: isMade
        ? 'Which types there are, and how many of each, was our choice.'
        : 'Types past the four largest, and with 50 pages or fewer in a segment.',
      shownIn,
    }),
  ]
}

function overhead(
  context: AnswerContext,
  { packedBytes, contentBytes, packsInMs }: MetadataFacts,
  isMade: boolean,
): ClaimAnswer[] {
  const share = packedBytes / contentBytes
  return [
    answerTo('000.6a', context, {
      verdict: holds(packsInMs <= toleranceOf('processor-seconds') * 1_000),
      ours: `at most ${formatNumber(packsInMs)} ms for a segment of 2,000 entries of one type, packed with gzip`,
      why: 'The median of several times, rounded up to a power of ten so that a report does not differ from run to run. A processor of today, not of 2000.',
      shownIn,
    }),
    answerTo('000.6b', context, {
      verdict: holdsUnlessMade(isMade, isWithin(share, OVERHEAD)),
      ours: `metadata is ${(share * 100).toFixed(3)} % of ${formatQuantity(contentBytes, 'bytes')}`,
      why: isMade
        ? `A mean page of 13 KB was set. ${MADE_WHY}`
        : 'Less counts as held. It is as much smaller as pages are larger.',
      shownIn,
    }),
  ]
}

export function metadataTable(id: string, { name, ...facts }: MetadataFacts): Table {
  const { pages, plainBytes, packedBytes, contentBytes } = facts
  return {
    id: `${id}-metadata`,
    title: `What metadata weighs: ${name}`,
    paperRef: '000 §3',
    columns: [{ label: 'measure' }, { label: 'here', align: 'right' }, { label: 'paper', align: 'right' }],
    rows: [
      ['bytes an entry, plain', formatNumber(plainBytes / pages), '64'],
      ['bytes an entry, packed', formatNumber(packedBytes / pages), '22'],
      ['pages', formatNumber(pages), '100,000'],
      ['archives', formatNumber(facts.archives), '250'],
      ['largest archive', formatQuantity(facts.largestArchive, 'bytes'), '42 KB'],
      ['sites', formatNumber(facts.sites), ''],
      ['sites that fit one file of 100 KB', formatNumber(facts.inOneFile), 'most'],
      ['mean page', formatQuantity(contentBytes / pages, 'bytes'), '13 KB'],
      ['metadata to content', `${((packedBytes / contentBytes) * 100).toFixed(3)} %`, '0.16 %'],
      ['pages in "other"', percent(facts.inOther), '15 %'],
    ],
  }
}
