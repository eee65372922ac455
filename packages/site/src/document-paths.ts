/**
 * Document paths: where everything stands that a site publishes of itself. One table, since documents name each other
 * and no document is ever listed as if it were a page.
 *
 * Beside the home page stands only what is looked for there: a sitemap speaks only for what is below it
 * (https://www.sitemaps.org/protocol.html#location), and robots.rdf is asked for by its name (002 §6.5). All else that is a
 * file is in one folder. Once the lists stood beside the home page, too: whoever still asks there is answered.
 */
import {
  API_CATALOG_PATH,
  BATCH_PATH,
  canonicalPath,
  CHANGES_PATH,
  KEY_DIRECTORY_PATH,
  RESOURCESYNC_WELL_KNOWN,
} from '@comity/protocol'
import type { PushScheme } from './hub/subscriber.ts'

export interface DocumentPaths {
  readonly robots: string
  readonly description: string
  readonly catalog: string
  readonly keys: string
  readonly batch: string
  readonly changes: string
  readonly sitemap: string
  readonly robotsRdf: string
  /** Archives and their lists stand in it. */
  readonly archives: string
  readonly archiveList: string
  readonly capabilityList: string
  readonly resourceList: string
  readonly changeList: string
  readonly resourceDump: string
  readonly changeDump: string
  readonly wacz: string
  /** Where topics are subscribed to, and where changes are listened to. */
  readonly hub: string
  readonly events: string
  /** What can be subscribed to. */
  readonly topics: Readonly<Record<PushScheme, string>>
  /** Of one in parts: `/sitemap.xml` has `/sitemap-3f.xml`. */
  part(path: string, name: string, extension?: string): string
  /** Which part of a document a path is. */
  partName(path: string, of: string, extension?: string): string | undefined
  isDocument(path: string): boolean
  /** Where a document is now that once had this path. */
  moved(path: string): string | undefined
}

/** `others`: paths that are the site's own because of its options. */
export function documentPaths(root: string, others: readonly string[] = []): DocumentPaths {
  const folder = `${root}metadata/`
  const paths = {
    robots: '/robots.txt',
    description: RESOURCESYNC_WELL_KNOWN,
    catalog: API_CATALOG_PATH,
    keys: KEY_DIRECTORY_PATH,
    batch: BATCH_PATH,
    changes: CHANGES_PATH,
    sitemap: `${root}sitemap.xml`,
    robotsRdf: `${root}robots.rdf`,
    archives: folder,
    archiveList: `${folder}archives.txt`,
    capabilityList: `${folder}capabilitylist.xml`,
    resourceList: `${folder}resourcelist.xml`,
    changeList: `${folder}changelist.xml`,
    resourceDump: `${folder}resourcedump.xml`,
    changeDump: `${folder}changedump.xml`,
    wacz: `${folder}site.wacz`,
    hub: `${root}push/hub`,
    events: `${root}push/events`,
  }
  const topics = {
    // Whoever is told of changes is told what the list of changes says.
    changes: paths.changeList,
    differences: `${root}push/differences`,
    pages: `${root}push/pages`,
    batches: `${root}push/batches`,
    site: `${root}push/site`,
    agent: `${root}push/agent`,
  }
  const known = new Set<string>([...Object.values(paths), ...Object.values(topics), ...others])
  return {
    ...paths,
    topics,
    part: (path, name, extension = '.xml') => `${stemOf(path)}-${name}${extension}`,
    partName,
    isDocument: (path) => known.has(path) || (path.startsWith(root) && OTHERS.test(path.slice(root.length))),
    moved: (path) =>
      path.startsWith(root) && MOVED.test(path.slice(root.length)) ? folder + path.slice(root.length) : undefined,
  }
}

/** The path of a request, for comparing: whoever is kept from a document is kept from it in every spelling. */
export function documentPath(target: string): string {
  const path = target.split('?', 1)[0]!
  return canonicalPath(path) ?? path
}

function partName(path: string, of: string, extension = '.xml'): string | undefined {
  const stem = `${stemOf(of)}-`
  const name = path.startsWith(stem) && path.endsWith(extension) ? path.slice(stem.length, -extension.length) : ''
  return PART.test(name) ? name : undefined
}

const stemOf = (path: string): string => path.slice(0, path.lastIndexOf('.'))

const PART = /^[0-9a-f]{1,8}$|^\d{1,15}(?:-\d{1,15})?$/
const MOVED =
  /^(?:capabilitylist\.xml|site\.wacz|(?:resourcelist|changelist)(?:-[0-9a-f-]+)?\.xml|(?:resource|change)dump(?:-[0-9a-f-]+)?\.(?:xml|zip))$/
/** All that have numbers or names of their own. */
const OTHERS: RegExp = new RegExp(
  [
    /^sitemap-[0-9a-f-]+\.xml$/,
    /^(?:metadata\/)?(?:resourcelist|changelist)-[0-9a-f-]+\.xml$/,
    /^(?:metadata\/)?(?:resource|change)dump-[0-9a-f-]+\.(?:zip|xml)$/,
    /^(?:capabilitylist|resourcelist|changelist|resourcedump|changedump)\.xml$/,
    /^site\.wacz$/,
    /^robots(?:\.\d+){1,2}\.rdf$/,
    /^metadata\/(?:archives\.\d+\.[0-9a-f]+\.txt|\d{8}T\d{6}Z-[^/]+\.gz)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
