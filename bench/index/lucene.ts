/** Lucene's programs in `bench/peers/lucene`, compiled against the jars that are here. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const HOW_TO_GET_LUCENE =
  'apt-get install liblucene8-java default-jdk-headless, and name the folder of jars by --lucene'

/** The class path to run `program` with, or what is missing. `parts` are jars, such as `core`; classes are put into `folder`. */
export function compileLucene(
  program: string,
  parts: readonly string[],
  jars: string,
  folder: string,
): { readonly classPath: string } | string {
  const found: string[] = []
  for (const part of parts) {
    const jar = globSync(join(jars, `lucene-${part}-8.*.jar`))
      .toSorted()
      .at(-1)
    if (jar === undefined) return `no lucene-${part}-8.*.jar in ${jars}: ${HOW_TO_GET_LUCENE}`
    found.push(jar)
  }
  const source = join(import.meta.dirname, `../peers/lucene/${program}.java`)
  const classes = join(folder, 'lucene-classes')
  mkdirSync(classes, { recursive: true })
  const compiled = spawnSync('javac', ['-cp', found.join(':'), '-d', classes, source], { encoding: 'utf8' })
  if (compiled.error !== undefined) return `no javac (${compiled.error.message}): ${HOW_TO_GET_LUCENE}`
  if (compiled.status !== 0) return `javac refused ${source}: ${compiled.stderr}`
  return { classPath: [...found, classes].join(':') }
}
