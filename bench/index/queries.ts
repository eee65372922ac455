/**
 * A thousand queries made of a set of documents, always the same for the same seed: single words of all frequencies,
 * words of one page, words side by side, and words of titles and headings, a quarter each.
 *
 * Only plain words are asked for, a to z, and only those that the peers' tokenizers find in the same pages.
 * `java.util.List` is one word by Unicode's rules (UAX #29, Lucene) and three to FTS5; so a word counts only if each
 * page that has it within such a compound has it standing alone too. Numbers of matches can then be compared; only ours
 * differ where a stemmer took other forms of the word for the same.
 */
import type { IndexDocument } from '../../packages/index/src/document.ts'
import { createRandom } from '../../packages/testbed/src/seeded-random.ts'
import type { Random } from '../../packages/testbed/src/seeded-random.ts'
import { plainText } from './documents.ts'

export const SEED = 4

/** Words with what may join them: the marks of WB6 and WB7 in UAX #29, and the low line of WB13a. */
const COMPOUND = /[\p{L}\p{N}\p{M}_]+(?:[.:'·‧․﹒’‘＇：．][\p{L}\p{N}\p{M}_]+)*/gu
/** What is a word of its own to at least one of them: Lucene parts `apt` from signs of scripts without spaces, FTS5 does not. */
const PART = /[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]+/gv
const PLAIN = /^[a-z]{2,20}$/
/** Tries for one query before the set is taken to have no more of its kind. */
const TRIES = 500

/** What queries are made from. */
interface Ground {
  readonly documents: readonly IndexDocument[]
  readonly askable: ReadonlySet<string>
  /** Words in a tenth of the pages or more; in a hundredth or more; the rest, which is in two pages at least. */
  readonly bands: readonly (readonly string[])[]
}

type Draw = (ground: Ground, random: Random) => readonly string[]

const KINDS: readonly Draw[] = [
  ({ bands }, random) => [random.pick(random.pick(bands))],
  (ground, random) => random.shuffle([...new Set(askableOf(ground, textOfAny(ground, random)))]),
  (ground, random) => {
    const words = compoundsOf(textOfAny(ground, random))
    const start = random.int(words.length)
    return words.slice(start, start + 4)
  },
  (ground, random) => {
    const { title, headings } = random.pick(ground.documents)
    return askableOf(ground, random.pick([title, ...headings]))
  },
]

/** Each query is one to four different words. There are fewer than `count` only if the documents have not enough. */
export function makeQueries(documents: readonly IndexDocument[], count: number, seed: number = SEED): string[][] {
  const ground = groundOf(documents)
  const random = createRandom(seed)
  const queries = new Map<string, string[]>()
  for (const [place, draw] of KINDS.entries()) {
    const wanted = Math.round((count * (place + 1)) / KINDS.length)
    for (let tries = 0; queries.size < wanted && tries < TRIES * wanted; tries++) {
      const words = draw(ground, random).slice(0, place === 0 ? 1 : random.between(2, 4))
      const isFit = words.length > 0 && new Set(words).size === words.length
      if (isFit && words.every((word) => ground.askable.has(word))) queries.set(words.join(' '), [...words])
    }
  }
  return [...queries.values()]
}

const textOfAny = ({ documents }: Ground, random: Random): string => plainText(random.pick(documents))

const compoundsOf = (text: string): string[] => text.toLowerCase().match(COMPOUND) ?? []

const askableOf = ({ askable }: Ground, text: string): string[] => compoundsOf(text).filter((word) => askable.has(word))

function groundOf(documents: readonly IndexDocument[]): Ground {
  const frequencies = frequenciesOf(documents)
  const bands: [string[], string[], string[]] = [[], [], []]
  for (const [word, { alone, anyhow }] of frequencies) {
    if (alone < 2 || alone !== anyhow) continue
    bands[alone >= documents.length / 10 ? 0 : alone >= documents.length / 100 ? 1 : 2].push(word)
  }
  return { documents, askable: new Set(bands.flat()), bands: bands.filter((band) => band.length > 0) }
}

/** In how many pages a word stands alone, and in how many alone or in a compound. */
interface Frequency {
  alone: number
  anyhow: number
}

function frequenciesOf(documents: readonly IndexDocument[]): Map<string, Frequency> {
  const frequencies = new Map<string, Frequency>()
  for (const document of documents) {
    const compounds = new Set(compoundsOf(plainText(document)))
    const parts = new Set(Array.from(compounds, (compound) => compound.match(PART) ?? []).flat())
    for (const word of parts) {
      if (!PLAIN.test(word)) continue
      const frequency = frequencies.get(word) ?? { alone: 0, anyhow: 0 }
      frequency.anyhow += 1
      if (compounds.has(word)) frequency.alone += 1
      frequencies.set(word, frequency)
    }
  }
  return frequencies
}
