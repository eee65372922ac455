/** A web by the name a user gives it: a file, a folder, a collection, or `generated:…`. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isGeneratedName, parseGeneratedName } from './generated/settings.ts'
import { generateWeb } from './generated/web.ts'
import { webOfCollection } from './graph/collection.ts'
import { loadWeb } from './graph/graph-file.ts'
import { webOfWebkb } from './graph/webkb.ts'
import type { WebGraph } from './graph/web-graph.ts'

export interface OpenWebOptions {
  /** A file that gives each page its site, for webs without URLs. */
  readonly hosts?: string | undefined
  /** What is going on, for people. */
  readonly onStep?: (step: string) => void
}

export async function openWeb(
  name: string,
  { hosts, onStep = () => undefined }: OpenWebOptions = {},
): Promise<WebGraph> {
  if (isGeneratedName(name)) {
    const settings = parseGeneratedName(name)
    return generateWeb(settings, (stage) => onStep(`making ${stage}`))
  }
  if (isFolder(name) && existsSync(join(name, 'collection.json'))) return await webOfCollection(name)
  if (isFolder(name) && readdirSync(name).some((file) => /webkb-pages/.test(file))) return await webOfWebkb(name)
  onStep(`reading ${basename(name)}`)
  return await loadWeb(name, hosts === undefined ? {} : { hosts })
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
