// Runs alone: what it does ends processes.
/**
 * A fault that nobody waited for ends the process with code 1, whatever timers, sockets and threads a command has open, and
 * says what happened: a supervisor can start it again.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { comity, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const PRELOAD = fileURLToPath(new URL('fault-preload.ts', import.meta.url))
const folder = temporaryFolder()
let site: SmallSite

before(async () => {
  site = await createSmallSite({ '/': page('Home', '/a'), '/a': page('A') }, '127.0.50.2')
  mkdirSync(folder.at('root'), { recursive: true })
  writeFileSync(join(folder.at('root'), 'index.html'), page('Home'))
  await quickCrawl(folder.at('held'), [`${site.origin}/`])
})
after(async () => {
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const politeness = ['--allow-private', '--json']

/** Commands that run until somebody stops them, with all that keeps a process alive. */
const commands: [name: string, args: () => readonly string[]][] = [
  ['crawl', () => ['crawl', `${site.origin}/`, '--into', folder.at('new'), '--delay', '30s', ...politeness]],
  ['watch', () => ['watch', folder.at('held'), '--listen', '127.0.0.1:0', ...politeness]],
  ['serve', () => ['serve', folder.at('held'), '--port', '0', '--json']],
  [
    'publish',
    () => ['publish', folder.at('root'), '--base', 'http://127.0.50.3/', '--serve', '127.0.0.1:0', '--watch', '--json'],
  ],
  [
    'gateway',
    () => [
      'gateway',
      '--proxy',
      site.origin,
      '--listen',
      '127.0.0.1:0',
      '--export',
      folder.at('out'),
      '--state',
      folder.at('state'),
    ],
  ],
]
for (const [name, args] of commands) {
  for (const way of name === 'serve' ? ['late', 'reject'] : ['late']) {
    test(
      `${name}: ${way === 'late' ? 'an exception' : 'a rejection'} that nobody waited for ends the process with code 1`,
      { timeout: 120_000 },
      async () => {
        const env = { NODE_OPTIONS: `--import ${PRELOAD}`, FAULT_WAY: way, FAULT_MS: '3000' }
        const { code, stderr } = await comity(args(), { env })
        assert.equal(code, 1, stderr)
        assert.match(stderr, /this should not have happened[^]*x is not a function/)
      },
    )
  }
}
