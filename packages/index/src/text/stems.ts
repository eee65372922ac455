/**
 * Stems: what the forms of a word have in common, by language. The stemmers are Snowball's (Porter,
 * https://snowballstem.org): our own for English, and else those of two libraries, @orama/stemmers, which agrees with
 * Snowball's own C program on every word of a manual in each language tried, except for English; and snowball-stemmers,
 * slower, for some languages the other lacks.
 *
 * Left out on purpose: the Bulgarian stemmer of @orama throws for one word in ten, and its Ukrainian one remembers the
 * word before, where a term must depend on its word alone.
 */
import { createRequire } from 'node:module'
import { englishStem } from './stems-english.ts'

type Stemmer = (word: string) => string

interface LibraryStemmer {
  readonly library: '@orama/stemmers' | 'snowball-stemmers'
  readonly name: string
}
type StemmerSource = LibraryStemmer | Stemmer

const orama = (name: string): LibraryStemmer => ({ library: '@orama/stemmers', name })
const snowball = (name: string): LibraryStemmer => ({ library: 'snowball-stemmers', name })

/** By primary subtag (BCP 47), in the form `primaryLanguage` gives. */
export const STEMMERS: ReadonlyMap<string, StemmerSource> = new Map<string, StemmerSource>([
  ['ar', orama('arabic')],
  ['ca', snowball('catalan')],
  ['cs', snowball('czech')],
  ['da', orama('danish')],
  ['de', orama('german')],
  ['el', orama('greek')],
  ['en', englishStem],
  ['es', orama('spanish')],
  ['eu', snowball('basque')],
  ['fi', orama('finnish')],
  ['fr', orama('french')],
  ['ga', orama('irish')],
  ['hi', orama('indian')],
  ['hu', orama('hungarian')],
  ['hy', orama('armenian')],
  ['id', orama('indonesian')],
  ['it', orama('italian')],
  ['lt', orama('lithuanian')],
  ['ne', orama('nepali')],
  ['nl', orama('dutch')],
  ['no', orama('norwegian')],
  ['pt', orama('portuguese')],
  ['ro', orama('romanian')],
  ['ru', orama('russian')],
  ['sl', snowball('slovene')],
  ['sr', orama('serbian')],
  ['sv', orama('swedish')],
  ['ta', orama('tamil')],
  ['tr', orama('turkish')],
])

const loaded = new Map<string, Stemmer>()
// Indexing is synchronous and a page's language is known only when it comes, so stemmers are required, not imported.
const require = createRequire(import.meta.url)

/** The stemmer of a language, loaded when first asked for; undefined for a language that has none. */
export function stemmerOf(language: string): Stemmer | undefined {
  const known = loaded.get(language)
  if (known !== undefined) return known
  const source = STEMMERS.get(language)
  if (source === undefined) return undefined
  const stemmer = typeof source === 'function' ? source : load(source)
  const adapted = language === 'ro' ? romanian(stemmer) : stemmer
  loaded.set(language, adapted)
  return adapted
}

function load({ library, name }: LibraryStemmer): Stemmer {
  if (library === '@orama/stemmers') {
    return (require(`${library}/${name}`) as typeof import('@orama/stemmers/german')).stemmer
  }
  const stemmer = (require(library) as typeof import('snowball-stemmers')).newStemmer(name)
  return (word) => stemmer.stem(word)
}

/** Snowball's rules are written with a cedilla, where Romanian today has a comma below. */
function romanian(stemmer: Stemmer): Stemmer {
  return (word) => stemmer(word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ'))
}
