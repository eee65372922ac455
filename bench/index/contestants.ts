/** Who takes part in `bench/index.ts`: ours and FTS5 in Node, Lucene in Java. Says what is missing and how to get it. */
import { spawnSync } from 'node:child_process'
import type { Engine } from './engine.ts'
import { fts5 } from './fts5.ts'
import { compileLucene } from './lucene.ts'
import { ours } from './ours.ts'
import { javaContestant, nodeContestant } from './process.ts'
import type { Contestant } from './process.ts'

export const NODE_ENGINES: Readonly<Record<string, Engine>> = { ours, fts5 }

export const ENGINE_IDS: readonly string[] = ['ours', 'fts5', 'lucene']

export interface Contest {
  readonly contestants: readonly Contestant[]
  /** Who, and how to get it. */
  readonly missing: readonly (readonly [peer: string, how: string])[]
}

/** `main` is the script that does the acts of engines in Node; classes are put into `folder`. */
export function findContestants(only: readonly string[], main: string, jars: string, folder: string): Contest {
  const contestants: Contestant[] = []
  const missing: [string, string][] = []
  for (const id of only.length === 0 ? ENGINE_IDS : only) {
    const found = id === 'lucene' ? findLucene(jars, folder) : nodeContestant(id, NODE_ENGINES[id]!.name, main)
    if (typeof found === 'string') missing.push([id, found])
    else contestants.push(found)
  }
  return { contestants, missing }
}

function findLucene(jars: string, folder: string): Contestant | string {
  const compiled = compileLucene('LuceneBench', ['core'], jars, folder)
  if (typeof compiled === 'string') return compiled
  const { classPath } = compiled
  const version = spawnSync('java', ['-cp', classPath, 'LuceneBench', 'version'], { encoding: 'utf8' }).stdout.trim()
  return javaContestant('lucene', `Lucene ${version}`, classPath)
}
