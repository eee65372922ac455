/**
 * The state of a collection: one LMDB environment, its tables and what their keys are. Ids arrive in order, so most
 * tables grow at their end; only `bodies` and `similar` are written at random places, once a page.
 */
import { join } from 'node:path'
import { open } from 'lmdb'
import type { Database, RootDatabase } from 'lmdb'
import type { BodyRow, CaptureRow, PageRow, RobotsRow } from './rows.ts'

export interface State {
  readonly root: RootDatabase<unknown, string>
  /** Small facts by name: how far the WARC is good, seeds, whether the last close was clean. */
  readonly meta: Database<unknown, string>
  /** The frontier's journal by sequence number, from 1: lmdb 3.5 passes key 0 over when it walks backwards. */
  readonly journal: Database<Buffer, number>
  /** Blocks of page texts by the id of their first page plus 1, for the same reason. */
  readonly texts: Database<Buffer, number>
  readonly sites: Database<unknown, number>
  readonly addresses: Database<number, string>
  readonly robots: Database<RobotsRow, number>
  readonly pages: Database<PageRow, number>
  /** Every observation by page and instant. */
  readonly captures: Database<CaptureRow, [page: number, at: number]>
  /** A page's links, as `link-list.ts` writes them. */
  readonly links: Database<Buffer, number>
  /** Bodies stored once, by digest. */
  readonly bodies: Database<BodyRow, string>
  /** Simhash bands, see `near-duplicates.ts`. */
  readonly similar: Database<Buffer, Buffer>
}

export function openState(dir: string, readOnly: boolean): State {
  const root = open<unknown, string>({
    path: join(dir, 'state'),
    readOnly,
    maxDbs: 16,
    // Large values are read in place; without this a read copies and keeps a decoder per table.
    useVersions: false,
  })
  const binary = { encoding: 'binary', keyEncoding: 'uint32' } as const
  return {
    root,
    meta: root.openDB({ name: 'meta' }),
    journal: root.openDB({ name: 'journal', ...binary }),
    texts: root.openDB({ name: 'texts', ...binary }),
    sites: root.openDB({ name: 'sites', keyEncoding: 'uint32' }),
    addresses: root.openDB({ name: 'addresses' }),
    robots: root.openDB({ name: 'robots', keyEncoding: 'uint32' }),
    pages: root.openDB({ name: 'pages', keyEncoding: 'uint32' }),
    captures: root.openDB({ name: 'captures' }),
    links: root.openDB({ name: 'links', ...binary }),
    bodies: root.openDB({ name: 'bodies' }),
    similar: root.openDB({ name: 'similar', encoding: 'binary', keyEncoding: 'binary' }),
  }
}
