/**
 * Build: makes of each public package in `packages/` what is published, in `dist/NAME`: compiled modules with types and source maps in `lib/`,
 * the files they read, a package.json, a README and the license. `npm pack` of that folder is the tarball.
 *
 *   npm run build
 *
 * The checkout goes on running its source, and nothing there knows of `dist`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { COMPILED, compiledPath, publicManifest, waysInto } from './public-manifest.ts'
import type { Manifest, RootManifest } from './public-manifest.ts'
import { lineMappings } from './line-map.ts'
import { withNamedFiles } from './named-files.ts'
import { publicReadme } from './public-readme.ts'
import { reachedTypes } from './reached-types.ts'

const root = resolve(import.meta.dirname, '..')
export const DIST: string = join(root, 'dist')
const STAGE = join(DIST, '.compiled')

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )

/** Compiles everything at once. */
function compile(): void {
  rmSync(DIST, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { status } = spawnSync(process.execPath, [tsc, '-p', import.meta.dirname], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`the compiler ended with ${status}`)
}

/** What only tests need. */
const isForTests = (path: string): boolean => /(?:^|\/)testing\/|\.(?:test|suite)\.ts$|-fixture\.ts$/.test(path)

function makePackage(name: string, manifest: Manifest, common: RootManifest): string {
  const folder = join(root, 'packages', name)
  const place = join(DIST, name)
  const lib = join(place, COMPILED)
  mkdirSync(place)
  renameSync(join(STAGE, name, 'src'), lib)
  for (const path of filesIn(lib)) if (!path.endsWith('.map')) finish(path, { folder, lib, place })
  for (const path of filesIn(lib)) if (path.endsWith('.map')) rmSync(path)
  const ways = waysInto(manifest).map(([, source]) => join(place, compiledPath(source).replace(/\.js$/, '.d.ts')))
  const reached = reachedTypes(ways)
  for (const path of filesIn(lib)) if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
  for (const path of filesIn(join(folder, 'src'))) {
    const within = relative(join(folder, 'src'), path)
    if (!path.endsWith('.ts') && !isForTests(within)) copy(path, join(lib, within))
  }
  if (manifest.bin !== undefined) copy(join(folder, 'bin'), join(place, 'bin'))
  copy(join(root, 'LICENSE'), join(place, 'LICENSE'))
  const blobs = `${common.homepage}/blob/v${manifest.version}`
  const readme = publicReadme(readFileSync(join(folder, 'README.md'), 'utf8'), { folder: `packages/${name}`, blobs })
  writeFileSync(join(place, 'README.md'), readme)
  const published = publicManifest(manifest, common, `packages/${name}`)
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  return place
}

interface CompiledPlace {
  readonly folder: string
  readonly lib: string
  readonly place: string
}

/** Makes one compiled file fit for where it will stand. */
function finish(path: string, { folder, lib, place }: CompiledPlace): void {
  const within = relative(lib, path).replace(/(?:\.d\.ts|\.js)$/, '.ts')
  const { code, outside } = withNamedFiles(readFileSync(path, 'utf8'), {
    source: join(folder, 'src', within),
    folder,
    root: relative(dirname(path), join(lib, 'outside')),
  })
  writeFileSync(
    path,
    path.endsWith('.d.ts') ? code : withMap(code, path, `${relative(dirname(path), place)}/src/${within}`),
  )
  for (const file of outside) copy(file, join(lib, 'outside', relative(root, file)))
}

/** Lines of the source, named as it is in the repository: `src/robots/rules.ts`. */
function withMap(code: string, path: string, source: string): string {
  const { version, mappings } = readJson(`${path}.map`) as { readonly version: number; readonly mappings: string }
  const map = { version, sources: [source], names: [], mappings: lineMappings(mappings) }
  const inline = Buffer.from(JSON.stringify(map)).toString('base64')
  return code.replace(/^\/\/# sourceMappingURL=.*$/m, `//# sourceMappingURL=data:application/json;base64,${inline}`)
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
}

/** Builds all; gives the folder of each, under its name. */
export function build(): ReadonlyMap<string, string> {
  const common = readJson(join(root, 'package.json')) as RootManifest
  compile()
  const names = readdirSync(join(root, 'packages'))
  const made = names.flatMap((name): [string, string][] => {
    const manifest = readJson(join(root, 'packages', name, 'package.json')) as Manifest
    return manifest.private === true ? [] : [[manifest.name, makePackage(name, manifest, common)]]
  })
  rmSync(STAGE, { recursive: true })
  return new Map(made)
}

if (import.meta.main) {
  const beganAt = Date.now()
  const made = build()
  for (const [name, folder] of made) {
    const bytes = filesIn(folder).reduce((sum, path) => sum + readFileSync(path).length, 0)
    console.log(`${name.padEnd(20)} ${(bytes / 1e6).toFixed(2).padStart(6)} MB  ${relative(root, folder)}`)
  }
  console.log(`${made.size} packages in ${((Date.now() - beganAt) / 1_000).toFixed(1)} s`)
}
