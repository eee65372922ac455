#!/usr/bin/env -S MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=262144 node --max-semi-space-size=8 --heap-growing-percent=100
/**
 * The door. In a checkout it runs the TypeScript source, on Node 24.12 or newer; an older Node hands over to the pinned one that
 * `npm ci` put beside us. In an installed package it runs what was compiled, on Node 22.19 or newer, the first that knows all of zstd.
 * Where neither can be it says what to do.
 *
 * The first line bounds memory: a crawl makes much garbage and keeps little, in several threads. V8's default young
 * generation and glibc's default of eight malloc arenas a core would take some 100 MB more for no gain in speed. V8 also lets the old
 * generation of each thread grow to four times what is in use before it looks at it again: twice is another 50 MB less, and costs a
 * hundredth of the processor time; 1.4 times would be 40 MB less again, for a twentieth. glibc
 * keeps what pages of some ten kilobytes leave behind, and learns to do so with ever larger ones: with fixed bounds buffers of 64 KB
 * and more go back to the system at once, another 50 MB.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiled = new URL('../lib/main.js', import.meta.url)
const isCompiled = existsSync(compiled)
const main = isCompiled ? compiled : new URL('../src/main.ts', import.meta.url)
const needed = isCompiled ? [22, 19] : [24, 12]
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  module.enableCompileCache()
  // Threads have no other way to know of the cache. It keeps a folder a version of Node.
  const cache = module.getCompileCacheDir()
  if (cache !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(cache)
  await import(main.href)
} else if (!isCompiled && existsSync(pinned)) {
  // The door again, as it is what keeps compiled code.
  const child = spawn(pinned, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  // The terminal sends Ctrl-C to both processes, a supervisor to this one alone: whoever hears it twice at once counts it once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))
} else {
  console.error(
    `comity needs Node ${needed.join('.')} or newer; this is ${process.version}.\n` +
      (isCompiled
        ? 'Install Node 24, then `npx comity …`.'
        : 'Run `npm ci` in the project folder, which puts the right Node beside the code on Linux and on Windows x64; on other ' +
          'systems install Node 24. Then `npx comity …`.'),
  )
  process.exitCode = 1
}
