/**
 * Batch content: scheme 10, "send multi-pages updates" (002 §6.3): the pages that changed since the last batch as one change
 * dump (ResourceSync §14), a ZIP file with a manifest; or only the news that a dump is there to be fetched, which leaves it
 * to the crawler when. When batches are sent is the site's schedule (`deliver/push-schedule.ts`).
 */
import { NOTIFICATION_TYPE, SYNC_MANIFEST, writeChangeNotification, writeSyncDocument } from '@comity/protocol'
import type { SyncFacts, SyncDocumentHead } from '@comity/protocol'
import { bundledName } from '../documents/dump-documents.ts'
import type { Change } from '../journal/journal.ts'
import type { PageBodies } from './page-bodies.ts'
import { packedZip } from '../documents/packed-zip.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { ContentMaker, PushContent } from '../hub/subscriber.ts'
import { syncHead } from '../documents/sync-head.ts'

export const ZIP_TYPE = 'application/zip'

export class BatchContent implements ContentMaker {
  readonly #view: PublicView
  readonly #bodies: PageBodies

  constructor(view: PublicView, bodies: PageBodies) {
    this.#view = view
    this.#bodies = bodies
  }

  async make(changes: readonly Change[]): Promise<PushContent | undefined> {
    const told = changes.filter(({ path }) => this.#view.isPublic(path))
    if (told.length === 0) return undefined
    const times = told.map(({ at }) => at)
    const head = {
      ...syncHead(this.#view, 'changedump-manifest')(),
      from: Math.min(...times),
      until: Math.max(...times),
    }
    return await pushedDump(this.#bodies, told, head, (change) => this.#view.change(change))
  }
}

/** Pages as a ZIP file: each content that is there once, and a manifest of all. */
export async function pushedDump(
  bodies: PageBodies,
  pages: readonly Change[],
  head: SyncDocumentHead,
  entryOf: (page: Change) => SyncFacts,
): Promise<PushContent> {
  return { type: ZIP_TYPE, body: await packedZip(dumpEntries(bodies, pages, head, entryOf)), headers: [] }
}

async function* dumpEntries(
  bodies: PageBodies,
  pages: readonly Change[],
  head: SyncDocumentHead,
  entryOf: (page: Change) => SyncFacts,
): AsyncGenerator<readonly [string, Uint8Array]> {
  const held = new Set<string>()
  for (const page of pages) {
    const name = bundledName(page.digest)
    if (page.change === 'deleted' || held.has(name)) continue
    const body = await bodies.of(page)
    if (body === undefined) continue
    held.add(name)
    yield [name, body]
  }
  // Last, as only now it is certain what is there. A page without a path has to be asked for.
  const entries = pages.map((page) => {
    const name = bundledName(page.digest)
    return page.change !== 'deleted' && held.has(name) ? { ...entryOf(page), path: `/${name}` } : entryOf(page)
  })
  yield [SYNC_MANIFEST, Buffer.from(writeSyncDocument(head, entries))]
}

/** Only that there is a new dump: a change notification of the list of dumps. */
export class BatchNews implements ContentMaker {
  readonly #view: PublicView

  constructor(view: PublicView) {
    this.#view = view
  }

  async make(changes: readonly Change[]): Promise<PushContent | undefined> {
    const told = changes.filter(({ path }) => this.#view.isPublic(path))
    const changedAt = told.at(-1)?.at
    if (changedAt === undefined) return undefined
    const { paths } = this.#view
    const dump = { url: this.#view.url(paths.changeDump), change: 'updated', changedAt } as const
    const capabilityList = this.#view.url(paths.capabilityList)
    const body = Buffer.from(writeChangeNotification({ changes: [dump], capabilityList }))
    return { type: NOTIFICATION_TYPE, body, headers: [] }
  }
}
