/**
 * Letter classes: what a character is to a language, as a small number. 0 is the edge of a word; then come the letters, upper
 * case as lower; the last is a letter that is foreign to it. To a language of another script a to z are one letter.
 */
import type { Language } from './languages.ts'

export const EDGE = 0

const ASCII_LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function letterClasses({ letters, isLatin }: Language): ReadonlyMap<string, number> {
  const first = isLatin ? ASCII_LETTERS.length : 1
  return new Map([
    ...Array.from(ASCII_LETTERS, (letter, place) => [letter, isLatin ? place + 1 : 1] as const),
    ...Array.from(letters, (letter, place) => [letter, first + place + 1] as const),
  ])
}

/** How many classes there are, with the edge and the foreign letter. */
export const classCount = ({ letters, isLatin }: Language): number =>
  Array.from(letters).length + (isLatin ? ASCII_LETTERS.length : 1) + 2

const LETTER = /^[\p{L}\p{M}]$/u

/** Of any character, in lower case. */
export function classOf(character: string, classes: ReadonlyMap<string, number>, foreign: number): number {
  return classes.get(character) ?? (LETTER.test(character) ? foreign : EDGE)
}
