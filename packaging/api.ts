/**
 * API: writes `api/NAME.md` for each public package, out of what the build has made; see `api-page.ts`.
 *
 *   npm run api
 *
 * `npm run check:packages` fails where a page is not what would be written now: then this renews it, and whoever reviews sees what changed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { apiPage } from './api-page.ts'
import { build } from './build.ts'
import { compiledPath, waysInto } from './public-manifest.ts'
import type { Manifest } from './public-manifest.ts'

const root = resolve(import.meta.dirname, '..')
const API = join(root, 'api')

/** Pages by file name, of packages by the folder that was built. */
export function apiPages(built: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const rows = readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^\| `(?<code>[A-Z_]+)` .*$/gm)
  const errors = new Map(Array.from(rows, ({ 0: row, groups }) => [groups!['code']!, row.replaceAll(/ {2,}/g, ' ')]))
  const programs = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'))
  const sources = programs.map((name) => [name, readFileSync(join(root, 'examples', name), 'utf8')] as const)
  return new Map(
    [...built].flatMap(([name, place]): [string, string][] => {
      const folder = basename(place)
      const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest
      const ways = waysInto(manifest)
        .filter(([way]) => way !== './internal')
        .map(([way, source]) => ({
          specifier: name + way.slice(1),
          path: join(place, compiledPath(source).replace(/\.js$/, '.d.ts')),
        }))
      if (ways.length === 0) return []
      const examples = sources
        .filter(([, text]) => text.includes(`from '${name}'`))
        .map(([program]) => `[${program}](../examples/${program})`)
      const readme = `../packages/${folder}/README.md`
      const description = (manifest.description ?? '').replaceAll(`${root}/`, '')
      return [[`${folder}.md`, outsideLinks(apiPage({ name, description, ways, errors, examples, readme }))]]
    }),
  )
}

/** Rows of errors link beside themselves. */
const outsideLinks = (page: string): string => page.replaceAll(/\]\((?<file>[a-z-]+\.md)/g, '](../docs/$<file>')

/** What is checked in and is not what the sources say. */
export function apiFaults(pages: ReadonlyMap<string, string>): string[] {
  const held = existsSync(API) ? readdirSync(API) : []
  return [
    ...held.filter((name) => !pages.has(name)).map((name) => `api/${name} is of no package`),
    ...[...pages].flatMap(([name, page]) => {
      const before = held.includes(name) ? readFileSync(join(API, name), 'utf8').split('\n') : []
      const now = page.split('\n')
      const at = now.findIndex((line, i) => line !== before[i])
      if (at === -1 && before.length === now.length) return []
      const line = at === -1 ? now.length : at
      return [`api/${name}:${line + 1} says "${before[line] ?? ''}", and the source "${now[line] ?? ''}"`]
    }),
  ]
}

if (import.meta.main) {
  const pages = apiPages(build())
  rmSync(API, { recursive: true, force: true })
  mkdirSync(API)
  for (const [name, page] of pages) writeFileSync(join(API, name), page)
  console.log(`${pages.size} pages in api/`)
}
