/** Reached types: the declarations that somebody who imports a package can come to, by its public ways alone. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Paths of declarations, the given ones among them. */
export function reachedTypes(ways: readonly string[]): ReadonlySet<string> {
  const reached = new Set(ways)
  for (const path of reached) {
    const names = readFileSync(path, 'utf8').matchAll(/(?:\bfrom |\bimport\()['"](?<beside>\.[^'"]+)\.js['"]/g)
    for (const { groups } of names) reached.add(join(dirname(path), `${groups!['beside']!}.d.ts`))
  }
  return reached
}
