/** Export paths: the order in which files of an export become visible, and how a scan tells them from pages. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { documentPaths } from '../document-paths.ts'
import type { DocumentPaths } from '../document-paths.ts'
import { pathGlob } from '../privacy/path-glob.ts'

/** Who finds a list finds what it lists: parts first, then what names them, up to robots.txt. */
export function rankIn(paths: DocumentPaths): (path: string) => number {
  const tops = [paths.robots, paths.description, paths.catalog, paths.capabilityList]
  const lists = new Set<string>(Object.values(paths).filter((path) => typeof path === 'string'))
  return (path) => {
    const plain = path.endsWith('.gz') && lists.has(path.slice(0, -3)) ? path.slice(0, -3) : path
    const top = tops.indexOf(plain)
    if (top !== -1) return 10 - top
    if (lists.has(plain)) return 3
    return /\.(?:xml|txt|rdf)(?:\.gz)?$/.test(path) ? 2 : 1
  }
}

/**
 * Globs of everything an export may write below a home page. A scan of the document root leaves these alone: they are
 * about pages, and a change of theirs is no news.
 */
export function exportedGlobs(root: string): readonly string[] {
  const paths = documentPaths(root)
  const lists = [paths.resourceList, paths.changeList, paths.resourceDump, paths.changeDump]
  const own = [...lists, paths.capabilityList, paths.wacz]
  // Where they once stood a scan may come before the run that takes them away.
  const once = (path: string): string[] => [path, root + path.slice(paths.archives.length)]
  const stems = [...lists.flatMap(once), paths.sitemap].map((path) => path.slice(0, -'.xml'.length))
  const documents = [...own.flatMap(once), paths.sitemap, paths.robotsRdf]
  return [
    paths.robots,
    ...documents.flatMap((path) => [path, `${path}.gz`]),
    ...stems.flatMap((stem) => [`${stem}-*.xml`, `${stem}-*.xml.gz`, `${stem}-*.zip`]),
    ...['', '.gz'].map((packed) => `${root}robots.*.rdf${packed}`),
    `${paths.archives}archives*.txt`,
    `${paths.archives}archives*.txt.gz`,
    `${paths.archives}*T*Z-*.gz`,
  ]
}

/** Files of a document root that an export wrote, or may have written: they stand in two folders. */
export async function countExported(docroot: string, root: string): Promise<number> {
  const matchers = exportedGlobs(root).map(pathGlob)
  const counts = [...new Set(['/', root, documentPaths(root).archives])].map(async (folder) => {
    const names = await readdir(join(docroot, folder)).catch(() => [])
    return names.filter((name) => matchers.some((matches) => matches(`${folder}${name}`))).length
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
