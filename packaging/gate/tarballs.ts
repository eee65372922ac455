/** Tarballs: each built package packed as for the registry, with what stands in it. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { run } from './processes.ts'

export interface Tarball {
  readonly name: string
  readonly version: string
  /** The folder it was packed from. */
  readonly folder: string
  readonly path: string
  readonly files: readonly string[]
  readonly packedBytes: number
  readonly unpackedBytes: number
}

interface PackedByNpm {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

export async function pack(folders: ReadonlyMap<string, string>, into: string): Promise<Tarball[]> {
  const all = [...folders.values()]
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', into, ...all], into)
  const said = JSON.parse(stdout) as readonly PackedByNpm[] | Readonly<Record<string, PackedByNpm>>
  return Object.values(said).map(({ name, version, filename, size, unpackedSize, files }) => ({
    name,
    version,
    folder: folders.get(name)!,
    path: join(into, filename),
    files: files.map(({ path }) => path),
    packedBytes: size,
    unpackedBytes: unpackedSize,
  }))
}

const EVERYWHERE = ['package.json', 'README.md', 'LICENSE']
const NOT_FOR_OTHERS = /(?:^|\/)(?:testing|fixtures?|test)\/|\.(?:test|suite)\.|-fixture\.|(?<!\.d)\.ts$/

/** All that the build has made for a package, as paths in it. */
export const builtFiles = ({ folder }: Tarball): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')] : [],
  )

/** What is wrong with the files of a tarball, beside those that were built; nothing when all is well. */
export function contentFaults({ files }: Pick<Tarball, 'files'>, built: readonly string[]): string[] {
  const packed = new Set(files)
  return [
    ...built.filter((path) => !packed.has(path)).map((path) => `${path} was built, and is not packed`),
    ...EVERYWHERE.filter((name) => !files.includes(name)).map((name) => `${name} is missing`),
    ...files.filter((path) => NOT_FOR_OTHERS.test(path)).map((path) => `${path} is nobody else's`),
  ]
}

/** A package whose `files` forget one that was built: whether that is told, by packing one like that. */
export async function missesForgotten({ folder, name }: Tarball, scratch: string): Promise<boolean> {
  const copy = join(scratch, 'forgetful')
  cpSync(folder, copy, { recursive: true })
  const path = join(copy, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { readonly files: readonly string[] }
  writeFileSync(path, JSON.stringify({ ...manifest, files: [...manifest.files, '!lib/index.js'] }))
  const [forgetful] = await pack(new Map([[name, copy]]), scratch)
  return contentFaults(forgetful!, builtFiles(forgetful!)).includes('lib/index.js was built, and is not packed')
}
