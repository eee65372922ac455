/** Search in a collection: its index, with titles and texts from its archive. Works beside a crawl that writes both. */
import { join } from 'node:path'
import { contentVersion, readableContent } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { PdfReader, SearchEngine } from '@comity/index'
import type { ContentSource, SearchEngineOptions } from '@comity/index'

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
  const engine = new SearchEngine(join(dir, 'index'), { contentOf: contentSource(current, pdf), ...options })
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      engine[Symbol.dispose]()
      await pdf[Symbol.asyncDispose]()
    },
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
    const read = readableContent(collection, row.body, url)
    if (read.kind === 'page') return { title: read.page.title ?? '', text: read.page.text }
    if (read.kind === 'text') return { title: '', text: read.text }
    if (read.content.kind !== 'ok' || !/^application\/pdf\b/i.test(row.type ?? '')) return undefined
    const found = await pdf.read(read.content.bytes)
    return found.kind === 'ok' ? { title: found.title, text: found.text } : undefined
  }
}
