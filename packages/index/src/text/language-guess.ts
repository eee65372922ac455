/**
 * Language: the primary subtag (BCP 47) of a page's language, or `und` when nobody can tell.
 *
 * A page's own word counts unless it cannot be: many templates say `en` and hold Russian, so the script must fit, and
 * where the page's function words are clearly another language's, those win. Without a word from the page, a script of
 * one language decides, or the function words. Three short samples are read, so the cost does not grow with the page;
 * of a page that says what its middle confirms, one is enough.
 */
import { tableOf } from '@comity/protocol'
import { FUNCTION_WORDS } from './function-words.ts'
import { mainScript, type Script } from './main-script.ts'
import { UNKNOWN_LANGUAGE } from './terms.ts'
import { TextUnits } from './text-units.ts'
import { mixed, WordKey } from './word-key.ts'
import { WordList } from './words.ts'

/** Units and words of each of the three samples. */
const SAMPLE_UNITS = 600
const SAMPLE_WORDS = 100

/** `declared` is what the page says of itself, `words` are those of the text. */
export function languageOf(declared: string | undefined, text: string, words: WordList = wordsOf(text)): string {
  const said = primaryLanguage(declared)
  const script = mainScript(samplesOf(text))
  const isPossible = said !== undefined && fits(said, script)
  if (script !== undefined && script.language !== undefined && !isPossible) return script.language
  const tally = (shared ??= new Tally())
  tally.clear()
  for (const start of sampleStarts(words.count, SAMPLE_WORDS)) {
    tally.count(words, start, Math.min(words.count, start + SAMPLE_WORDS))
    if (isPossible && tally.confirms(said)) return said
  }
  if (said === undefined || !isPossible) return tally.isSure ? tally.best : UNKNOWN_LANGUAGE
  return tally.refutes(said) ? tally.best : said
}

/** Norwegian's two written forms, whose readers read both. */
const ONE_NAME: ReadonlyMap<string, string> = tableOf({ nb: 'no', nn: 'no' })
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
  return ['und', 'mul', 'mis', 'zxx'].includes(language) ? undefined : (ONE_NAME.get(language) ?? language)
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
  return [0, size, 2 * size].slice(0, Math.ceil(length / size))
}

/** May a page of this language have that script? Latin fits all: menus, programs, and languages spelt for strangers. */
function fits(language: string, script: Script | undefined): boolean {
  if (script === undefined) return true
  const usual = new Intl.Locale(language).maximize().script ?? ''
  if (script.code === 'Hani') return ['Hans', 'Hant', 'Jpan', 'Kore'].includes(usual)
  return usual === script.code
}

const languages: readonly string[] = Object.keys(FUNCTION_WORDS)

const PLACES = 1 << 14
const FIELDS = 4
const NUMBER = 2

/**
 * Every function word by its key alone, those with other letters than ASCII's small, with a capital and in capitals: a
 * guess may err once in a million words. An open table of eight times as many places finds a number far sooner than a
 * Map does.
 */
class FunctionWords {
  /** By number of a word, the languages that have it. */
  readonly languages: number[][] = []
  /** The halves of a key, and one more than the number: 0 in an empty place. */
  readonly #table = new Int32Array(PLACES * FIELDS)
  /** By place: whether a key belongs there. Most words have none, and this much stays near the processor. */
  readonly #isTaken = new Uint8Array(PLACES)
  readonly #units = new TextUnits()
  readonly #key = new WordKey()

  constructor() {
    const numbers = new Map<string, number>()
    for (const [language, words] of Object.values(FUNCTION_WORDS).entries()) {
      for (const word of new Set(words.split(' '))) {
        const number = numbers.get(word) ?? this.#add(word)
        numbers.set(word, number)
        this.languages[number]!.push(language)
      }
    }
  }

  /** -1 for any other word. */
  find(low: number, high: number): number {
    if (this.#isTaken[mixed(low, high) & (PLACES - 1)] === 0) return -1
    return this.#table[this.#placeOf(low, high) + NUMBER]! - 1
  }

  #add(word: string): number {
    const number = this.languages.push([]) - 1
    for (const form of new Set([word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])) {
      const { low, high } = this.#key.read(this.#units.load(form).units, 0, form.length)
      const place = this.#placeOf(low, high)
      this.#table[place] = low
      this.#table[place + 1] = high
      this.#table[place + NUMBER] = number + 1
      this.#isTaken[mixed(low, high) & (PLACES - 1)] = 1
    }
    return number
  }

  #placeOf(low: number, high: number): number {
    const table = this.#table
    for (let place = (mixed(low, high) & (PLACES - 1)) * FIELDS; ; place = (place + FIELDS) % table.length) {
      if (table[place + NUMBER] === 0 || (table[place] === low && table[place + 1] === high)) return place
    }
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

  /** Words by their keys. */
  count({ lows, highs }: WordList, start: number, end: number): void {
    for (let i = start; i < end; i++) {
      const number = this.#functionWords.find(lows[i]!, highs[i]!)
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

/** Made for the first text, as most processes guess no language. */
let shared: Tally | undefined
