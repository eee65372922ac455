/**
 * Location: the importance IL(P) of 003 §2, read from a URL alone: how it ends, words in it, how many slashes it has.
 *
 *   parseLocationRules('ending .edu 2, word home 1, slash -0.5')
 */
import { hostOf } from '@comity/protocol'

export interface LocationRules {
  /** What the host or the path ends with, and what that is worth. */
  readonly endings: readonly (readonly [ending: string, worth: number])[]
  /** What stands anywhere in the URL, and what that is worth. */
  readonly words: readonly (readonly [word: string, worth: number])[]
  /** Worth of each slash in the path, usually below 0. */
  readonly slash: number
}

/** The paper's own examples: `.com`, `home`, and fewer slashes. */
export const locationRules: LocationRules = { endings: [['.com', 1]], words: [['home', 1]], slash: -1 }

const MAX_RULES = 1_000

/** Rules as a user writes them; a sentence that says what is wrong when they make no sense. */
export function parseLocationRules(text: string): LocationRules | string {
  const rules = { endings: [] as [string, number][], words: [] as [string, number][], slash: 0 }
  const parts = text.split(',').map((part) => part.trim().split(/\s+/))
  if (parts.length > MAX_RULES) return `more than ${MAX_RULES} rules`
  for (const part of parts) {
    const worth = Number(part.at(-1))
    const [kind, what] = part
    if (!Number.isFinite(worth)) return `"${part.join(' ')}" does not end with a number`
    if (kind === 'slash' && part.length === 2) rules.slash = worth
    else if (kind === 'ending' && part.length === 3) rules.endings.push([what!.toLowerCase(), worth])
    else if (kind === 'word' && part.length === 3) rules.words.push([what!.toLowerCase(), worth])
    else return `"${part.join(' ')}" is none of: ending TEXT NUMBER, word TEXT NUMBER, slash NUMBER`
  }
  return rules
}

/** IL(P): higher is more important. */
export function locationScore(url: string, { endings, words, slash }: LocationRules): number {
  const text = url.toLowerCase()
  const host = hostOf(text)
  const path = text
    .slice(text.indexOf(host) + host.length)
    .replace(/^:\d+/, '')
    .replace(/\?.*$/s, '')
  let score = slash * (path.split('/').length - 1)
  for (const [ending, worth] of endings) if (host.endsWith(ending) || path.endsWith(ending)) score += worth
  for (const [word, worth] of words) if (text.includes(word)) score += worth
  return score
}
