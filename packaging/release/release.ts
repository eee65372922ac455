/**
 * Release: everything but publishing.
 *
 *   npm run release -- --dry-run [--version 0.2.0]
 *
 * Refuses by the rules of `release-rules.ts`; sets version and date; builds, runs the gate and packs; says what a pipeline is to publish. At the
 * end the tree is as it was, and the tarballs are in `dist/tarballs`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from '../build.ts'
import { pack } from '../gate/tarballs.ts'
import {
  changelogFault,
  dated,
  formatFaults,
  formatRows,
  inOrder,
  lockWithVersion,
  treeFault,
  versionFault,
  withVersion,
} from './release-rules.ts'
import type { VersionedManifest } from './release-rules.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const CHANGELOG = 'CHANGELOG.md'
const LOCK = 'package-lock.json'

interface Manifest extends VersionedManifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly provenance?: boolean; readonly access?: string }
}

const manifestAt = (path: string): Manifest => ({ ...(JSON.parse(read(path)) as Manifest), path })
const manifests = globSync('packages/*/package.json', { cwd: root }).map(manifestAt)

function faultsOf(version: string): string[] {
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  const some = [treeFault(status), versionFault(manifests), changelogFault(read(CHANGELOG), version)]
  const formats = formatFaults(formatRows(read('docs/formats.md')), read, (path) => existsSync(join(root, path)))
  return [...some.filter((fault) => fault !== undefined), ...formats]
}

/** What the release changes in the tree, by path. */
function changesFor(from: string, version: string, day: string): Map<string, string> {
  const changed = manifests.map(({ path }) => [path, withVersion(read(path), from, version)] as const)
  const lock = [LOCK, lockWithVersion(read(LOCK), from, version)] as const
  const all = [...changed, lock, [CHANGELOG, dated(read(CHANGELOG), version, day)] as const]
  return new Map(all.filter(([path, text]) => text !== read(path)))
}

async function release(version: string): Promise<void> {
  const folders = build()
  const gate = spawnSync(process.execPath, [join(root, 'packaging/check.ts')], { cwd: root, stdio: 'inherit' })
  if (gate.status !== 0) throw new Error('the gate does not let it through: npm run check:packages says why')
  const into = join(root, 'dist/tarballs')
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into)
  // The gate has built anew; the folders are the same.
  const tarballs = new Map((await pack(folders, into)).map((tarball) => [tarball.name, tarball]))
  const built = [...tarballs.values()].map(
    ({ folder, name }) => [name, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest] as const,
  )
  for (const [name, { version: own, publishConfig }] of built)
    if (own !== version || publishConfig?.provenance !== true || publishConfig.access !== 'public')
      throw new Error(`${name} would be published as ${own}, ${JSON.stringify(publishConfig)}`)
  const needs = new Map(
    built.map(([name, { dependencies, peerDependencies }]) => [
      name,
      Object.keys({ ...dependencies, ...peerDependencies }),
    ]),
  )
  console.log(
    `\nA pipeline with OIDC and npm 11.5.1 or newer is to publish ${version}, from this commit, in this order:`,
  )
  for (const name of inOrder(needs)) {
    const { path } = tarballs.get(name)!
    console.log(
      `  npm publish dist/tarballs/${basename(path)}   # sha512-${hash('sha512', readFileSync(path), 'base64')}`,
    )
  }
  console.log(`  git tag -s v${version}`)
}

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, version: { type: 'string' } } })
const [first] = manifests
const current = first?.version ?? ''
const version = values.version ?? current
if (values['dry-run'] !== true) {
  console.error(
    'Publishing is for a pipeline that the registry trusts: `npm run release -- --dry-run` does all that comes before, and says the rest.',
  )
  process.exit(2)
}
if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)) {
  console.error(`${version} is no version: three numbers, such as 0.2.0.`)
  process.exit(2)
}
const faults = faultsOf(version)
if (faults.length > 0) {
  for (const fault of faults) console.error(`✖ ${fault}`)
  process.exit(1)
}
const changes = changesFor(current, version, new Date().toISOString().slice(0, 10))
const before = new Map([...changes.keys()].map((path) => [path, read(path)]))
try {
  for (const [path, text] of changes) {
    console.log(`${path}: ${version}`)
    writeFileSync(join(root, path), text)
  }
  await release(version)
} finally {
  for (const [path, text] of before) writeFileSync(join(root, path), text)
}
