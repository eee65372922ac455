/**
 * PageLogFollower: which pages are new and which have changed since the last look, from the collection's page log.
 *
 * A collection whose page log cannot be read is read all the same: its pages are in its texts, their states are then
 * those their rows suggest. Such a page log stops a crawl, which must know exactly, but no reader.
 */
import { CollectionError } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { FrontierError, pageLogUnreadable, NO_PARENT, readPageLog, WAITING } from '@comity/frontier'
import { writeUrlKey } from '@comity/protocol'
import type { CollectionCensus } from './collection-census.ts'

export class PageLogFollower {
  /** Records read so far. */
  #read = 0
  #isReadable = true

  /** False when states are not known: a page that was visited is then as good as done. */
  get isReadable(): boolean {
    return this.#isReadable
  }

  /** Tell the census all that is new. Undefined when the page log was shortened: then all must be read again. */
  follow(collection: Collection, census: CollectionCensus): Set<number> | undefined {
    const changed = new Set<number>()
    if (!this.#isReadable) return this.#followTexts(collection, census, changed)
    const before = this.#read
    let at = 0
    for (const record of collection.pageLog()) {
      if (at++ < this.#read) continue
      if (!tell(census, record, changed)) {
        // It was shortened since the last look, or so one hopes: from its beginning we shall see.
        if (before > 0) return undefined
        this.#isReadable = false
        return this.#followTexts(collection, census, changed)
      }
      this.#read++
    }
    return at < this.#read ? undefined : changed
  }

  #followTexts(collection: Collection, census: CollectionCensus, changed: Set<number>): Set<number> {
    const { columns } = census
    const key = new Uint32Array(2)
    for (let text = textOf(collection, columns.count); text !== undefined; text = textOf(collection, columns.count)) {
      changed.add(columns.count)
      writeUrlKey(text.path, key, 0)
      const depth = text.parent === NO_PARENT ? 0 : (columns.depths[text.parent] ?? 0) + 1
      census.add(text.site, key[1]!, depth, WAITING)
    }
    return changed
  }
}

/** All that a record says, in its order; false as soon as it cannot be read. */
function tell(census: CollectionCensus, bytes: Uint8Array, changed: Set<number>): boolean {
  try {
    readPageLog(bytes, {
      begins: (first) => {
        if (first !== census.columns.count)
          throw pageLogUnreadable(`page ${first} follows ${census.columns.count} pages`)
      },
      added: (page, site, _, keyLow, _seed, depth, state) => {
        census.add(site, keyLow, depth, state)
        changed.add(page)
      },
      changed: (page, depth, state) => {
        census.move(page, depth, state)
        changed.add(page)
      },
    })
    return true
  } catch (error) {
    if (error instanceof FrontierError) return false
    throw error
  }
}

function textOf(collection: Collection, page: number): ReturnType<Collection['text']> | undefined {
  try {
    return collection.text(page)
  } catch (error) {
    // There is no way to ask whether there is such a page.
    if (error instanceof CollectionError) return undefined
    throw error
  }
}
