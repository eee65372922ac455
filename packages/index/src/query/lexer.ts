/**
 * Query lexer: the pieces of a query, in a way that everyday punctuation does not surprise.
 *
 * `"`, `(`, `-` and `title:` mean something only where a word could begin, so `5" disk`, `foo(bar)`, `e-mail` and
 * `std::vector` are words. What cannot be part of any word there, `&` or `?`, is passed over. A word keeps its inner
 * punctuation: how it is cut is not decided here.
 */
import { ZONES, type ZoneName } from '../document.ts'
import type { FilterName } from './filter.ts'
import { MAX_QUERY_WORDS, MIN_PREFIX, type QueryLeaf, type QueryProblem, type QueryProblemName } from './query.ts'

export type QueryToken =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' }
  /** Stands for whatever comes next: `title:` of `title:word`. */
  | { readonly kind: 'zone'; readonly zone: ZoneName }
  | { readonly kind: 'filter'; readonly name: FilterName; readonly text: string }
  | { readonly kind: 'leaf'; readonly leaf: QueryLeaf }
  /** Punctuation that a `-` or `title:` stands before, lest they take what comes after it. */
  | { readonly kind: 'nothing' }

interface LexedQuery {
  readonly tokens: readonly QueryToken[]
  readonly problems: readonly QueryProblem[]
}

const zoneNames: ReadonlyMap<string, ZoneName> = new Map([
  ...(Object.keys(ZONES) as ZoneName[]).map((zone) => [zone, zone] as const),
  ['intitle', 'title'],
  ['inheading', 'heading'],
  ['inanchor', 'anchor'],
  ['inurl', 'url'],
])

const filterNames: ReadonlyMap<string, FilterName> = new Map([
  ['site', 'site'],
  ['type', 'type'],
  ['filetype', 'type'],
  ['lang', 'lang'],
  ['language', 'lang'],
  ['since', 'since'],
  ['after', 'since'],
])

const operators: ReadonlyMap<string, 'and' | 'or' | 'not'> = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
])

