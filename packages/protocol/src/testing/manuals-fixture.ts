/** Debian's HTML manuals as lists of pages, one for each site: real paths, sizes and dates for tests. */
import { execFileSync } from 'node:child_process'
import type { TestContext } from 'node:test'
import type { PageEntry } from '../feeds/page-entry.ts'
import { missing, sharedData } from './shared-data.ts'

/** By origin; undefined, and the test skipped, when this machine does not have them. */
export function manuals(t: Pick<TestContext, 'skip'>): ReadonlyMap<string, readonly PageEntry[]> | undefined {
  const path = sharedData('graphs/debian-doc-web/pages.tsv.xz')
  if (path === undefined) {
    missing(t, 'graphs/debian-doc-web')
    return undefined
  }
  const text = unpacked(path)
  if (text === undefined) {
    missing(t, 'xz', 'install the package xz-utils')
    return undefined
  }
  const sites = new Map<string, PageEntry[]>()
  for (const row of text.split('\n').slice(1)) {
    const [, , url, bytes, mtime] = row.split('\t')
    if (url === undefined) continue
    const page = { url, modifiedAt: Number(mtime) * 1_000, bytes: Number(bytes), type: 'text/html' }
    const { origin } = new URL(url)
    const pages = sites.get(origin)
    if (pages === undefined) sites.set(origin, [page])
    else pages.push(page)
  }
  return sites
}

function unpacked(path: string): string | undefined {
  try {
    return execFileSync('xz', ['--decompress', '--stdout', '--', path], { encoding: 'utf8', maxBuffer: 1 << 28 })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
