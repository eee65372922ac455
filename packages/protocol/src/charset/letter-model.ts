/**
 * Letter model: what it costs, in bits, that one class of letters follows another in a language, and what a character of
 * Chinese, Japanese or Korean costs. Unpacked when it is first asked for, which most readers of pages never do.
 */
import { brotliDecompressSync } from 'node:zlib'
import { languages, wideLanguages } from './languages.ts'
import type { Language, WideLanguage } from './languages.ts'
import { classCount } from './letter-classes.ts'
import { packedCosts, wideCosts } from './letter-costs.ts'

export interface LetterModel {
  readonly language: Language
  /** As many classes. */
  readonly size: number
  /** By class before and class now, row by row. */
  readonly costs: Uint8Array
}

let models: readonly LetterModel[] | undefined

export function letterModels(): readonly LetterModel[] {
  if (models !== undefined) return models
  const cells = brotliDecompressSync(Buffer.from(packedCosts, 'base64'))
  let at = 0
  models = languages.map((language) => {
    const size = classCount(language)
    const costs = cells.subarray(at, at + size * size)
    at += size * size
    return { language, size, costs }
  })
  if (at !== cells.length) throw new Error('the letter costs are of other languages: run the training')
  return models
}

/** By code point. */
export function wideModel(language: WideLanguage): ReadonlyMap<number, number> {
  const groups = wideCosts[wideLanguages.indexOf(language)]!.split(' ')
  return new Map(
    groups.flatMap((group) => {
      const [, bits = '', characters = ''] = /^(\d+)(.*)$/u.exec(group) ?? []
      return Array.from(characters, (character) => [character.codePointAt(0)!, Number(bits)] as const)
    }),
  )
}