const QUOTES = '"“”„‟«»＂'
const quote = new RegExp(`[${QUOTES}]`, 'u')
/** What a word may not begin with; a dot, a slash or a hash may: `.net`, `/etc`, `#tag`. */
const noBeginning = /[[\p{P}\p{S}]--[.#@$\/\\~_%\p{Sc}]]/v
/** What a word does not end with; `C++`, `c#`, `100%` and `call()` keep theirs. */
const tail = /[[\p{P}\p{S}]--[+#%\)_\p{Sc}]]+$/v
const LETTER = /[\p{L}\p{N}]/u

export function lexQuery(text: string): LexedQuery {
  const lexer = new Lexer(text)
  while (lexer.step());
  return lexer
}

class Lexer implements LexedQuery {
  readonly tokens: QueryToken[] = []
  readonly problems: QueryProblem[] = []
  readonly #text: string
  readonly #isInCapitals: boolean
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#isInCapitals = isLongInCapitals(text)
  }

  /** Reads what stands here; false at the end. */
  step(): boolean {
    const char = this.#charAt(this.#at)
    if (char === '') return this.#flush()
    if (/\s/.test(char)) this.#skip(char)
    else if (quote.test(char)) this.#phrase()
    else if (char === '(') this.#push({ kind: 'open' }, 1)
    else if (char === ')') this.#close()
    else if (char === '-' && this.#isBefore(this.#at + 1, /[^\s\-)]/)) this.#minus()
    else if (noBeginning.test(char)) this.#junk(char)
    else this.#word()
    return true
  }

  #charAt(at: number): string {
    return at < this.#text.length ? String.fromCodePoint(this.#text.codePointAt(at)!) : ''
  }

  #isBefore(at: number, pattern: RegExp): boolean {
    return pattern.test(this.#charAt(at))
  }

  #push(token: QueryToken, length: number): void {
    this.tokens.push(token)
    this.#at += length
  }

  #problem(name: QueryProblemName, message: string): void {
    this.problems.push({ name, message })
  }

  /** What was promised something to hold, and comes to a blank, holds nothing. */
  #flush(): false {
    const last = this.tokens.at(-1)
    const isGlued = last?.kind === 'zone' || (last?.kind === 'not' && this.#glued === this.tokens.length)
    if (isGlued) this.tokens.push({ kind: 'nothing' })
    return false
  }

  /** How many tokens there were when a `-` was read, which holds only what follows at once. */
  #glued = 0

  #skip(char: string): void {
    this.#flush()
    this.#at += char.length
  }

  #close(): void {
    this.#flush()
    this.#push({ kind: 'close' }, 1)
  }

  #minus(): void {
    // `--verbose` is an option of a program, and not a double negation.
    if (this.#text[this.#at - 1] === '-') return void this.#at++
    this.#push({ kind: 'not' }, 1)
    this.#glued = this.tokens.length
  }

  #junk(char: string): void {
    if (char === '*' && this.#isBefore(this.#at + 1, LETTER) && this.#text[this.#at - 1] !== '*') this.#misplacedStar()
    this.#at += char.length
  }

  #misplacedStar(): void {
    this.#problem(
      'star-misplaced',
      'A * stands for any ending of a word, so it counts only at the end, as in crawl*. Elsewhere it was left out.',
    )
  }

  #phrase(): void {
    const { text, end, isClosed } = this.#quoted()
    if (!isClosed && LETTER.test(text)) {
      this.#problem(
        'quote-open',
        `The quotation mark before ${quoted(text)} is never closed, so all up to the end was taken as one phrase.`,
      )
    }
    this.#leaf('phrase', text)
    this.#at = end
  }

  #quoted(): { text: string; end: number; isClosed: boolean } {
    const start = this.#at + 1
    const length = this.#text.slice(start).search(quote)
    const end = length < 0 ? this.#text.length : start + length
    return { text: phraseText(this.#text.slice(start, end)), end: length < 0 ? end : end + 1, isClosed: length >= 0 }
  }

  #word(): void {
    const name = /^([a-z]+):(?!:)/iu.exec(this.#text.slice(this.#at, this.#at + 20))?.[1]?.toLowerCase() ?? ''
    const zone = zoneNames.get(name)
    const filter = filterNames.get(name)
    if (zone !== undefined && this.#zone(name, zone)) return
    if (filter !== undefined) return this.#filter(name, filter)
    const end = this.#runEnd(this.#at)
    const run = this.#text.slice(this.#at, end)
    const address = /^https?:\/\/([^#]+)/iu.exec(run)?.[1]
    if (address === undefined) this.#run(run)
    else this.#address(address)
    this.#at = end
  }

  /** False when the zone's name stands alone: then it is a word like any other. */
  #zone(name: string, zone: ZoneName): boolean {
    const behind = this.#at + name.length + 1
    if (behind >= this.#text.length || this.#isBefore(behind, /[\s)]/)) {
      this.#problem(
        'zone-empty',
        `${name}: was searched as a word, since nothing stands right behind it. Write it without a blank, as in ${name}:word.`,
      )
      return false
    }
    this.#push({ kind: 'zone', zone }, name.length + 1)
    return true
  }

  #filter(typed: string, name: FilterName): void {
    this.#at += typed.length + 1
    if (this.#isBefore(this.#at, quote)) {
      const { text, end } = this.#quoted()
      return this.#push({ kind: 'filter', name, text }, end - this.#at)
    }
    const end = this.#runEnd(this.#at, true)
    this.#push({ kind: 'filter', name, text: this.#text.slice(this.#at, end) }, end - this.#at)
  }

  /**
   * Where a run without blanks ends. A parenthesis belongs to it when its partner does: `foo(bar)` is a run, while the
   * last one of `(title:foo)` is not part of it.
   */
  #runEnd(start: number, isValue = false): number {
    const open: number[] = []
    let at = start
    for (; at < this.#text.length && !/\s/.test(this.#text[at]!); at++) {
      if (this.#text[at] === '(') open.push(at)
      else if (this.#text[at] === ')' && open.pop() === undefined) break
    }
    return isValue ? at : (open[0] ?? at)
  }

  #run(run: string): void {
    const text = run.replace(tail, '')
    const operator = operators.get(text)
    if (operator !== undefined && this.#isInCapitals) this.#leaf('word', text.toLowerCase())
    else if (operator !== undefined) {
      if (text === run) this.tokens.push({ kind: operator })
      else this.#leaf('phrase', text)
    } else if (text.includes('*')) {
      this.#misplacedStar()
      this.#leaf('phrase', phraseText(text.replaceAll('*', ' ')))
    } else if (run.includes('*', text.length)) this.#prefix(text)
    else this.#leaf('word', text)
  }

  #prefix(text: string): void {
    const letters = /[\p{L}\p{M}\p{N}]*$/u.exec(text)![0]
    if (Array.from(letters).length >= MIN_PREFIX) return this.#leaf('prefix', text)
    this.#leaf('word', text)
    if (!LETTER.test(text)) return
    this.#problem(
      'prefix-too-short',
      `${quoted(`${text}*`)} was searched as a whole word: a * needs at least ${MIN_PREFIX} letters before it.`,
    )
  }

  /** An address that was pasted looks for the page that has it, and those whose addresses go on from there. */
  #address(address: string): void {
    this.tokens.push({ kind: 'zone', zone: 'url' })
    this.#leaf('phrase', phraseText(address))
  }

  #leaf(kind: QueryLeaf['kind'], text: string): void {
    if (LETTER.test(text)) this.tokens.push({ kind: 'leaf', leaf: { kind, text } })
    else this.#flush()
  }
}

/** Paragraphs in nothing but capitals, where OR and NOT are words like any other. */
function isLongInCapitals(text: string): boolean {
  if (/\p{Ll}/u.test(text)) return false
  const capitals = text.split(/\s+/u).filter((run) => /\p{Lu}/u.test(run) && !operators.has(run))
  return capitals.length > MAX_QUERY_WORDS
}

function phraseText(text: string): string {
  return text.replaceAll(new RegExp(`[${QUOTES}\\s]+`, 'gu'), ' ').trim()
}

/** A piece of the query in a sentence. */
export function quoted(text: string): string {
  return `"${text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text}"`
}
