/**
 * The English stemmer of Snowball ("Porter2", https://snowballstem.org/algorithms/english/stemmer.html), by hand, since
 * nearly every new word of most crawls passes here and the libraries take ten times as long. A test holds it against
 * snowball-stemmers.
 *
 * Suffixes go in steps. What must stay is told by two regions: R1 is what follows the first consonant behind a vowel, R2
 * is the same within R1. A y that is a consonant is written Y meanwhile.
 *
 * Regular expressions are chosen over loops because they are quick from the first word on: a program that stems twenty
 * thousand words is done before a compiler has understood its loops. Most words have nothing that a step looks for, and show it by
 * their length or last letters, which are looked at first.
 */

/** What `word`, in lower case, has in common with its other forms. */
export function englishStem(word: string): string {
  if (word.length < 3) return word
  const exception = word.length <= LONGEST_EXCEPTION ? EXCEPTIONS.get(word) : undefined
  if (exception !== undefined) return exception
  const prepared = markConsonantY(word.startsWith("'") ? word.slice(1) : word)
  const r1 = regionBehind(FIRST_REGION, prepared, 0)
  const r2 = regionBehind(REGION, prepared, r1)
  const singular = withoutPlural(prepared.includes("'") ? prepared.replace(POSSESSIVE, '') : prepared)
  const isInvariant = singular.length <= LONGEST_INVARIANT && INVARIANT.has(singular)
  const stem = isInvariant ? singular : withoutEndings(singular, r1, r2)
  return stem.includes('Y') ? stem.replaceAll('Y', 'y') : stem
}

const EXCEPTIONS = new Map(
  [
    'skis>ski skies>sky dying>die lying>lie tying>tie idly>idl gently>gentl ugly>ugli early>earli only>onli',
    'singly>singl sky>sky news>news howe>howe atlas>atlas cosmos>cosmos bias>bias andes>andes',
  ].flatMap((line) => line.split(' ').map((pair) => pair.split('>') as [string, string])),
)
const LONGEST_EXCEPTION = 6
/** Once without a plural's s. */
const INVARIANT = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))
const LONGEST_INVARIANT = 7

const REGION = /[^aeiouy]*[aeiouy]+[^aeiouy]/y
/** Some beginnings are its border themselves, or generate and general would become one. */
const FIRST_REGION = /gener|commun|arsen|[^aeiouy]*[aeiouy]+[^aeiouy]/y

function regionBehind(border: RegExp, word: string, start: number): number {
  border.lastIndex = start
  return border.test(word) ? border.lastIndex : word.length
}

const VOWEL = /[aeiouy]/
/** A syllable as in rap, trap, and a word as in ow, at. */
const SHORT = /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/

/** At the beginning and behind a vowel; of yy one is. */
function markConsonantY(word: string): string {
  if (!word.includes('y') || !/^y|[aeiouy]y/.test(word)) return word
  let marked = ''
  for (const letter of word) marked += letter === 'y' && /^$|[aeiouy]$/.test(marked) ? 'Y' : letter
  return marked
}

/** Step 0. */
const POSSESSIVE = /'(?:s'?)?$/

/** Step 1a. */
function withoutPlural(word: string): string {
  if (word.endsWith('ied')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function withoutEndings(word: string, r1: number, r2: number): string {
  let stem = withoutParticiple(word, r1)
  // Step 1c.
  if ((stem.endsWith('y') || stem.endsWith('Y')) && /[^aeiouy].$/.test(stem) && stem.length > 2)
    stem = `${stem.slice(0, -1)}i`
  stem = replaced(stem, STEP_2, r1, r2)
  stem = replaced(stem, STEP_3, r1, r2)
  stem = replaced(stem, STEP_4, r2, r2)
  return withoutFinal(stem, r1, r2)
}

const PARTICIPLE = /(?:eed|ed|ing)(?:ly)?$/
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/

/** Step 1b. */
function withoutParticiple(word: string, r1: number): string {
  if (!word.endsWith('ed') && !word.endsWith('ing') && !word.endsWith('ly')) return word
  const end = word.search(PARTICIPLE)
  if (end === -1) return word
  if (word.startsWith('eed', end)) return end >= r1 ? word.slice(0, end + 2) : word
  const stem = word.slice(0, end)
  if (!VOWEL.test(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (DOUBLE.test(stem)) return stem.slice(0, -1)
  return end === r1 && SHORT.test(stem) ? `${stem}e` : stem
}

interface Replacement {
  readonly suffix: string
  readonly by: string
  /** Letters of which one must stand before; any when empty. */
  readonly after: string
  readonly mustBeInR2: boolean
}

/** By last two letters of the suffix (`pairOf`), the longest first, as only the longest that fits may go. */
type Step = readonly (readonly Replacement[] | undefined)[]

const [LETTER_A, LETTERS] = [97, 26]
const NO_PAIR = LETTERS * LETTERS
const STEP_2 = stepOf(
  'tional>tion enci>ence anci>ance abli>able entli>ent izer>ize ization>ize ational>ate ation>ate ator>ate alism>al ' +
    'aliti>al alli>al fulness>ful ousli>ous ousness>ous iveness>ive iviti>ive biliti>ble bli>ble fulli>ful ' +
    'lessli>less ogi>og>l li>>cdeghkmnrt',
)
const STEP_3 = stepOf('tional>tion ational>ate alize>al icate>ic iciti>ic ical>ic ful> ness> ative>>>R2')
const STEP_4 = stepOf(
  'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ism> ate> iti> ous> ive> ize> ion>>st',
)

/** `suffix>by>after>R2` each. */
function stepOf(rules: string): Step {
  const all = rules.split(' ').map((rule): Replacement => {
    const [suffix = '', by = '', after = '', region] = rule.split('>')
    return { suffix, by, after, mustBeInR2: region === 'R2' }
  })
  const step = Array<Replacement[] | undefined>(NO_PAIR + 1).fill(undefined)
  for (const one of all.toSorted((a, b) => b.suffix.length - a.suffix.length))
    (step[pairOf(one.suffix)] ??= []).push(one)
  return step
}

/** A number for the last two letters of a word; `NO_PAIR` where they are others than a to z. */
function pairOf(word: string): number {
  const last = word.charCodeAt(word.length - 1) - LETTER_A
  const before = word.charCodeAt(word.length - 2) - LETTER_A
  return last >= 0 && last < LETTERS && before >= 0 && before < LETTERS ? before * LETTERS + last : NO_PAIR
}

/** Steps 2 to 4: the longest suffix is replaced where it lies in its region. */
function replaced(word: string, step: Step, region: number, r2: number): string {
  const candidates = step[pairOf(word)]
  if (candidates === undefined) return word
  for (const { suffix, by, after, mustBeInR2 } of candidates) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    const isIn = end >= (mustBeInR2 ? r2 : region)
    const isAfter = after === '' || (end > 0 && after.includes(word.charAt(end - 1)))
    return isIn && isAfter ? word.slice(0, end) + by : word
  }
  return word
}

/** Step 5. */
function withoutFinal(word: string, r1: number, r2: number): string {
  const end = word.length - 1
  if (word.endsWith('ll')) return end >= r2 ? word.slice(0, end) : word
  if (!word.endsWith('e') || end < r1) return word
  return end >= r2 || !SHORT.test(word.slice(0, end)) ? word.slice(0, end) : word
}
