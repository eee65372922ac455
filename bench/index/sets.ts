/** The sets of manuals that `bench/index.ts` knows by name, relative to a folder of unpacked Debian packages. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentSet } from './documents.ts'

export interface KnownSet extends DocumentSet {
  /** Unpacked by `dpkg-deb -x` into a folder of its name. */
  readonly debianPackage: string
  /** What our index without positions may take at most, in percent of the HTML. */
  readonly mostDocumentLevel?: number | undefined
}

export const KNOWN_SETS: readonly KnownSet[] = [
  {
    name: 'PostgreSQL',
    debianPackage: 'postgresql-doc-15',
    folder: 'usr/share/doc/postgresql-doc-15/html',
    mostDocumentLevel: 2.5,
  },
  { name: 'Python', debianPackage: 'python3.11-doc', folder: 'usr/share/doc/python3.11/html', mostDocumentLevel: 1 },
  {
    name: 'OpenJDK',
    debianPackage: 'openjdk-17-doc',
    folder: 'usr/share/doc/openjdk-17-doc/api',
    first: 3_000,
    mostDocumentLevel: 0.7,
  },
  { name: 'SQLite', debianPackage: 'sqlite3-doc', folder: 'usr/share/doc/sqlite3' },
  { name: 'Debian handbook', debianPackage: 'debian-handbook', folder: 'usr/share/doc/debian-handbook/html' },
  { name: 'Boost', debianPackage: 'libboost1.81-doc', folder: 'usr/share/doc/libboost1.81-doc' },
]

/** The known sets that are there; all of them, or those that are named. `missing` says what to do about the others. */
export function setsIn(corpus: string, names: readonly string[]): { sets: DocumentSet[]; missing: string[] } {
  const wanted = names.length === 0 ? KNOWN_SETS : names.map((name) => knownSet(name))
  const sets: DocumentSet[] = []
  const missing: string[] = []
  for (const { name, debianPackage, folder, first } of wanted) {
    const path = join(corpus, debianPackage, folder)
    if (existsSync(path)) sets.push({ name, folder: path, first })
    else missing.push(`${name}: apt-get download ${debianPackage}, dpkg-deb -x it into ${join(corpus, debianPackage)}`)
  }
  return { sets, missing }
}

/** `name=folder`, or a folder alone. */
export function parseSet(argument: string): DocumentSet {
  const cut = argument.indexOf('=')
  const set = { name: argument.slice(0, Math.max(0, cut)) || argument, folder: argument.slice(cut + 1) }
  if (!existsSync(set.folder)) throw new RangeError(`no folder ${set.folder}: give --set name=folder`)
  return set
}

function knownSet(name: string): KnownSet {
  const found = KNOWN_SETS.find((set) => set.name.toLowerCase() === name.toLowerCase())
  if (found === undefined)
    throw new RangeError(`no set is called ${name}: there are ${KNOWN_SETS.map((set) => set.name).join(', ')}`)
  return found
}
