/** What a crawl holds: read out of a collection, or told by a peer's script in its last line. */
import { Collection } from '@comity/collection'
import type { Holdings } from './contender.ts'

/** How pages are called, so that all crawlers' can be compared. */
export type Naming = (url: URL) => string

export function collectionHoldings(dir: string, nameOf: Naming): Holdings {
  const collection = Collection.openReadOnly(dir)
  const htmlPages = new Map<string, string | undefined>()
  let otherFiles = 0
  for (const { key, value } of collection.pages()) {
    if (value.outcome !== 'ok') continue
    if (!(value.type ?? '').startsWith('text/html')) otherFiles++
    else
      htmlPages.set(
        nameOf(new URL(collection.url(key)!)),
        value.contentKey && Buffer.from(value.contentKey).toString('hex'),
      )
  }
  return { htmlPages, otherFiles }
}

/** Pages, and their digests where the peer has bytes. It fetches HTML alone. */
export function printedHoldings(stdout: string, nameOf: Naming): Holdings {
  const last = stdout.trim().split('\n').at(-1) ?? ''
  if (last === '') return { htmlPages: new Map(), otherFiles: 0 }
  if (!last.startsWith('{"pages"')) throw new Error(`the peer told no pages but "${last.slice(0, 200)}"`)
  const { pages } = JSON.parse(last) as { pages: Record<string, string | null> }
  const htmlPages = Object.entries(pages).map(([url, digest]) => [nameOf(new URL(url)), digest ?? undefined] as const)
  return { htmlPages: new Map(htmlPages), otherFiles: 0 }
}
