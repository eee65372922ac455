/** A stranger's folder: empty but for what npm puts there when somebody installs these tarballs. */
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './processes.ts'
import type { Tarball } from './tarballs.ts'

export interface Installed {
  readonly folder: string
  /** What npm has put there: names with versions. */
  readonly packages: number
  readonly bytes: number
  /** The same in whole blocks of the disk, as `du` counts. */
  readonly diskBytes: number
}

export async function install(
  folder: string,
  tarballs: readonly Tarball[],
  more: readonly string[],
): Promise<Installed> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const wanted = [...tarballs.map(({ path }) => path), ...more]
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted], folder)
  const modules = join(folder, 'node_modules')
  const found = readdirSync(modules, { recursive: true, withFileTypes: true })
  const packages = found.filter(
    ({ name, parentPath }) => name === 'package.json' && /node_modules\/(?:@[^/]+\/)?[^/]+$/.test(parentPath),
  )
  const stats = found.map(({ name, parentPath }) => lstatSync(join(parentPath, name)))
  const bytes = stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
  const diskBytes = stats.reduce((sum, { blocks }) => sum + blocks * 512, 0)
  return { folder, packages: packages.length, bytes, diskBytes }
}

/** A package and those of ours that it needs, out of all. */
export function withNeeds(
  name: string,
  tarballs: readonly Tarball[],
  needsOf: (name: string) => readonly string[],
): Tarball[] {
  const names = new Set([name])
  for (const one of names) for (const other of needsOf(one)) names.add(other)
  return tarballs.filter((tarball) => names.has(tarball.name))
}
