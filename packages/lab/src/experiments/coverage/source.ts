/** Which webs the coverage experiment runs on when none is named: a generated one, and the real ones that this machine has. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openWeb } from '../../webs/open-web.ts'
import type { OpenWebOptions } from '../../webs/open-web.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

const GRAPHS = [
  'graphs/cnr-2000.graph-txt.gz',
  'graphs/uk-2007-05@100000.graph-txt.gz',
  'graphs/1996-uk-web-hosts.tsv.gz',
  'graphs/california/gr0.California.txt',
  'graphs/cs-stanford',
  'graphs/debian-doc-web',
  'graphs/webkb',
]

/** See CONTRIBUTING.md. */
const inSharedData = (name: string): string | undefined => {
  const root = process.env['COMITY_SHARED']
  return root === undefined ? undefined : join(root, 'data', name)
}

export const usualGraphs = (): string[] => [
  'generated:pages=50000',
  ...GRAPHS.filter((name) => {
    const path = inSharedData(name)
    return path !== undefined && existsSync(path)
  }),
]

export async function openGraph(name: string, options: OpenWebOptions): Promise<WebGraph> {
  const shared = inSharedData(name)
  return await openWeb(!existsSync(name) && shared !== undefined && existsSync(shared) ? shared : name, options)
}
