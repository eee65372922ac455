/**
 * Sandbox launch: the command that starts a sandbox's process, with as many walls around it as the machine has.
 *
 *   always             a process of its own, an empty environment, a small heap
 *   Node's permissions no file may be read but its own code, none written, no process or thread started
 *   Unix               a limit of processor time that the kernel keeps, also when the host is gone
 *   Linux              `unshare`: a network namespace without a network, where the system lets users make one
 *
 * The agent itself is behind another wall, WebAssembly, inside which there is nothing to call but the host's one function.
 * These are for the day that one has a hole.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Launch {
  readonly command: string
  readonly args: readonly string[]
  /** Whether the process is cut off from the network by the system, and not only by having no way to ask for it. */
  readonly isOffline: boolean
}

const OLD_SPACE_MB = 128

const UNSHARE = ['/usr/bin/unshare', '/bin/unshare']
const OFFLINE_ARGS = ['--user', '--map-current-user', '--net', '--']

/** `cpuMs`: when the kernel is to end it, if nobody else did; in whole seconds, and some to spare. */
export function sandboxLaunch(cpuMs: number, program: string = childPath()): Launch {
  const node = [
    realpathSync(process.execPath),
    `--max-old-space-size=${OLD_SPACE_MB}`,
    '--permission',
    ...readable().map((folder) => `--allow-fs-read=${folder}`),
    program,
  ]
  const unshare = offlineCommand()
  const inside = unshare === undefined ? node : [unshare, ...OFFLINE_ARGS, ...node]
  const [command, ...args] = [...limited(cpuMs), ...inside] as [string, ...string[]]
  return { command, args, isOffline: unshare !== undefined }
}

const SHELL = '/bin/sh'
const SPARE_SECONDS = 5

function limited(cpuMs: number): string[] {
  if (process.platform === 'win32' || !existsSync(SHELL)) return []
  const seconds = Math.ceil(cpuMs / 1_000) + SPARE_SECONDS
  return [SHELL, '-c', 'ulimit -t "$0"; exec "$@"', `${seconds}`]
}

let found: { readonly path: string | undefined } | undefined

/** The program that takes the network away, when there is one and the system lets it. Asked once. */
function offlineCommand(): string | undefined {
  found ??= { path: UNSHARE.find(isUsable) }
  return found.path
}

function isUsable(path: string): boolean {
  if (process.platform !== 'linux' || !existsSync(path)) return false
  return spawnSync(path, [...OFFLINE_ARGS, '/bin/true'], { stdio: 'ignore', timeout: 5_000, env: {} }).status === 0
}

/** Where this file is TypeScript, so is the other; where it was built, neither is. */
const childPath = (): string => fileURLToPath(import.meta.resolve(`./child${endingOf(import.meta.filename)}`))

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.'))

/** Folders the process must read to load its code: this package's, and those of QuickJS. */
function readable(): string[] {
  const core = fileURLToPath(import.meta.resolve('quickjs-emscripten-core'))
  const variant = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync'))
  const types = createRequire(core).resolve('@jitl/quickjs-ffi-types')
  const folders = [import.meta.filename, core, variant, types].map(packageOf)
  return [...new Set(folders.map((folder) => `${realpathSync(folder)}/`))]
}

/** The nearest folder above a file that holds a package.json. */
function packageOf(path: string): string {
  let folder = dirname(path)
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
