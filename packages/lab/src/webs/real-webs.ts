/**
 * Real webs: the graphs that experiments run on when none is named, those of them that this machine has, and for the others where
 * they are to be had. They stand in `COMITY_SHARED` (CONTRIBUTING.md), and none is part of this repository.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openWeb } from './open-web.ts'
import type { OpenWebOptions } from './open-web.ts'
import type { WebGraph } from './graph/web-graph.ts'

interface RealWeb {
  /** Below `data` of `COMITY_SHARED`. */
  readonly path: string
  readonly from: string
}

type RealName = 'cnr' | 'uk' | 'hosts' | 'california' | 'stanford' | 'debian' | 'webkb' | 'history' | 'year' | 'log'

/** Graphs, and what sites and servers have written down. */
export const REAL_WEBS: Readonly<Record<RealName, RealWeb>> = {
  cnr: { path: 'graphs/cnr-2000.graph-txt.gz', from: 'law.di.unimi.it, cnr-2000, as WebGraph ASCII' },
  uk: {
    path: 'graphs/uk-2007-05@100000.graph-txt.gz',
    from: 'law.di.unimi.it, uk-2007-05@100000, as WebGraph ASCII',
  },
  hosts: { path: 'graphs/1996-uk-web-hosts.tsv.gz', from: 'the UK Web Archive, host link graph of 1996' },
  california: { path: 'graphs/california/gr0.California.txt', from: 'J. Kleinberg, query graph “California”' },
  stanford: { path: 'graphs/cs-stanford', from: 'D. Gleich, cs-stanford' },
  debian: { path: 'graphs/debian-doc-web', from: 'the HTML manuals of Debian’s packages, as nodes and edges' },
  webkb: { path: 'graphs/webkb', from: 'the WebKB project of CMU, four universities data set' },
  history: {
    path: 'histories/openbsd-www.tsv.xz',
    from: 'the history of OpenBSD’s www repository, as lines of changes',
  },
  year: { path: 'histories/openbsd-www-2004', from: 'one year of that history, with every version' },
  log: { path: 'logs/elastic-apache_logs.log', from: 'Elastic’s examples, apache_logs' },
}

/** See CONTRIBUTING.md. */
export const inSharedData = (name: string): string | undefined => {
  const root = process.env['COMITY_SHARED']
  return root === undefined ? undefined : join(root, 'data', name)
}

const isHere = ({ path }: RealWeb): boolean => {
  const full = inSharedData(path)
  return full !== undefined && existsSync(full)
}

/** Names of those that are here. */
export const foundWebs = (webs: readonly RealWeb[]): string[] => webs.filter(isHere).map(({ path }) => path)

/** What to fetch, and from where, of those that are not. */
export const missingWebs = (webs: readonly RealWeb[]): string[] =>
  webs.filter((web) => !isHere(web)).map(({ path, from }) => `data/${path} (${from})`)

/** By a path, or by the name of a real web. */
export async function openNamedWeb(name: string, options: OpenWebOptions): Promise<WebGraph> {
  const shared = inSharedData(name)
  return await openWeb(!existsSync(name) && shared !== undefined && existsSync(shared) ? shared : name, options)
}
