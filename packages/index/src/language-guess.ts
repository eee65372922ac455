/**
 * Language: the primary subtag (BCP 47) of a page's language, or `und` when nobody can tell.
 *
 * A page's own word counts unless it cannot be: many templates say `en` and hold Russian, so the script must fit, and
 * where the page's function words are clearly another language's, those win. Without a word from the page, a script of
 * one language decides, or the function words. Three short samples are read, so the cost does not grow with the page.
 */
import { FUNCTION_WORDS } from './function-words.ts'
import { UNKNOWN_LANGUAGE } from './terms.ts'
import { TextUnits } from './text-units.ts'
import { eachWord } from './words.ts'

/** Units of each of the three samples; some 300 words in all. */
const SAMPLE_UNITS = 600

/** `declared` is what the page says of itself. */
export function languageOf(declared: string | undefined, text: string): string {
  const said = primaryLanguage(declared)
  const sample = sampleOf(text)
  const script = mainScript(sample)
  const isPossible = said !== undefined && fits(said, script)
  if (script !== undefined && script.language !== undefined && !isPossible) return script.language
  const guess = functionWordScores(sample)
  if (said === undefined || !isPossible) return guess.isSure ? guess.best : UNKNOWN_LANGUAGE
  return guess.refutes(said) ? guess.best : said
}

/** Norwegian's two written forms, whose readers read both. */
const ONE_NAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' }
const primaryLanguages = new Map<string, string | undefined>()

/** `de` from de-AT, DE_de or ger; undefined for what names no language. */
export function primaryLanguage(tag: string | undefined): string | undefined {
  if (tag === undefined || tag.length > 35) return undefined // As long as a tag must be allowed to be, RFC 5646 §4.4.1.
  if (primaryLanguages.has(tag)) return primaryLanguages.get(tag)
  if (primaryLanguages.size >= 1_000) primaryLanguages.clear()
  const language = readPrimary(tag)
  primaryLanguages.set(tag, language)
  return language
}

function readPrimary(tag: string): string | undefined {
  const first = /^\s*([a-z]{2,3})(?![a-z])/i.exec(tag)?.[1]
  if (first === undefined) return undefined
  // Knows eng for en and iw for he; two or three letters are always well-formed.
  const { language } = new Intl.Locale(first.toLowerCase())
  return ['und', 'mul', 'mis', 'zxx'].includes(language) ? undefined : (ONE_NAME[language] ?? language)
}

/** Begin, middle and near the end: many pages begin with a menu in English. */
function sampleOf(text: string): string {
  if (text.length <= 3 * SAMPLE_UNITS) return text
  const starts = [0, text.length >> 1, text.length - SAMPLE_UNITS]
  return starts.map((start) => text.slice(start, start + SAMPLE_UNITS)).join(' ')
}

interface ScriptShare {
  /** As ISO 15924 has it. */
  readonly code: string
  /** Set when but one widely written language uses it. */
  readonly language: string | undefined
}

// Kana come before Han: Japanese has both, and a little kana is enough to know it. `share`: of all letters.
const SCRIPTS: readonly { code: string; language?: string; share: number; letters: RegExp }[] = [
  { code: 'Jpan', language: 'ja', share: 0.05, letters: /[\p{sc=Hiragana}\p{sc=Katakana}]/gu },
  { code: 'Hani', language: 'zh', share: 0.3, letters: /\p{sc=Han}/gu },
  { code: 'Kore', language: 'ko', share: 0.3, letters: /\p{sc=Hangul}/gu },
  { code: 'Cyrl', share: 0.6, letters: /\p{sc=Cyrillic}/gu },
  { code: 'Grek', language: 'el', share: 0.5, letters: /\p{sc=Greek}/gu },
  { code: 'Arab', share: 0.5, letters: /\p{sc=Arabic}/gu },
  { code: 'Hebr', language: 'he', share: 0.5, letters: /\p{sc=Hebrew}/gu },
  { code: 'Thai', language: 'th', share: 0.3, letters: /\p{sc=Thai}/gu },
  { code: 'Laoo', language: 'lo', share: 0.3, letters: /\p{sc=Lao}/gu },
  { code: 'Khmr', language: 'km', share: 0.3, letters: /\p{sc=Khmer}/gu },
  { code: 'Mymr', language: 'my', share: 0.3, letters: /\p{sc=Myanmar}/gu },
  { code: 'Armn', language: 'hy', share: 0.5, letters: /\p{sc=Armenian}/gu },
  { code: 'Geor', language: 'ka', share: 0.5, letters: /\p{sc=Georgian}/gu },
  { code: 'Deva', share: 0.5, letters: /\p{sc=Devanagari}/gu },
  { code: 'Beng', language: 'bn', share: 0.5, letters: /\p{sc=Bengali}/gu },
  { code: 'Taml', language: 'ta', share: 0.5, letters: /\p{sc=Tamil}/gu },
  { code: 'Telu', language: 'te', share: 0.5, letters: /\p{sc=Telugu}/gu },
]

