#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
/**
 * The door: runs the TypeScript source on Node 24.12 or newer. An older Node hands over to the pinned one that
 * `npm ci` put beside us, and says what to do when there is none.
 *
 * The first line bounds memory: a crawl makes much garbage and keeps little, in several threads. V8's default young
 * generation and glibc's default of eight malloc arenas a core would take some 100 MB more for no gain in speed.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 12)) {
  module.enableCompileCache()
  // Threads have no other way to know of the cache. It keeps a folder a version of Node.
  const cache = module.getCompileCacheDir()
  if (cache !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(cache)
  await import(main.href)
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [...process.execArgv, fileURLToPath(main), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // The terminal sends Ctrl-C to both processes; forwarding it would count twice.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
} else {
  console.error(
    `comity needs Node 24.12 or newer; this is ${process.version}.\n` +
      'Run `npm ci` in the project folder, which puts the right Node beside the code on Linux and on Windows x64; on other ' +
      'systems install Node 24. Then `npx comity …`.',
  )
  process.exitCode = 1
}
