/**
 * What the contest of freshness policies runs on: `made` webs, which need no files, or the history of a site, with the
 * links of its pages where they stand beside it:
 *
 *   NAME.tsv[.xz]              epoch, A/M/D, path, content, bytes
 *   NAME-HEAD-pages.tsv[.xz]   id, url, bytes        pages where the history ends
 *   NAME-HEAD-edges.tsv[.xz]   from, to              links between them
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { LinkCounts } from './history.ts'
import { readHistory } from '../../webs/history-file.ts'
import type { History } from '../../webs/history-file.ts'
import { graphLimits, ReadLog } from '../../webs/graph/limits.ts'
import { LineScanner } from '../../webs/graph/graph-lines.ts'
import { unpackedChunks } from '../../webs/graph/source.ts'
import { webUnreadable } from '../../lab-error.ts'

export type FreshnessSource =
  | { readonly kind: 'made' }
  | { readonly kind: 'history'; readonly history: History; readonly links: LinkCounts }

const MADE = 'made'
const USUAL = ['histories/openbsd-www.tsv.xz']
const LIMITS = { ...graphLimits, maxPages: 1_000_000, maxBytes: 2 ** 30, maxLineBytes: 64 * 2 ** 10 }

/** See CONTRIBUTING.md. */
const inSharedData = (name: string): string | undefined => {
  const root = process.env['COMITY_SHARED']
  return root === undefined ? undefined : join(root, 'data', name)
}

/** What there is to run on when nothing is named. */
export const usualFreshnessSources = (): string[] => [
  MADE,
  ...USUAL.filter((name) => {
    const path = inSharedData(name)
    return path !== undefined && existsSync(path)
  }),
]

/** Throws a LabError for a file that is missing, or no history. */
export async function openFreshnessSource(name: string): Promise<FreshnessSource> {
  if (name === MADE) return { kind: 'made' }
  const path = [name, inSharedData(name)].find((one) => one !== undefined && existsSync(one))
  if (path === undefined)
    throw webUnreadable(
      name,
      'There is no such file. `freshness` runs on `made` or on the history of a site (epoch, A/M/D, path, content, bytes).',
    )
  const history = await readHistory(path)
  return { kind: 'history', history, links: await linksBeside(path) }
}

/** Links to each path where the history ends; none when the files are not there. */
async function linksBeside(path: string): Promise<LinkCounts> {
  const [pagesFile, edgesFile] = ['pages', 'edges'].map((what) => path.replace(/(\.tsv)/, `-HEAD-${what}$1`))
  const counts = new Map<string, number>()
  if (pagesFile === path || !existsSync(pagesFile!) || !existsSync(edgesFile!)) return counts
  const paths = new Map<string, string>()
  await eachRow(pagesFile!, ([id, url]) => {
    const place = url === undefined ? null : URL.parse(url)
    if (id !== undefined && place !== null) paths.set(id, place.pathname.slice(1))
    return place !== null
  })
  await eachRow(edgesFile!, ([from, to]) => {
    const target = paths.get(to ?? '')
    if (target !== undefined && from !== to) counts.set(target, (counts.get(target) ?? 0) + 1)
    return to !== undefined
  })
  return counts
}

async function eachRow(path: string, take: (cells: readonly string[]) => boolean): Promise<void> {
  const log = new ReadLog(path, LIMITS)
  let rows = 0
  const scanner = new LineScanner((text, line) => {
    log.requireRoom('links', ++rows)
    if (!take(text.split('\t'))) log.malformedLine(line, 'a line of pages (id, url, bytes) or of links (from, to)')
  }, log)
  for await (const chunk of unpackedChunks(path, LIMITS.maxBytes)) scanner.write(chunk)
  scanner.end()
}
