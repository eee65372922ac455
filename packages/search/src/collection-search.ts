/** Search in a collection: its index, with titles and texts from its archive. Works beside a crawl that writes both. */
import { join } from 'node:path'
import { contentVersion, readableContent } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { IndexPart, PdfReader, SearchEngine, shippedText } from '@comity/index'
import type { ContentSource, IndexPartOptions, PageContent, SearchEngineOptions } from '@comity/index'
import { heldWords } from '@comity/ingest'

export interface CollectionSearch extends AsyncDisposable {
  readonly engine: SearchEngine
}

/** `current` is asked for the collection each time, as it may be replaced (`comity forget`). */
export function openSearch(
  dir: string,
  current: () => Collection,
  options: Partial<SearchEngineOptions> = {},
): CollectionSearch {
  const pdf = new PdfReader()
  const contentOf = rememberedContent(current, contentSource(current, pdf))
  const engine = new SearchEngine(join(dir, 'index'), {
    contentOf,
    titleOf: (key) => current().page(key)?.title,
    quotesAsWritten: true,
    ...options,
  })
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      engine[Symbol.dispose]()
      await pdf[Symbol.asyncDispose]()
    },
  }
}

export interface CollectionPart extends AsyncDisposable {
  readonly part: IndexPart
}

/** The same for a collection that answers together with others. */
export function openSearchPart(
  dir: string,
  current: () => Collection,
  options: Partial<IndexPartOptions> = {},
): CollectionPart {
  const pdf = new PdfReader()
  const contentOf = rememberedContent(current, contentSource(current, pdf))
  const similarOf = (key: number): ReturnType<IndexPartOptions['similarOf']> => current().page(key)?.simhash
  const part = new IndexPart(join(dir, 'index'), { contentOf, similarOf, ...options })
  return {
    part,
    [Symbol.asyncDispose]: async () => {
      part[Symbol.dispose]()
      await pdf[Symbol.asyncDispose]()
    },
  }
}

/** Characters of pages that were shown lately: people ask the same, and turn to the next page and back. */
const MAX_REMEMBERED_CHARS = 16_000_000
/** What a snippet is made of; a long page is not read to its end to show three lines of it. */
const MAX_BYTES = 96 << 10
const MAX_CHARS = 200_000

/** The same, with what was read lately kept as long as it is the page's newest version. */
function rememberedContent(current: () => Collection, contentOf: ContentSource): ContentSource {
  const held = new Map<string, PageContent>()
  let chars = 0
  return async (key, url) => {
    const name = `${key} ${contentVersion(current().page(key))}`
    const known = held.get(name)
    if (known !== undefined) {
      held.delete(name)
      held.set(name, known)
      return known
    }
    const read = await contentOf(key, url)
    if (read === undefined) return undefined
    // A copy, so that the whole page can go.
    const text = read.text.length > MAX_CHARS ? Buffer.from(read.text.slice(0, MAX_CHARS)).toString() : read.text
    const content = { title: read.title, text }
    held.set(name, content)
    chars += text.length
    for (const [oldest, { text: gone }] of held) {
      if (chars <= MAX_REMEMBERED_CHARS) break
      held.delete(oldest)
      chars -= gone.length
    }
    return content
  }
}

/**
 * What a page says now. A page that asks not to be shown from an archive (noarchive) may be found, but only its title is
 * shown: a snippet is a piece of the stored copy.
 */
function contentSource(current: () => Collection, pdf: PdfReader): ContentSource {
  return async (key, url) => {
    const collection = current()
    const row = collection.page(key)
    if (row?.body === undefined || contentVersion(row) === undefined) return undefined
    if (row.noarchive === true) return { title: row.title ?? '', text: '' }
    const words = heldWords(collection, row, url)
    if (words !== undefined) return { title: words.title, text: shippedText(words) }
    const read = readableContent(collection, row.body, url, MAX_BYTES)
    if (read.kind === 'page') return { title: read.page.title ?? '', text: read.page.text }
    if (read.kind === 'text') return { title: '', text: read.text }
    if (read.content.kind !== 'ok' || !/^application\/pdf\b/i.test(row.type ?? '')) return undefined
    const found = await pdf.read(read.content.bytes)
    return found.kind === 'ok' ? { title: found.title, text: found.text } : undefined
  }
}
