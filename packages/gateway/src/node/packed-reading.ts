/**
 * Packed reading: what a thread says of a page, with as few objects as a message takes quickly: links in one text, and words as
 * numbers into the list of that thread, of which it tells what was not told before.
 */
import type { ShippedDocument, ShippedLine } from '@comity/index'
import type { PageReading, ReadPage } from './page-reading.ts'

type PackedDocument = Omit<ShippedDocument, 'content' | 'links'> & {
  readonly text: Uint32Array
  readonly headings: Uint32Array
  /** A line for each address and each anchor. */
  readonly links: string
}

export type PackedReading =
  | Exclude<PageReading, ReadPage>
  | (Omit<ReadPage, 'document'> & {
      readonly document: PackedDocument | { readonly error: unknown } | undefined
      /** From this number on: 0 for a list that begins anew. */
      readonly from: number
      readonly words: readonly string[]
    })

/** Of a thread: what it has told of its list of words. */
export class ReadingPacker {
  #list: readonly string[] = []
  #told = 0

  pack(reading: PageReading): PackedReading {
    if (reading.kind !== 'ok') return reading
    const { document } = reading
    if (document === undefined || 'error' in document) return { ...reading, document, from: this.#told, words: [] }
    const { content, links, ...rest } = document
    const { words, text, headings } = content as ShippedLine
    if (words !== this.#list) this.#told = 0
    this.#list = words
    const from = this.#told
    this.#told = words.length
    const packed = { ...rest, text, headings, links: links.map(({ url, anchor }) => `${url}\n${anchor}`).join('\n') }
    return { ...reading, document: packed, from, words: words.slice(from) }
  }
}

/** `words`: those of its thread, which grow by what is new. */
export function unpackedReading(packed: PackedReading, words: string[]): PageReading {
  if (packed.kind !== 'ok') return packed
  const { document, from: _from, words: more, ...reading } = packed
  for (const word of more) words.push(word)
  if (document === undefined || 'error' in document) return { ...reading, document }
  const { text, headings, links, ...rest } = document
  const content = { kind: 'line', words, text, headings } as const
  return { ...reading, document: { ...rest, content, links: linksOf(links) } }
}

function linksOf(text: string): ShippedDocument['links'] {
  const lines = text === '' ? [] : text.split('\n')
  const links: { url: string; anchor: string }[] = []
  for (let i = 0; i + 1 < lines.length; i += 2) links.push({ url: lines[i]!, anchor: lines[i + 1]! })
  return links
}
