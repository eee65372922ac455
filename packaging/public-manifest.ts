/**
 * Public manifest: the package.json that is published, made of the one in the checkout and of the root's. The checkout runs its
 * source; who installs a package gets what was compiled. All packages have one version, and each asks for exactly that of the
 * others: what they call `./internal` is promised to nobody else.
 */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly private?: boolean
  readonly license?: string
  readonly type?: string
  readonly exports?: string | Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly keywords?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** What all packages have in common stands in the package.json of the root. */
export interface RootManifest {
  readonly license: string
  readonly homepage: string
  readonly repository: { readonly type: string; readonly url: string }
  readonly config: { readonly publicEngines: Readonly<Record<string, string>> }
}

/** Where the compiled files of a package stand in it. */
export const COMPILED = 'lib'

export const compiledPath = (source: string): string =>
  source.replace(/^\.\/src\//, `./${COMPILED}/`).replace(/\.ts$/, '.js')

/** For the packages of the checkout, and in no tarball. */
const isForTests = (name: string): boolean => name === './testing'

/** Each public way into a package, under its name, with the source it leads to. */
export function waysInto({ exports = {} }: Manifest): [name: string, source: string][] {
  const ways = typeof exports === 'string' ? { '.': exports } : exports
  return Object.entries(ways).filter(([name]) => !isForTests(name))
}

function publicExports(manifest: Manifest): Record<string, string | Record<string, string>> {
  const ways = waysInto(manifest).map(([name, source]) => {
    const code = compiledPath(source)
    return [name, { types: code.replace(/\.js$/, '.d.ts'), default: code }] as const
  })
  return { ...Object.fromEntries(ways), './package.json': './package.json' }
}

const withVersion = (version: string, all: Manifest['dependencies']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(all ?? {}).map(([name, range]) => [name, name.startsWith('@comity/') ? version : range]),
  )

/** `folder`: where it stands in the repository. */
export function publicManifest(own: Manifest, root: RootManifest, folder: string): Record<string, unknown> {
  const { name, version, description, bin, keywords, engines, peerDependencies, peerDependenciesMeta } = own
  const hasBin = bin !== undefined
  return {
    name,
    version,
    description,
    keywords: ['crawler', 'comity', ...(keywords ?? [])],
    license: root.license,
    homepage: root.homepage,
    repository: { ...root.repository, directory: folder },
    type: 'module',
    ...(hasBin ? { bin } : {}),
    exports: publicExports(own),
    // Nothing happens when a module is loaded but that its names are made.
    sideEffects: hasBin,
    files: [COMPILED, ...(hasBin ? ['bin'] : [])],
    engines: engines ?? root.config.publicEngines,
    ...(own.dependencies === undefined ? {} : { dependencies: withVersion(version, own.dependencies) }),
    ...(peerDependencies === undefined
      ? {}
      : { peerDependencies: withVersion(version, peerDependencies), peerDependenciesMeta }),
    publishConfig: { access: 'public', provenance: true },
  }
}
