/**
 * Hints file: what an operator knows better than the words of the pages do, line by line.
 *
 *     # words that mean the same: whoever asks for one is answered with the others, too
 *     car, automobile, motor car
 *     # in one direction
 *     pg => postgres, postgresql
 *     # pages that come first when nothing else is asked
 *     vacuum, vacuuming => https://example.org/docs/vacuum https://example.org/docs/autovacuum
 *
 * A line that is none of these is left out by its number and the reason; so is what would be too much.
 */
import { canonicalUrl } from '@comity/protocol'
import { MAX_SYNONYM_WORDS, wordsKey } from '@comity/index'
import type { SynonymRule } from '@comity/index'

export interface HintsRead {
  readonly rules: readonly SynonymRule[]
  /** Addresses, by the question as `wordsKey` writes it. */
  readonly pinned: ReadonlyMap<string, readonly string[]>
  readonly lines: number
  /** Of bad lines so many are named as help. */
  readonly problems: readonly string[]
  readonly badLines: number
}

export const hintLimits = {
  maxChars: 4_000_000,
  maxLines: 10_000,
  maxNamed: 20,
  /** Words or addresses of one line. */
  maxItems: 16,
  maxWordChars: 200,
}

type Line =
  | { readonly rules: readonly SynonymRule[] }
  | { readonly pins: readonly (readonly [string, readonly string[]])[] }

export function readHints(text: string): HintsRead {
  const rules: SynonymRule[] = []
  const pinned = new Map<string, readonly string[]>()
  const problems: string[] = []
  let [badLines, lines] = [0, 0]
  const bad = (number: number, why: string): void => {
    if (++badLines <= hintLimits.maxNamed) problems.push(`line ${number} ${why}`)
  }
  const all = text
    .slice(0, hintLimits.maxChars)
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
  if (text.length > hintLimits.maxChars)
    bad(all.length, `and what follows is left out: ${hintLimits.maxChars} characters are read`)
  for (const [i, raw] of all.entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    if (++lines > hintLimits.maxLines) {
      bad(i + 1, `and what follows is left out: ${hintLimits.maxLines} lines are read`)
      break
    }
    const read = readLine(line)
    if (typeof read === 'string') bad(i + 1, read)
    else if ('rules' in read) rules.push(...read.rules)
    else
      for (const [question, urls] of read.pins)
        pinned.set(question, [...new Set([...(pinned.get(question) ?? []), ...urls])].slice(0, hintLimits.maxItems))
  }
  return { rules, pinned, lines, problems, badLines }
}

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

/** What it says, or what is wrong with it. */
function readLine(line: string): Line | string {
  const [left = '', right, more] = line.split('=>')
  if (more !== undefined) return 'has two arrows: write one rule a line'
  const words = itemsOf(left)
  if (typeof words === 'string') return words
  if (right === undefined) {
    if (words.length < 2)
      return 'has one word alone: write others beside it, behind commas, or => and what it stands for'
    return { rules: words.map((one) => ({ words: one, others: words.filter((other) => other !== one) })) }
  }
  const targets = right
    .trim()
    .split(/[\s,]+/)
    .filter((one) => one !== '')
  if (targets.some(isAddress))
    return targets.every(isAddress)
      ? pinsOf(words, targets)
      : 'has both words and addresses behind the arrow: write two lines'
  const others = itemsOf(right)
  if (typeof others === 'string') return others
  return { rules: words.map((one) => ({ words: one, others })) }
}

function itemsOf(text: string): string[] | string {
  const written = text.split(',').map((one) => one.trim().replaceAll(/\s+/g, ' '))
  const items = [...new Set(written)].filter((one) => one !== '')
  if (items.length === 0) return 'has nothing before or behind the arrow'
  if (items.length > hintLimits.maxItems) return `has more than ${hintLimits.maxItems} words`
  for (const item of items) {
    const key = wordsKey(item.slice(0, hintLimits.maxWordChars))
    const shown = JSON.stringify(item.slice(0, 40).toWellFormed())
    if (key === '') return `has ${shown}, which is no word`
    if (item.length > hintLimits.maxWordChars || key.split(' ').length > MAX_SYNONYM_WORDS)
      return `has ${shown}, which is longer than ${MAX_SYNONYM_WORDS} words or ${hintLimits.maxWordChars} characters`
    if (/["()*:]/.test(item)) return `has ${shown}: words alone, without quotation marks, parentheses, stars and colons`
  }
  return items
}

function pinsOf(words: readonly string[], targets: readonly string[]): Line | string {
  if (targets.length > hintLimits.maxItems) return `has more than ${hintLimits.maxItems} addresses`
  const wrong = targets.find((one) => canonicalUrl(one) === undefined)
  if (wrong !== undefined)
    return `has ${JSON.stringify(wrong.slice(0, 80).toWellFormed())}, which is no address of a page`
  return { pins: words.map((one) => [wordsKey(one), targets] as const) }
}
