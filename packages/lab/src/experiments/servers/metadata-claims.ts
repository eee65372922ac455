/** Claims 1 to 6 of 000, from what archives weigh. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import type { Table } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { answerTo, holds, percent } from './answer.ts'
import type { AnswerContext } from './answer.ts'
import type { MetadataFacts } from './metadata.ts'

const [PLAIN, PACKED, LARGEST, ARCHIVES, OVERHEAD] = [64, 22, 42_000, 250, 0.0016]
/** 100,000 pages. */
const LARGE_SITE = 100_000
const PLAIN_TOLERANCE = 10

export function metadataClaims(context: AnswerContext, facts: MetadataFacts): ClaimAnswer[] {
  return [entrySize, oneFile, archiveCount, irrelevant, otherGroup, overhead].map((claim) => claim(context, facts))
}

const shownIn = ['metadata']

function entrySize(context: AnswerContext, { pages, plainBytes, packedBytes }: MetadataFacts): ClaimAnswer {
  const [plain, packed] = [plainBytes / pages, packedBytes / pages]
  return answerTo(1, context, {
    verdict: holds(Math.abs(plain - PLAIN) <= PLAIN_TOLERANCE && packed <= PACKED),
    ours: `${formatNumber(plain)} bytes plain, ${formatNumber(packed)} packed, over ${formatNumber(pages)} pages`,
    why: `The paper's example takes 64 bytes with its line end, for a path of 30 characters; paths have about ${formatNumber(Math.round(plain - PLAIN + 30))} here. Alike within ${PLAIN_TOLERANCE} bytes plain, and 22 or fewer packed.`,
    shownIn,
  })
}

function oneFile(context: AnswerContext, { sites, inOneFile, smallSites }: MetadataFacts): ClaimAnswer {
  if (sites < 2)
    return answerTo(2, context, {
      verdict: 'cannot be tested',
      ours: `${sites} site`,
      why: 'A site made to be large says nothing of most sites.',
      shownIn,
    })
  return answerTo(2, context, {
    verdict: holds(inOneFile > sites / 2),
    ours: `${inOneFile} of ${sites} sites fit one file of 100 KB; ${smallSites} have 5,000 pages or fewer`,
    why: 'Most is more than half.',
    shownIn,
  })
}

function archiveCount(context: AnswerContext, { pages, sites, archives, largestArchive }: MetadataFacts): ClaimAnswer {
  const scaled = (archives * LARGE_SITE) / pages
  const isOne = sites === 1 && pages >= LARGE_SITE
  return answerTo(3, context, {
    verdict: holds(largestArchive <= LARGEST * 1.05 && scaled <= ARCHIVES * 1.1),
    ours: `the largest has ${formatQuantity(largestArchive, 'bytes')}; ${formatNumber(archives)} archives for ${formatNumber(pages)} pages${isOne ? '' : ` of ${sites} sites`}`,
    why: 'Sorted by last change, 2,000 a segment, split by type. Fewer and smaller count as held: both are meant as limits.',
    shownIn,
  })
}

function irrelevant(
  context: AnswerContext,
  { mostIrrelevant: { archives, bytes, asked } }: MetadataFacts,
): ClaimAnswer {
  return answerTo(4, context, {
    verdict: holds(archives <= 1 && bytes <= LARGEST * 1.05),
    ours: `at most ${archives} of a type with older entries, ${formatQuantity(bytes, 'bytes')}, for ${asked} dates asked`,
    why: 'Which archives are read is decided by their names.',
    shownIn,
  })
}

function otherGroup(context: AnswerContext, { inOther, sites, pages }: MetadataFacts): ClaimAnswer {
  const isMixed = inOther > 0 && inOther < 1
  return answerTo(5, context, {
    verdict: isMixed ? holds(inOther <= 0.2) : 'cannot be tested',
    ours: `${percent(inOther)} of ${formatNumber(pages)} pages are in archives called "other"`,
    why: isMixed
      ? 'Types with 50 pages or fewer in a segment, and those past the four largest; up to 20 % counts as about 15 %. How many types there are was our choice.'
      : `All pages of ${sites} sites are of one type, so nothing is to be merged.`,
    shownIn,
  })
}

function overhead(context: AnswerContext, { packedBytes, contentBytes }: MetadataFacts): ClaimAnswer {
  const share = packedBytes / contentBytes
  return answerTo(6, context, {
    verdict: holds(share <= OVERHEAD * 1.05),
    ours: `metadata is ${(share * 100).toFixed(3)} % of ${formatQuantity(contentBytes, 'bytes')}`,
    why: 'At most 0.16 % holds. What compressing takes is not told here, as no report may differ from run to run; a benchmark is the place for it.',
    shownIn,
  })
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
