/**
 * What the experiment of 000 runs on: `paper`, which needs no files, the history of a site, an access log, or a table of
 * pages. A file is told by how it begins. What is not found is also looked for where the tests' large data stand.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readHistory } from '../../webs/history-file.ts'
import type { History } from '../../webs/history-file.ts'
import { unpackedChunks } from '../../webs/graph/source.ts'
import { webUnreadable } from '../../lab-error.ts'
import { readListing } from './listing.ts'
import type { Listing } from './listing.ts'
import { readAccessLog } from './log.ts'
import type { LogFacts } from './log-facts.ts'

export type ServersSource =
  | { readonly kind: 'paper' }
  | { readonly kind: 'history'; readonly history: History }
  | { readonly kind: 'log'; readonly log: LogFacts }
  | { readonly kind: 'listing'; readonly listing: Listing }

export const PAPER = 'paper'
const USUAL = ['histories/openbsd-www.tsv.xz', 'logs/elastic-apache_logs.log', 'graphs/debian-doc-web']

/** See CONTRIBUTING.md. */
const inSharedData = (name: string): string | undefined => {
  const root = process.env['COMITY_SHARED']
  return root === undefined ? undefined : join(root, 'data', name)
}

/** What there is to run on when nothing is named: the paper's own, and of the real data what this machine has. */
export const usualSources = (): string[] => [
  PAPER,
  ...USUAL.filter((name) => {
    const path = inSharedData(name)
    return path !== undefined && existsSync(path)
  }),
]

export async function openServersSource(name: string): Promise<ServersSource> {
  if (name === PAPER) return { kind: 'paper' }
  const path = [name, inSharedData(name)].find((one) => one !== undefined && existsSync(one))
  if (path === undefined)
    throw webUnreadable(
      name,
      'There is no such file. `servers` runs on `paper`, the history of a site (epoch, A/M/D, path, content, bytes), an access log in combined format, or a folder with pages.tsv (url, bytes, mtime).',
    )
  if (statSync(path).isDirectory()) return { kind: 'listing', listing: await readListing(pagesTable(path)) }
  return (await beginsAsHistory(path))
    ? { kind: 'history', history: await readHistory(path) }
    : { kind: 'log', log: await readAccessLog(path) }
}

function pagesTable(folder: string): string {
  const table = readdirSync(folder).find((file) => /^pages\.tsv(\.(gz|xz|zst))?$/.test(file))
  if (table === undefined)
    throw webUnreadable(folder, 'There is no pages.tsv in it, with url, bytes and mtime of pages.')
  return join(folder, table)
}

async function beginsAsHistory(path: string): Promise<boolean> {
  for await (const chunk of unpackedChunks(path, Infinity)) {
    return Buffer.from(chunk.subarray(0, 100)).toString('latin1').startsWith('epoch\t')
  }
  return false
}
