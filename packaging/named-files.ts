/**
 * Named files: a module names others not by imports alone, but by paths too, as that of a worker's program or of a style. What is compiled
 * stands elsewhere and ends otherwise, so these paths are written anew. They are found, not listed:
 *
 *   './page-worker.ts'                        a source beside: its compiled form
 *   new URL('../client/x.css', …)             a file of the package: as it is, it is copied to the same place
 *   new URL('../../../../examples/…/', …)     a file outside of the package: comes along, below `outside/`
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export interface NamedFiles {
  readonly code: string
  /** Files and folders outside of the package that must come along. */
  readonly outside: readonly string[]
}

export interface CodePlace {
  /** The TypeScript source that it was compiled from. */
  readonly source: string
  /** The folder of the package in the checkout. */
  readonly folder: string
  /** Where the outside files will stand, from where the compiled file stands: `../outside`. */
  readonly root: string
}

const SOURCE_NAME = /(?<quote>['"`])(?<path>(?:\.{1,2}\/)*[\w./-]+)\.ts\k<quote>/g
const URL_OUTSIDE = /(?<before>new URL\(\s*['"`])(?<path>(?:\.\.\/)+[^'"`]*)(?=['"`],\s*import\.meta\.url)/g

/** Comments name files, too; those are for readers of the source, which is in the repository. */
const isInComment = (text: string, at: number): boolean =>
  /^\s*(?:\*|\/[/*])/.test(text.slice(text.lastIndexOf('\n', at) + 1, at))

export function withNamedFiles(code: string, { source, folder, root }: CodePlace): NamedFiles {
  const beside = dirname(source)
  const compiled = code.replaceAll(SOURCE_NAME, (all: string, quote: string, path: string, at: number) =>
    !isInComment(code, at) && existsSync(join(beside, `${path}.ts`)) ? `${quote}${path}.js${quote}` : all,
  )
  const outside: string[] = []
  const whole = compiled.replaceAll(URL_OUTSIDE, (all: string, before: string, path: string, at: number) => {
    const end = path.indexOf('${')
    const named = join(beside, end === -1 ? path : path.slice(0, end))
    if (isInComment(compiled, at) || !relative(folder, named).startsWith('..')) return all
    if (!existsSync(named)) throw new Error(`${source} names ${path}, and there is none`)
    outside.push(named)
    const place = relative(join(folder, '../..'), named) + (statSync(named).isDirectory() ? '/' : '')
    return `${before}${root}/${place}${end === -1 ? '' : path.slice(end)}`
  })
  return { code: whole, outside }
}
