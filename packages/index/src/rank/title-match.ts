/**
 * Title match: whether a page is called what is asked for, so that whoever types the name of a page gets that page first. Sites put
 * their own name before or behind a page's (`PostgreSQL: Documentation: VACUUM`, `Routine Vacuuming | The manual`), so the first and the
 * last part of a title are names, too.
 */
import { foldWord } from '../text/term-fold.ts'
import { eachWord } from '../text/words.ts'

/** The words of a question or title, as they are compared. */
export function titleWords(text: string): readonly string[] {
  const words: string[] = []
  eachWord(text, (start, end) => void words.push(foldWord(text.slice(start, end))))
  return words
}

/** 2 for the whole title, 1 for its first or last part, 0 for neither. */
export function titleMatch(asked: readonly string[], title: string): 0 | 1 | 2 {
  if (asked.length === 0 || title.length > MAX_TITLE) return 0
  if (isSame(asked, titleWords(title))) return 2
  const parts = title.split(SEPARATOR)
  return parts.length > 1 && [parts[0]!, parts.at(-1)!].some((part) => isSame(asked, titleWords(part))) ? 1 : 0
}

const MAX_TITLE = 300
/** A dash in a word (`e-mail`) is none. */
const SEPARATOR = /\s[-–—|·•»«:]+\s|[|»«·•]|::?\s/

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, i) => word === b[i])
