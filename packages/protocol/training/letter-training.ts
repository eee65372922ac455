/**
 * How `src/charset/letter-costs.ts` was made, from lists of words with how often each was met:
 *
 *   node packages/protocol/training/letter-training.ts FOLDER > packages/protocol/src/charset/letter-costs.ts
 *
 * FOLDER is `content/2018` of https://github.com/hermitdave/FrequencyWords at 525f9b5: words of the subtitles in
 * OpenSubtitles 2018 (Lison and Tiedemann 2016), 50,000 of each language. Only how often one letter follows another in them,
 * and how often a character is met, is taken from there.
 *
 * A cost is the information of an event in bits, rounded: what is met once in eight times costs 3.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { languages, wideLanguages } from '../src/charset/languages.ts'
import type { Language, WideLanguage } from '../src/charset/languages.ts'
import { classCount, classOf, EDGE, letterClasses } from '../src/charset/letter-classes.ts'

/** Lists by language, where they are called otherwise. */
const lists: ReadonlyMap<string, readonly string[]> = new Map([
  ['pt', ['pt', 'pt_br']],
  ['hr', ['hr', 'bs']],
  ['zh-Hans', ['zh_cn']],
  ['zh-Hant', ['zh_tw']],
])

/** People say in films the same few words over and over; pages say others as well. */
const DAMPING = 0.75
/** Only words with other letters than a to z are looked at closely, so these tell less. */
const ASCII_WORD = 0.1
const LATIN_WORD_ELSEWHERE = 0.03
const MOST_BITS = 15
/** From a foreign letter back into the language: it costs no more, as getting there has. */
const BACK_BITS = 6
/** Of twenty-six letters one, and what it takes to change the script between words and within one. */
const LATIN_BITS = { letter: 5, word: 7, end: 3, join: 11 }

type Words = readonly (readonly [word: string, weight: number])[]

function wordsOf(folder: string, name: string): Words {
  return (lists.get(name) ?? [name]).flatMap((list) => {
    const path = ['50k', 'full'].map((size) => join(folder, list, `${list}_${size}.txt`)).find((one) => existsSync(one))
    if (path === undefined) throw new Error(`${folder} has no list of ${list}`)
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [word = '', count = ''] = line.split(' ')
        return count === '' ? [] : [[asWritten(word.toLowerCase().normalize('NFC'), name), Number(count)] as const]
      })
  })
}

/** As it was spelt in charsets that had no better, or in the other alphabet of the language. */
function asWritten(word: string, name: string): string {
  if (name === 'ro') return word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ')
  if (name === 'fa') return word.replaceAll('ی', 'ي').replaceAll('ک', 'ک')
  if (name === 'sr') return inCyrillic(word)
  if (name === 'vi') return inPieces(word)
  // The list has words that were once read in a wrong charset.
  return name === 'th' && /^(?:เธ|เน)+$|[^ก-๛]/u.test(word) ? '' : word
}

const pairsOfSerbian: readonly (readonly [string, string])[] = [
  ['lj', 'љ'],
  ['nj', 'њ'],
  ['dž', 'џ'],
]
const serbian = new Map(
  Array.from('abvgdđežzijklmnoprstćufhcčš', (letter, place) => [
    letter,
    Array.from('абвгдђежзијклмнопрстћуфхцчш')[place]!,
  ]),
)

function inCyrillic(word: string): string {
  const paired = pairsOfSerbian.reduce((text, [latin, cyrillic]) => text.replaceAll(latin, cyrillic), word)
  return Array.from(paired, (letter) => serbian.get(letter) ?? letter).join('')
}

/** windows-1258 writes most marks of tone behind their vowel. */
function inPieces(word: string): string {
  const whole = new Set(languages.find(({ name }) => name === 'vi')!.letters)
  return Array.from(word, (letter) => {
    if (whole.has(letter)) return letter
    const marks = letter.normalize('NFD').replaceAll(/[^\u0300\u0301\u0303\u0309\u0323]/gu, '')
    return (
      letter
        .normalize('NFD')
        .replaceAll(/[\u0300\u0301\u0303\u0309\u0323]/gu, '')
        .normalize('NFC') + marks
    )
  }).join('')
}

