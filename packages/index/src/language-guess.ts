/**
 * Language: the primary subtag (BCP 47) of a page's language, or `und` when nobody can tell.
 *
 * A page's own word counts unless it cannot be: many templates say `en` and hold Russian, so the script must fit, and
 * where the page's function words are clearly another language's, those win. Without a word from the page, a script of
 * one language decides, or the function words. Three short samples are read, so the cost does not grow with the page;
 * of a page that says what its middle confirms, one is enough.
 */
import { FUNCTION_WORDS } from './function-words.ts'
import { UNKNOWN_LANGUAGE } from './terms.ts'
import { TextUnits } from './text-units.ts'
import { hashOf, WordList } from './words.ts'

/** Units and words of each of the three samples. */
const SAMPLE_UNITS = 600
const SAMPLE_WORDS = 100

/** `declared` is what the page says of itself, `words` are those of the text. */
export function languageOf(declared: string | undefined, text: string, words: WordList = wordsOf(text)): string {
  const said = primaryLanguage(declared)
  const script = mainScript(samplesOf(text))
  const isPossible = said !== undefined && fits(said, script)
  if (script !== undefined && script.language !== undefined && !isPossible) return script.language
  tally.clear()
  for (const start of sampleStarts(words.count, SAMPLE_WORDS)) {
    tally.count(words.hashes, start, Math.min(words.count, start + SAMPLE_WORDS))
    if (isPossible && tally.confirms(said)) return said
  }
  if (said === undefined || !isPossible) return tally.isSure ? tally.best : UNKNOWN_LANGUAGE
  return tally.refutes(said) ? tally.best : said
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

function wordsOf(text: string): WordList {
  return new WordList().read(new TextUnits().load(text))
}

function samplesOf(text: string): string[] {
  return sampleStarts(text.length, SAMPLE_UNITS).map((start) => text.slice(start, start + SAMPLE_UNITS))
}

/** The middle, which tells most, the begin and the end: many pages begin with a menu in English. */
function sampleStarts(length: number, size: number): number[] {
  if (length > 3 * size) return [(length - size) >> 1, 0, length - size]
  return Array.from({ length: Math.ceil(length / size) }, (_, sample) => sample * size)
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
function mainScript(samples: readonly string[]): ScriptShare | undefined {
  if (countOf(samples, BEYOND_LATIN) < FEW_LETTERS) return undefined
  const letters = countOf(samples, /[\p{L}\p{M}]/gu)
  const found = SCRIPTS.find(
    (script) => countOf(samples, script.letters) >= Math.max(FEW_LETTERS, letters * script.share),
  )
  return found && { code: found.code, language: found.language }
}

function countOf(samples: readonly string[], letters: RegExp): number {
  let count = 0
  for (const sample of samples) count += sample.match(letters)?.length ?? 0
  return count
}

/** May a page of this language have that script? Latin fits all: menus, programs, and languages spelt for strangers. */
function fits(language: string, script: ScriptShare | undefined): boolean {
  if (script === undefined) return true
  const usual = new Intl.Locale(language).maximize().script ?? ''
  if (script.code === 'Hani') return ['Hans', 'Hant', 'Jpan', 'Kore'].includes(usual)
  return usual === script.code
}

const languages: readonly string[] = Object.keys(FUNCTION_WORDS)

/**
 * Every function word, small, with a capital and in capitals, by its hash alone: a guess may err once in a million
 * words. An open table of eight times as many places finds a number far sooner than a Map does.
 */
class FunctionWords {
  /** By number of a word, the languages that have it. */
  readonly languages: number[][] = []
  readonly #hashes = new Int32Array(1 << 14)
  /** One more than the number; 0 in an empty place. */
  readonly #numbers = new Uint16Array(1 << 14)

  constructor() {
    const numbers = new Map<string, number>()
    for (const [language, name] of languages.entries()) {
      for (const word of new Set(FUNCTION_WORDS[name]!.split(' '))) {
        const number = numbers.get(word) ?? this.#add(word)
        numbers.set(word, number)
        this.languages[number]!.push(language)
      }
    }
  }

  /** -1 for any other word. */
  find(hash: number): number {
    return this.#numbers[this.#placeOf(hash)]! - 1
  }

  #add(word: string): number {
    const number = this.languages.push([]) - 1
    for (const form of new Set([word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])) {
      const hash = hashOf(new TextUnits().load(form).units, 0, form.length)
      const place = this.#placeOf(hash)
      this.#hashes[place] = hash
      this.#numbers[place] = number + 1
    }
    return number
  }

  #placeOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let place = (hash ^ (hash >>> 15)) & mask
    while (this.#numbers[place] !== 0 && this.#hashes[place] !== hash) place = (place + 1) & mask
    return place
  }
}

/** Counts function words. Each counts for its languages in equal parts: one that many have tells little. */
class Tally {
  #words = 0
  #best = 0
  #next = 1
  readonly #functionWords = new FunctionWords()
  readonly #scores = new Float64Array(languages.length)
  /** How many different words a score is of. */
  readonly #distinct = new Uint8Array(languages.length)
  /** By number of a word: 1 when it was met. */
  readonly #isMet = new Uint8Array(this.#functionWords.languages.length)

  clear(): void {
    this.#words = 0
    this.#scores.fill(0)
    this.#distinct.fill(0)
    this.#isMet.fill(0)
  }

  /** Words by their hashes. */
  count(hashes: Int32Array, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const number = this.#functionWords.find(hashes[i]!)
      if (number !== -1) this.#add(number)
    }
    this.#words += end - start
    this.#rank()
  }

  #add(number: number): void {
    const found = this.#functionWords.languages[number]!
    const isNew = this.#isMet[number] === 0
    this.#isMet[number] = 1
    for (const language of found) {
      this.#scores[language]! += 1 / found.length
      if (isNew) this.#distinct[language]!++
    }
  }

  #rank(): void {
    const scores = this.#scores
    let [best, next] = [0, 1]
    for (let language = 1; language < scores.length; language++) {
      if (scores[language]! > scores[best]!) [best, next] = [language, best]
      else if (scores[language]! > scores[next]!) next = language
    }
    this.#best = best
    this.#next = next
  }

  get best(): string {
    return languages[this.#best]!
  }

  /** Is the best one good enough to go by? */
  get isSure(): boolean {
    const score = this.#scores[this.#best]!
    // A table of letters may repeat Albanian e, but has no other words of it.
    const isMany = score >= 3 && this.#distinct[this.#best]! >= 4
    return isMany && score >= this.#words * 0.05 && score >= this.#scores[this.#next]! * 1.3
  }

  /** Has the language said so many of its words there that none could have four times as many? */
  confirms(said: string): boolean {
    const own = languages.indexOf(said)
    return own >= 0 && this.#distinct[own]! >= 6 && this.#scores[own]! >= this.#words / 8
  }

  /** Is the text so clearly in the best one that it cannot be in the language said? */
  refutes(said: string): boolean {
    const own = languages.indexOf(said)
    const score = this.#scores[this.#best]!
    const isMany = score >= 12 && this.#distinct[this.#best]! >= 6 && score >= this.#words * 0.1
    // A language without a list cannot defend itself, and is believed.
    return own >= 0 && isMany && this.#scores[own]! * 4 < score
  }
}

const tally = new Tally()
