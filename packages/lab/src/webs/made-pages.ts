/**
 * Made pages: a site's pages with their bytes, and edits of them, for what depends on content: packing, differences, dumps.
 * A page is a frame that all pages of the site share and paragraphs of common words, the frequent ones more often, as in
 * texts that people write. Such pages pack to about a third, as real ones do.
 */
import type { Instant } from '@comity/protocol'
import { madeSite } from './made-site.ts'
import { commonWords, generatedTopics } from './generated/vocabulary.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface MadePage {
  readonly path: string
  readonly body: Buffer
  readonly modifiedAt: Instant
}

interface MadePagesPlan {
  readonly pages: number
  readonly meanBytes: number
  readonly seed: number
  /** All of them are of the mean size, so that which of them changes makes no difference. */
  readonly isEven?: boolean | undefined
}

/** As 002 §6.5.3 implies. */
const URL_CHARS = 64

export function madePages({ pages, meanBytes, seed, isEven = false }: MadePagesPlan): readonly MadePage[] {
  const site = madeSite({ pages, seed, meanBytes, urlChars: URL_CHARS })
  const { origin } = new URL(site.base)
  return site.pages.map(({ url, bytes, modifiedAt }, page) => ({
    path: url.slice(origin.length),
    body: madeBody(isEven ? meanBytes : bytes, createRandom(seedOf(seed, 'body', page)), page),
    modifiedAt,
  }))
}

const VOCABULARY: readonly string[] = [...commonWords, ...generatedTopics.flatMap(({ words }) => words)]
/** Of the place of a word in the vocabulary: the nearer to its beginning, the more often. */
const SKEW = 2.5

const wordOf = (random: Random): string => VOCABULARY[Math.floor(random.next() ** SKEW * VOCABULARY.length)]!

const FRAME_HEAD = '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>'
const FRAME_MIDDLE = `</title><link rel="stylesheet" href="/site.css"></head><body>
<nav><a href="/">Home</a> <a href="/about/">About</a> <a href="/archive/">Archive</a> <a href="/contact/">Contact</a></nav>
<main>
`
const FRAME_FOOT = '</main><footer>All rights reserved.</footer></body></html>\n'
const FRAME_BYTES = FRAME_HEAD.length + FRAME_MIDDLE.length + FRAME_FOOT.length

/** Of about so many bytes; no page is shorter than its frame. */
export function madeBody(bytes: number, random: Random, number = 0): Buffer {
  let text = `${FRAME_HEAD}${wordOf(random)} ${number}${FRAME_MIDDLE}`
  const end = Math.max(0, bytes - FRAME_BYTES) + text.length
  while (text.length < end) text += `<p>${wordsOf(random, Math.min(end - text.length, PARAGRAPH_CHARS))}</p>\n`
  return Buffer.from(text + FRAME_FOOT)
}

const PARAGRAPH_CHARS = 400

function wordsOf(random: Random, chars: number): string {
  let text = wordOf(random)
  while (text.length < chars) text += ` ${wordOf(random)}`
  return text
}

/** `place`: one stretch of the page is written anew. `scattered`: as much of it, word by word all over the page. */
export type EditManner = 'place' | 'scattered'

/** The page with a share of its words replaced by others; one that has no words gets a note at its end. */
export function editedBody(body: Uint8Array, share: number, manner: EditManner, random: Random): Buffer {
  const parts = Buffer.from(body)
    .toString('utf8')
    .split(/(?<=[ >\n])/)
  const words = parts.flatMap((part, at) => (/^[a-z]+ ?$/.test(part) ? [at] : []))
  if (words.length === 0) return Buffer.concat([body, Buffer.from(`\n<!-- ${wordOf(random)} ${random.int(1e9)} -->\n`)])
  const count = Math.min(words.length, Math.max(1, Math.round(share * words.length)))
  const begin = random.int(words.length - count + 1)
  const chosen = manner === 'place' ? words.slice(begin, begin + count) : random.shuffle(words).slice(0, count)
  for (const at of chosen) parts[at] = `${otherWord(random, parts[at]!.trimEnd())} `
  return Buffer.from(parts.join(''))
}

function otherWord(random: Random, word: string): string {
  const other = wordOf(random)
  return other === word ? VOCABULARY[(VOCABULARY.indexOf(word) + 1) % VOCABULARY.length]! : other
}