/** How often each class comes behind each. */
function countPairs(language: Language, words: Words): number[][] {
  const size = classCount(language)
  const classes = letterClasses(language)
  const counts = Array.from({ length: size }, () => Array.from({ length: size }, () => 0))
  for (const [word, count] of words) {
    if (word === '' || /\d/u.test(word)) continue
    const own = Array.from(word).some((letter) => letter > '\x7f' && classes.has(letter))
    const weight = count ** DAMPING * (own ? 1 : language.isLatin ? ASCII_WORD : LATIN_WORD_ELSEWHERE)
    let before = EDGE
    for (const letter of Array.from(`${word} `)) {
      const now = classOf(letter, classes, size - 1)
      counts[before]![now]! += weight
      before = now
    }
  }
  return counts
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

function costsOf(language: Language, counts: readonly (readonly number[])[]): number[][] {
  const size = counts.length
  const columns = counts.map((_, place) => sumOf(counts.map((row) => row[place]!)))
  const all = sumOf(columns)
  const costs = counts.map((row) => {
    const sum = sumOf(row)
    // What never came may come some day: as often as the letter does elsewhere, or any.
    const unseen = Math.max(sum * 0.01, all * 1e-7)
    return row.map((count, now) => {
      const share = (count + unseen * (columns[now]! / all + 1 / size) * 0.5) / (sum + unseen)
      return Math.min(MOST_BITS, -Math.log2(share))
    })
  })
  settleForeign(costs)
  if (!language.isLatin) settleLatin(costs)
  costs[EDGE]![EDGE] = 0
  return costs
}

function settleForeign(costs: number[][]): void {
  const foreign = costs.length - 1
  for (const [before, row] of costs.entries()) {
    row[foreign] = MOST_BITS
    if (before === foreign) for (let now = 0; now < foreign; now++) row[now] = Math.min(row[now]!, BACK_BITS)
  }
}

function settleLatin(costs: number[][]): void {
  const [latin, { letter, word, end, join: both }] = [1, LATIN_BITS]
  for (const [before, row] of costs.entries()) if (before > latin) row[latin] = MOST_BITS
  for (let now = latin + 1; now < costs.length; now++) costs[latin]![now] = Math.max(costs[latin]![now]!, both)
  costs[latin]![latin] = letter
  costs[latin]![EDGE] = end
  costs[EDGE]![latin] = Math.max(costs[EDGE]![latin]!, word)
}

const HAN = /^\p{Script=Han}$/u
const scripts: Readonly<Record<WideLanguage, RegExp>> = {
  ja: HAN,
  'zh-Hans': HAN,
  'zh-Hant': HAN,
  ko: /^\p{Script=Hangul}$/u,
}
const WIDE_CHARACTERS = 300
/** Less than that of all 600 commonest: titles have other characters than talk. */
const WIDE_DAMPING = 0.85

/** `4的 5我你`: each number of bits, and what costs so much. */
function wideCosts(name: WideLanguage, words: Words): string {
  const counts = new Map<string, number>()
  for (const [word, count] of words)
    for (const character of word)
      if (scripts[name].test(character)) counts.set(character, (counts.get(character) ?? 0) + count)
  const ranked = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, WIDE_CHARACTERS * 2)
  const damped = ranked.map(([character, count]) => [character, count ** WIDE_DAMPING] as const)
  const all = sumOf(damped.map(([, weight]) => weight))
  const groups = Map.groupBy(damped.slice(0, WIDE_CHARACTERS), ([, weight]) => Math.round(-Math.log2(weight / all)))
  return [...groups].map(([bits, group]) => bits + group.map(([character]) => character).join('')).join(' ')
}

function inLines(text: string, indent: string, width: number): string {
  return text.replaceAll(new RegExp(`.{1,${width}}`, 'gu'), (line) => `${indent}${line}\n`)
}

function main(folder: string): void {
  const cells = languages.flatMap((language) =>
    costsOf(language, countPairs(language, wordsOf(folder, language.name)))
      .flat()
      .map(Math.round),
  )
  const packed = brotliCompressSync(Uint8Array.from(cells)).toString('base64')
  const wide = wideLanguages.map((name) => [name, wideCosts(name, wordsOf(folder, name))] as const)
  const lines = [
    '/** Letter costs, made by `training/letter-training.ts`, which says what of. Read by `letter-model.ts` when first asked for. */',
    '',
    '/** A byte for each pair of classes of each of the `languages`, row by row, in the form of Brotli and base64. */',
    'export const packedCosts = `',
    `${inLines(packed, '', 120)}\``,
    '',
    '/** The commonest characters behind the bits that each costs. */',
    '// oxfmt-ignore',
    'export const wideCosts: readonly string[] = [',
    ...wide.flatMap(([name, costs]) => [
      `  // ${name}`,
      `  '${inLines(costs, '', 90).trim().replaceAll('\n', "' +\n    '")}',`,
    ]),
    ']',
  ]
  console.log(lines.join('\n'))
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder of lists')
main(folder)
