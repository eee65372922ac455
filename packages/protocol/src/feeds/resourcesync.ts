/**
 * ResourceSync 1.1 (ANSI/NISO Z39.99-2017): what a site has, and what changed, in sitemaps with two more elements.
 *
 *   /.well-known/resourcesync   description      which capability lists there are
 *   └─ capability list                           what is offered for one set of pages
 *      ├─ resource list                          all pages, as they were at one moment
 *      ├─ change list                            created, updated, deleted, oldest first; open until it has an `until`
 *      └─ resource dump, change dump             ZIP packages, each with a manifest of the pages in it
 *
 * Every one may be an index of parts, and `rel="up"` leads one level up. `feeds/resourcesync-reader.ts` reads all of these,
 * `feeds/resourcesync-writer.ts` writes them. In XML: `rs:md` has an entry's own facts, `rs:ln` what it is related to.
 */
import type { Instant } from '../instant.ts'
import type { ChangeEntry, ChangeKind, PageEntry } from './page-entry.ts'

export const RESOURCESYNC_NAMESPACE = 'http://www.openarchives.org/rs/terms/'
/** Where a site's description stands. */
export const RESOURCESYNC_WELL_KNOWN = '/.well-known/resourcesync'
/** The relation of `Link:` and HTML `<link>` that leads to a capability list. */
export const RESOURCESYNC_REL = 'resourcesync'
/** Name of the manifest in a dump's package, at the top of the ZIP. */
export const SYNC_MANIFEST = 'manifest.xml'
/** Of `SyncFacts.extension`: the standard lets strangers add attributes of a namespace of their own, and no elements. */
export const COMITY_NAMESPACE = 'urn:comity:capabilities'

/**
 * The four with `archive` are of ResourceSync Archives 1.0: lists of what older lists and dumps there are. The last is of
 * ResourceSync Change Notification 1.0.1 (`push/change-notification.ts`).
 */
export const SYNC_CAPABILITIES = [
  'description',
  'capabilitylist',
  'resourcelist',
  'changelist',
  'resourcedump',
  'changedump',
  'resourcedump-manifest',
  'changedump-manifest',
  'resourcelist-archive',
  'changelist-archive',
  'resourcedump-archive',
  'changedump-archive',
  'change-notification',
] as const

/** What a document is. */
export type SyncCapability = (typeof SYNC_CAPABILITIES)[number]

/** The moment a list shows (`at`, and `completedAt` when making it took time), or the time whose changes it has. */
export interface SyncSpan {
  readonly at?: Instant | undefined
  readonly completedAt?: Instant | undefined
  readonly from?: Instant | undefined
  /** A change list without it is open: more changes may come. */
  readonly until?: Instant | undefined
}

/** `up`, `index`, `contents`, `describedby`, `duplicate`, the patch relation and others. */
export interface SyncLink {
  readonly rel: string
  /** Absolute, http or https. */
  readonly href: string
  readonly type?: string | undefined
  readonly bytes?: number | undefined
  readonly digest?: string | undefined
  readonly modifiedAt?: Instant | undefined
  /** 1 comes first. */
  readonly priority?: number | undefined
}

/** All that may be said of an entry; every PageEntry and ChangeEntry is one. What a writer takes. */
export interface SyncFacts extends PageEntry, SyncSpan {
  readonly change?: ChangeKind | undefined
  readonly changedAt?: Instant | undefined
  /** Where it is in a dump's package, with a slash before it. */
  readonly path?: string | undefined
  /** What the document there is. */
  readonly capability?: SyncCapability | undefined
  readonly links?: readonly SyncLink[] | undefined
  /** Attributes of `COMITY_NAMESPACE`, by name without prefix. */
  readonly extension?: Readonly<Record<string, string>> | undefined
}

/** What a reader gives. */
export type SyncEntry = SyncPage | SyncChange | SyncReference

interface Related {
  /** In a manifest: where in the package, with a slash before it. */
  readonly path?: string | undefined
  readonly links?: readonly SyncLink[] | undefined
  readonly extension?: Readonly<Record<string, string>> | undefined
}

export interface SyncPage extends PageEntry, Related {
  readonly kind: 'page'
}

export interface SyncChange extends ChangeEntry, Related {
  readonly kind: 'change'
}

/** Another document, or a dump's ZIP package, whose manifest the link `contents` leads to. */
export interface SyncReference extends PageEntry, SyncSpan, Related {
  readonly kind: 'document' | 'package'
  /** Of a document, where it is known. */
  readonly capability?: SyncCapability | undefined
}

/** What an entry of such a document refers to when it does not say it itself. */
export const SYNC_CONTENTS: Readonly<Partial<Record<SyncCapability, SyncCapability>>> = {
  description: 'capabilitylist',
  'resourcelist-archive': 'resourcelist',
  'changelist-archive': 'changelist',
  'resourcedump-archive': 'resourcedump',
  'changedump-archive': 'changedump',
}
