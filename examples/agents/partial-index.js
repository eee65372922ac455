/**
 * Partial index: the words of each page at their places, so that the engine only merges (002 §6.4.2: "an extreme case of
 * using an agent could be when the Web server generates the (partial) inverted index and then sends it to the search
 * engine, which only needs to perform a merge").
 *
 * A record holds the page's words, each once, and the text as a line of numbers of words. The engine makes terms of the
 * words by its own rules (packages/index/src/ship/shipped-document.ts). Text is cut into words exactly as that engine cuts it,
 * which a test keeps true; Chinese, Thai and their like need dictionaries for that, so a page that holds any of their
 * letters is sent as text.
 */
export const manifest = {
  name: 'partial-index',
  version: '1.0.0',
  about: 'Sends the words and links of new and changed pages instead of the pages, and tells which pages are gone.',
  perPage: true,
  reads: ['pages'],
  emits: ['postings', 'meta'],
  caps: { cpuMs: 60_000, memoryBytes: 67_108_864 },
}

export function onPage(page, agent) {
  if (agent.previous(page) === page.digest) return
  agent.remember(page, page.digest)
  const content = agent.html(page) ?? plainText(page, agent)
  if (content !== null) agent.emit(posting(page, content))
}

export function onGone(url, agent) {
  agent.emit({ kind: 'meta', url, change: 'deleted' })
}

function plainText(page, agent) {
  const text = page.type === 'text/plain' ? agent.read(page) : null
  return text === null ? null : { title: '', lang: null, headings: [], text, links: [] }
}

export function posting({ url, type }, { title, lang, headings, text, links }) {
  const about = { kind: 'postings', url, type, title, lang, links: links.map((link) => [link.url, link.anchor]) }
  if (UNSPACED.test(text) || text.length > MOST_TEXT) return { ...about, text: text.slice(0, MOST_TEXT), headings }
  const words = new Words()
  const line = wordsOf(text).map((word) => words.numberOf(word))
  const inHeadings = [...new Set(wordsOf(headings.join('\n')).map((word) => words.numberOf(word)))]
  return { ...about, words: words.list, line, headings: inHeadings }
}

const MOST_TEXT = 2_000_000
/** Characters of a word that an index reads. */
const MOST_WORD = 64

/** Distinct words by number. */
class Words {
  list = []
  #numbers = new Map()

  numberOf(word) {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    this.#numbers.set(word, this.list.length)
    this.list.push(word)
    return this.list.length - 1
  }
}

const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

// Letters, digits and marks. Characters that are not seen stand inside a word, but end none.
const UNSEEN = String.raw`[\p{Cf}\u034f\ufe00-\ufe0f]`
const SEEN = String.raw`(?!${UNSEEN})[\p{L}\p{N}\p{M}]`
const RUN = `(?:[A-Za-z0-9]+|${SEEN}|${UNSEEN}+(?=${SEEN}))*`
const BEGIN = new RegExp(String.raw`[\p{L}\p{N}]${RUN}`, 'gu')
const GO_ON = new RegExp(RUN, 'uy')

/** The words of a text in a script that has spaces, as packages/index/src/text/words.ts finds them. */
export function wordsOf(text) {
  const words = []
  BEGIN.lastIndex = 0
  for (let found = BEGIN.exec(text); found !== null; found = BEGIN.exec(text)) {
    const start = found.index
    let end = BEGIN.lastIndex
    while (belongsInside(text, start, end)) {
      GO_ON.lastIndex = end + 1
      GO_ON.exec(text)
      end = GO_ON.lastIndex
    }
    end = withSigns(text, start, end)
    BEGIN.lastIndex = end
    words.push(cut(text.slice(start, end)))
  }
  return words
}

const LETTER = /^\p{L}/u
const DIGIT = /^\p{N}/u
const isLetterAt = (text, at) => LETTER.test(pointAt(text, at))
const isDigitAt = (text, at) => DIGIT.test(pointAt(text, at))

/** The character at a place; behind the text, ''. */
function pointAt(text, at) {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

/** Is the sign at `at` a part of the word that began at `start`? An apostrophe in don't, a point in 3.14, a comma in 1,000. */
function belongsInside(text, start, at) {
  switch (text[at]) {
    case "'":
    case '\u2019':
    case '\u00b7':
      return !isDigitAt(text, at - 1) && isLetterAt(text, at + 1) && !isElided(text, start, at)
    case '.':
      return isDigitAt(text, at - 1) && isDigitAt(text, at + 1)
    case ',':
      return isDigitAt(text, at - 1) && isDigitAt(text, at + 1) && isGrouped(text, start, at)
    default:
      return false
  }
}

const GROUPED = /\d{1,3}(?:,\d{3}){1,9}(?!\d)/y

function isGrouped(text, start, at) {
  GROUPED.lastIndex = start
  return at - start < 40 && GROUPED.test(text) && GROUPED.lastIndex > at
}

const ELIDED = new Set(
  'c d j l m n s t v qu un gl all coll dall dell nell sull agl dagl degl negl sugl jusqu lorsqu puisqu quoiqu'.split(
    ' ',
  ),
)

/** An article without its vowel is a word of its own: l'été. */
function isElided(text, start, at) {
  return at - start <= 6 && isLetterAt(text, at + 2) && ELIDED.has(text.slice(start, at).toLowerCase())
}

const WITH_PLUSES = new Set(['c', 'g', 'libc', 'stdc', 'libstdc', 'notepad'])

/** C++ and its kin, C# and its kin. */
function withSigns(text, start, end) {
  if (text[end] === '+' && text[end + 1] === '+' && end - start <= 7)
    return WITH_PLUSES.has(text.slice(start, end).toLowerCase()) ? end + 2 : end
  const isSharp = text[end] === '#' && end - start === 1 && isLetterAt(text, start)
  return isSharp && !isLetterAt(text, end + 1) && !isDigitAt(text, end + 1) ? end + 1 : end
}

/** Without half a character at the end. */
function cut(word) {
  if (word.length <= MOST_WORD) return word
  return word.slice(0, word.codePointAt(MOST_WORD - 1) > 0xffff ? MOST_WORD - 1 : MOST_WORD)
}
