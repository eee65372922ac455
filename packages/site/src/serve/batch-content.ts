/**
 * Batch content: scheme 10, "send multi-pages updates" (002 §6.3): the pages that changed since the last batch as one change
 * dump (ResourceSync §14), a ZIP file with a manifest; or only the news that a dump is there to be fetched, which leaves it
 * to the crawler when. When batches are sent is the site's schedule (`deliver/push-schedule.ts`).
 */
import { NOTIFICATION_TYPE, SYNC_MANIFEST, writeChangeNotification, writeSyncDocument } from '@comity/protocol'
import type { SyncFacts } from '@comity/protocol'
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
    return { type: ZIP_TYPE, body: await packedZip(this.#entries(told)), headers: [] }
  }

  async *#entries(changes: readonly Change[]): AsyncGenerator<readonly [string, Uint8Array]> {
    const held = new Set<string>()
    for (const change of changes) {
      const name = bundledName(change.digest)
      if (change.change === 'deleted' || held.has(name)) continue
      const body = await this.#bodies.of(change)
      if (body === undefined) continue
      held.add(name)
      yield [name, body]
    }
    // Last, as only now it is certain what is there. A page without a path has to be asked for.
    yield [SYNC_MANIFEST, Buffer.from(this.#manifest(changes, held))]
  }

  #manifest(changes: readonly Change[], held: ReadonlySet<string>): string {
    const times = changes.map(({ at }) => at)
    const span = { from: Math.min(...times), until: Math.max(...times) }
    const entries = changes.map((change): SyncFacts => {
      const entry = this.#view.change(change)
      const name = bundledName(change.digest)
      return change.change !== 'deleted' && held.has(name) ? { ...entry, path: `/${name}` } : entry
    })
    return writeSyncDocument({ ...syncHead(this.#view, 'changedump-manifest')(), ...span }, entries)
  }
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
