/** Repository tree: the files of this repository as the tests about it see them, and what they import. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const root: string = resolve(import.meta.dirname, '..')

/** Not ours: what npm installs, what git and tools keep for themselves, what is built. */
const FOREIGN = new Set(['node_modules', '.git', 'tmp', 'dist'])

/** Paths of all files, from the root, with `/`. */
export const files: readonly string[] = walk(root).toSorted()

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (FOREIGN.has(entry.name)) return []
    return entry.isDirectory() ? walk(path) : [relative(root, path).replaceAll('\\', '/')]
  })
}

export const isTest = (path: string): boolean => /(?:\.(?:test|suite)|-fixture)\.ts$|\/testing\//.test(path)

/** Source of the packages: no tests, no lists of exports. */
export const sources: readonly string[] = files.filter(
  (path) => /^packages\/[^/]+\/src\/.+\.ts$/.test(path) && !isTest(path) && !path.endsWith('/index.ts'),
)

/** Fixtures, samples and processes to kill: what only tests need, and nothing that ships asks for. */
export const testing: readonly string[] = files.filter(
  (path) => /^packages\/[^/]+\/src\/(?:.+\/)?testing\/.+\.ts$/.test(path) && !path.endsWith('.test.ts'),
)

/** The package a path belongs to: `packages/frontier/src/queue/site.ts` is of `frontier`. */
export const packageOf = (path: string): string => path.split('/')[1] ?? ''

export const packages: readonly string[] = readdirSync(join(root, 'packages'))

export interface Import {
  readonly from: string
  readonly specifier: string
  /** Only types: nothing of it is there at run time. */
  readonly typeOnly: boolean
}

/** The import and export statements of a file. Module paths in other places, such as a worker's URL, are not among them. */
export function importsOf(path: string): Import[] {
  const statements = read(path).matchAll(/^(?:import|export)\b(?<what>[^'"`;]*?)\bfrom '(?<specifier>[^']+)'/gm)
  const bare = read(path).matchAll(/^import '(?<specifier>[^']+)'|\bimport\('(?<inline>[^']+)'\)/gm)
  return [
    ...statements.map(({ groups }) => ({
      from: path,
      specifier: groups?.['specifier'] ?? '',
      typeOnly: /^\s*type\b/.test(groups?.['what'] ?? ''),
    })),
    ...bare.map(({ groups }) => ({
      from: path,
      specifier: groups?.['specifier'] ?? groups?.['inline'] ?? '',
      typeOnly: false,
    })),
  ]
}

/** The package of a bare specifier: `@comity/lab`, `undici`. */
export function dependencyOf(specifier: string): string | undefined {
  if (/^(?:\.|node:|#)/.test(specifier)) return undefined
  return /^@[^/]+\/[^/]+|^[^/]+/.exec(specifier)?.[0]
}

/** The inside of `code spans` and of fenced blocks, line by line. */
export function codeIn(markdown: string): string[] {
  const fenced = [...markdown.matchAll(/^```[^\n]*\n(?<body>[\s\S]*?)^```/gm)].map(
    ({ groups }) => groups?.['body'] ?? '',
  )
  const spans = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`(?<span>[^`\n]+)`/g)]
  return [...fenced.flatMap((body) => body.split('\n')), ...spans.map(({ groups }) => groups?.['span'] ?? '')]
}

/** First cells of the rows of all tables, without their marks: what a table is about. */
export function rowsIn(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf('|'))
        .split('|')
        .map((cell) => cell.trim()),
    )
}
