/**
 * PageEntry: what a site says of one of its pages, whichever document says it: a sitemap, a change list, a metadata
 * archive, robots.rdf, a manifest, the answer of a filter. Writers take these, readers give them.
 */
import type { Instant } from '../instant.ts'

export interface PageEntry {
  /** Absolute. */
  readonly url: string
  readonly modifiedAt?: Instant | undefined
  /** Of the body without content coding. */
  readonly bytes?: number | undefined
  /** Media type without parameters, in lower case. */
  readonly type?: string | undefined
  /** `sha-256:` and 64 hexadecimal digits over the body without content coding. */
  readonly digest?: string | undefined
  /** How often it was asked for, as the site counts it (002 §6.5). */
  readonly accesses?: number | undefined
}

export type ChangeKind = 'created' | 'updated' | 'deleted'

/** A page that was created, updated or deleted, and when, by the site's own clock. */
export interface ChangeEntry extends PageEntry {
  readonly change: ChangeKind
  readonly changedAt?: Instant | undefined
}

/** The entry alone, of something that says more. All copies are made here, so that none forgets a field. */
export function pageEntryOf({ url, modifiedAt, bytes, type, digest, accesses }: PageEntry): PageEntry {
  return { url, modifiedAt, bytes, type, digest, accesses } satisfies Record<keyof PageEntry, unknown>
}

export function changeEntryOf(entry: ChangeEntry): ChangeEntry {
  const { change, changedAt } = entry
  return { ...pageEntryOf(entry), change, changedAt }
}