/** Fewer letters than this prove nothing. */
const FEW_LETTERS = 12
// Letters and their like, leaving out the blocks of signs and of further Latin.
const BEYOND_LATIN = /[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u2dff\u3040-\ud7ff\uf900-\ufdff\ufe70-\uffdc]/g

/** The script most of a text is in, unless that is Latin or none of the table. */
function mainScript(sample: string): ScriptShare | undefined {
  if (countOf(sample, BEYOND_LATIN) < FEW_LETTERS) return undefined
  const letters = countOf(sample, /[\p{L}\p{M}]/gu)
  const found = SCRIPTS.find(
    (script) => countOf(sample, script.letters) >= Math.max(FEW_LETTERS, letters * script.share),
  )
  return found && { code: found.code, language: found.language }
}

function countOf(sample: string, letters: RegExp): number {
  return sample.match(letters)?.length ?? 0
}

/** May a page of this language have that script? Latin fits all: menus, programs, and languages spelt for strangers. */
function fits(language: string, script: ScriptShare | undefined): boolean {
  if (script === undefined) return true
  const usual = new Intl.Locale(language).maximize().script ?? ''
  if (script.code === 'Hani') return ['Hans', 'Hant', 'Jpan', 'Kore'].includes(usual)
  return usual === script.code
}

const languages: readonly string[] = Object.keys(FUNCTION_WORDS)
/** By the word's hash: a guess may err once in a million words, and a number is found far sooner than a string. */
const languagesByWord = new Map<number, number[]>()
for (const [number, language] of languages.entries()) {
  for (const word of new Set(FUNCTION_WORDS[language]!.split(' '))) {
    const hash = wordHash(new TextUnits().load(word).units, 0, word.length)
    const known = languagesByWord.get(hash)
    if (known === undefined) languagesByWord.set(hash, [number])
    else known.push(number)
  }
}

/** FNV-1a; ASCII's capitals count as small, and others, which are rare in small words, as themselves. */
function wordHash(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    const unit = units[at]!
    hash = Math.imul(hash ^ (unit < 0x80 ? unit | 0x20 : unit), 0x01000193)
  }
  return hash
}

interface FunctionWordScores {
  readonly best: string
  /** Is the best one good enough to go by? */
  readonly isSure: boolean
  /** Is the text so clearly in the best one that it cannot be in the language said? */
  refutes(said: string): boolean
}

/** A function word counts for its languages in equal parts: one that many have tells little. */
function functionWordScores(sample: string): FunctionWordScores {
  const { words, times } = functionWordsIn(sample)
  const scores = new Float64Array(languages.length)
  const distinct = new Uint8Array(languages.length)
  for (const [found, count] of times) {
    for (const number of found) {
      scores[number]! += count / found.length
      distinct[number]!++
    }
  }
  let best = 0
  let next = 1
  for (let number = 1; number < scores.length; number++) {
    if (scores[number]! > scores[best]!) [best, next] = [number, best]
    else if (scores[number]! > scores[next]!) next = number
  }
  const score = scores[best]!
  return {
    best: languages[best]!,
    // A table of letters may repeat Albanian e, but has no other words of it.
    isSure: score >= 3 && distinct[best]! >= 4 && score >= words * 0.05 && score >= scores[next]! * 1.3,
    refutes(said) {
      const own = languages.indexOf(said)
      // A language without a list cannot defend itself, and is believed.
      return own >= 0 && score >= 12 && distinct[best]! >= 6 && score >= words * 0.1 && scores[own]! * 4 < score
    },
  }
}

const sampleUnits = new TextUnits()

/** How often each function word stands there, by the languages that have it. */
function functionWordsIn(sample: string): { words: number; times: Map<readonly number[], number> } {
  const { units } = sampleUnits.load(sample)
  const times = new Map<readonly number[], number>()
  let words = 0
  eachWord(sampleUnits, (start, end) => {
    words++
    if (end - start > 8) return // No function word of the table is longer.
    const found = languagesByWord.get(wordHash(units, start, end))
    if (found !== undefined) times.set(found, (times.get(found) ?? 0) + 1)
  })
  return { words, times }
}
