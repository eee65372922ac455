/**
 * Folding: what two spellings of a word have in common. It has two halves, with the stemmer between them, because
 * stemmers know the accents of their language and readers often leave them out:
 *
 *   surface ──foldWord──▶ compatible forms (NFKC), lower case ──stem──▶ ──plainTerm──▶ letters without accents
 *
 * Both are idempotent, and so is a term under both. Case folding is Unicode's full one (ß is ss, ς is σ, ſ is s) but
 * for Turkish, whose dotless ı is the small form of I. Accents go where readers do without: from Latin and Greek
 * letters, from Hebrew and Arabic the points, from Russian stress and ё. They stay where they make another letter (й)
 * or a syllable (Devanagari, Thai).
 */
import { tableOf } from '@comity/protocol'
import { LetterMap } from './letter-map.ts'

/** UTF-16 units of a word that count. Longer ones are data, but cut alike in page and query they are still found. */
export const MAX_TERM_UNITS = 64

const PLAIN = /^[a-z0-9]*$/
const ASCII = /^[ -~]*$/
// Signs that words may hold but terms do not, and what NFKC may bring in, such as the spaces in U+FDFA.
const NOT_IN_TERMS = /[^\p{L}\p{N}\p{M}+#./]+|(?<!\p{N})\.|\.(?!\p{N})/gu

/** What a stemmer sees of a word as it was written. */
export function foldWord(surface: string, language = 'und'): string {
  const isTurkic = language === 'tr' || language === 'az'
  if (!isTurkic && ASCII.test(surface)) return surface.toLowerCase()
  const isShort = surface.length <= MAX_TERM_UNITS
  return (isTurkic || !isShort ? undefined : folds.apply(surface)) ?? foldWhole(surface, isTurkic)
}

const folds = new LetterMap((letter) => foldWhole(letter, false))

function foldWhole(surface: string, isTurkic: boolean): string {
  const word = cutTo(surface, MAX_TERM_UNITS).toWellFormed().normalize('NFKC')
  const lower = isTurkic ? word.toLocaleLowerCase('tr') : word.toLowerCase()
  return lower
    .replaceAll(/[ςßẞ’\p{Cf}]|\u0307/gu, (character, at) => FOLDED.get(character) ?? foldedMark(lower, at, character))
    .normalize('NFKC')
}

const FOLDED: ReadonlyMap<string, string> = tableOf({ ς: 'σ', ß: 'ss', ẞ: 'ss', '’': "'" })

/** The dot that the small form of İ brings along goes, as i has one already; invisible characters go, too. */
function foldedMark(lower: string, at: number, character: string): string {
  return character === '\u0307' && lower[at - 1] !== 'i' ? character : ''
}

/** A term from a folded or stemmed word; '' when nothing of it is left. */
export function plainTerm(word: string): string {
  if (PLAIN.test(word)) return word.length > MAX_TERM_UNITS ? word.slice(0, MAX_TERM_UNITS) : word
  // Of ASCII only signs go, and numbers such as 3.14 are many.
  const term = ASCII.test(word) ? word.replaceAll(NOT_IN_TERMS, '') : (plainLetters.apply(word) ?? plainWhole(word))
  return cutTo(term, MAX_TERM_UNITS)
}

const plainLetters = new LetterMap(plainWhole)

function plainWhole(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll('\u2044', '/')
    .replaceAll(NOT_IN_TERMS, '')
    .replaceAll(/[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu, '')
    .replaceAll(/([\p{sc=Latin}\p{sc=Greek}\p{N}])\p{Mn}+/gu, '$1')
    .replaceAll(/(е)[\u0300\u0301\u0308]+|([аиоуыэюяіє])[\u0300\u0301]+/gu, '$1$2')
    .replaceAll(/[øđðłæœþıħŧ]/gu, (letter) => UNDECOMPOSED.get(letter)!)
    .normalize('NFC')
}

/** Latin letters with a stroke or tied together, which Unicode does not take apart. */
const UNDECOMPOSED: ReadonlyMap<string, string> = tableOf({
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
})

/** The first `units` of a text, without half a character at the end. */
export function cutTo(text: string, units: number): string {
  if (text.length <= units) return text
  const isPair = text.codePointAt(units - 1)! > 0xffff
  return text.slice(0, isPair ? units - 1 : units)
}
