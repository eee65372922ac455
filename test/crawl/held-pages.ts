/** What a collection holds of its pages, for tests of sites that push: the texts, and what was stored twice. */
import { Collection, storedContent } from '@comity/collection'

export interface HeldPages {
  /** By URL; undefined for a page that is gone. */
  readonly texts: ReadonlyMap<string, string | undefined>
  /** Captures that stored the same content as the one before and came by a push. */
  readonly doubled: readonly string[]
  /** By URL: its captures, for whoever has to find out why. */
  readonly stories: ReadonlyMap<string, string>
}

export async function heldPages(into: string): Promise<HeldPages> {
  await using collection = Collection.openReadOnly(into)
  const texts = new Map<string, string | undefined>()
  const doubled: string[] = []
  const stories = new Map<string, string>()
  for (const { key, value } of collection.pages()) {
    const url = collection.url(key)!
    const content = value.body === undefined || value.status >= 400 ? undefined : storedContent(collection, value.body)
    texts.set(url, content?.kind === 'ok' ? Buffer.from(content.bytes).toString() : undefined)
    let before: string | undefined
    const story: string[] = []
    for (const { value: capture } of collection.captures(key)) {
      story.push(
        `${capture.source} ${capture.scheme ?? ''} ${capture.outcome} ${capture.status} ${capture.digest?.slice(5, 11) ?? ''}`,
      )
      // A visit that finds nothing new, or nobody, stores nothing.
      if (capture.outcome !== 'ok' && capture.status < 400) continue
      const version = capture.status >= 400 ? 'gone' : capture.digest
      if (version === before && capture.source === 'push') doubled.push(`${url}: ${story.join(', ')}`)
      before = version
    }
    stories.set(url, story.join(', '))
  }
  return { texts, doubled, stories }
}
