/**
 * Page language: what a page's words without an accent say of the language that it is in, and so of its charset. They count less
 * than the others, and do not decide alone: most pages have some English on them.
 */
import { letterModels } from './letter-model.ts'
import type { Language } from './languages.ts'
import { PLAIN_SIZE } from './text-sample.ts'
import type { TextSample } from './text-sample.ts'

const PLAIN_WEIGHT = 0.3
const MOST_PLAIN_BITS = 10
const MOST_MIXED_BITS = 10
const FEW = 4
const LONELY_BITS = 3

/** What each Latin language pays for words without an accent that another could say better. */
export function languageBits({ plain }: TextSample): ReadonlyMap<Language, number> {
  const met = [...plain.keys()].filter((place) => plain[place]! > 0)
  const latin = letterModels().filter(({ language }) => language.isLatin)
  const sums = latin.map(({ costs, size }) => {
    let sum = 0
    for (const place of met) {
      const now = place % PLAIN_SIZE
      sum += plain[place]! * costs[((place - now) / PLAIN_SIZE) * size + now]!
    }
    return sum
  })
  const least = Math.min(...sums)
  return new Map(
    latin.map(({ language }, place) => [language, Math.min(MOST_PLAIN_BITS, PLAIN_WEIGHT * (sums[place]! - least))]),
  )
}

/**
 * What a language in another script pays: one letter of it in a long Latin text is rather an accent that is read in a wrong way,
 * and hardly anything is written in one that has so few letters.
 */
export function mixedBits({ words, plainLetters }: TextSample): number {
  let others = 0
  for (let at = 0; at < words.length; at++) if (words[at]! >= 0x80) others++
  const share = Math.log2(1 + (plainLetters + words.length - others) / Math.max(1, others))
  return Math.min(MOST_MIXED_BITS, share) + LONELY_BITS * Math.max(0, FEW - others)
}
