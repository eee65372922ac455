/**
 * What commands make is for their owner alone: every folder, whatever the umask, and every file of secrets. The mode of a
 * folder that was there is kept.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { comity, temporaryFolder } from '../packages/cli/src/spawned-comity.ts'
import type { Ended, SpawnOptions } from '../packages/cli/src/spawned-comity.ts'
import { createSmallSite, page } from './small-site.ts'
import type { SmallSite } from './small-site.ts'

const LIMIT = { timeout: 120_000 }
const folder = temporaryFolder()
let site: SmallSite
before(async () => {
  site = await createSmallSite({ '/': page('Home', '/a'), '/a': page('A') }, '127.0.58.1')
})
after(async () => {
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** A child has the umask of the moment in which it is started. */
function comityUnder(umask: number, args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  const usual = process.umask(umask)
  try {
    return comity(args, options)
  } finally {
    process.umask(usual)
  }
}

/** Told to stop as soon as it says something like this. */
const untilSaid = (pattern: RegExp): SpawnOptions => ({
  onStart: (child) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => pattern.test(String(text)) && child.kill('SIGINT'))
  },
})

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** Everything below a folder, with its mode. */
function modesIn(dir: string): { path: string; mode: string; isFolder: boolean }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return { path: path.slice(dir.length + 1), mode: modeOf(path), isFolder: entry.isDirectory() }
  })
}

const SECRET = /(?:keys\.json|serve\.token|\.rows|subscriptions\.json|indexnow-key\.txt)$/

/** Where all commands work; `at` names a place in it. */
function commandsIn(at: (name: string) => string): [args: string[], options?: SpawnOptions][] {
  const own = ['--allow-private', '--delay', '0s']
  const pages = ['publish', at('docroot'), '--base', 'https://example.org/']
  return [
    [['crawl', `${site.origin}/`, '--into', at('crawls/new'), ...own]],
    [['export', at('crawls/new'), '--wacz', at('copy.wacz')]],
    [['import', at('copy.wacz'), '--into', at('imports/new')]],
    [['index', at('imports/new')]],
    [['watch', at('crawls/new'), '--allow-private', '--listen', '127.0.0.1:0', '--for', '1s']],
    [['serve', at('crawls/new'), '--port', '0'], untilSaid(/http:\/\//)],
    [['keys', 'new', at('keys.json')]],
    [[...pages]],
    [
      [
        ...pages,
        '--journal',
        at('journals/new'),
        '--serve',
        '0',
        '--hub',
        '--keys',
        at('site-keys.json'),
        '--push',
        'http://127.0.0.1:9/push',
        '--indexnow',
        'http://127.0.0.1:9/indexnow',
      ],
      untilSaid(/http:\/\//),
    ],
    [['agent', 'list', '--agents', at('agents/new')]],
    [['gateway', 'key', '--state', at('gateways/key'), '--hosts', 'a.example']],
    [
      [
        'gateway',
        'fetch',
        `${site.origin}/`,
        '--state',
        at('gateways/new'),
        '--to',
        'http://127.0.0.1:9',
        '--hosts',
        '127.0.58.1',
        '--export',
        at('bodies/new'),
      ],
    ],
  ]
}

for (const umask of [0, 0o022]) {
  test(`under umask ${umask.toString(8)} every folder that a command makes is for its owner alone`, LIMIT, async () => {
    const root = folder.at(`umask-${umask}`)
    mkdirSync(join(root, 'docroot'), { recursive: true })
    writeFileSync(join(root, 'docroot', 'index.html'), page('Home'))
    for (const [args, options] of commandsIn((name) => join(root, name))) {
      const { code, signal, stderr } = await comityUnder(umask, args, options)
      // What is sent goes nowhere here: that it could not be is no matter.
      assert.ok(code === 0 || signal === 'SIGINT' || args[1] === 'fetch', `${args.join(' ')}: ${stderr}`)
    }
    const made = modesIn(root)
    // What is published is for everybody.
    const own = made.filter(({ path }) => !/^docroot(?:\/|$)/.test(path))
    assert.deepEqual(
      own.filter(({ isFolder, mode }) => isFolder && mode !== '700'),
      [],
    )
    assert.deepEqual(
      own.filter(({ path, mode }) => SECRET.test(path) && mode !== '600'),
      [],
    )
    // So that nothing was looked at that was not made.
    for (const name of [
      'crawls/new/warc',
      'crawls/new/inbox',
      'imports/new/state',
      '.comity-docroot',
      'journals/new/push',
      'agents/new',
      'gateways/key',
      'gateways/new',
      'crawls/new/serve.token',
      'keys.json',
      'site-keys.json',
      'gateways/key/keys.json',
    ])
      assert.ok(
        made.some(({ path }) => path === name),
        name,
      )
  })
}

test(
  'the mode of a folder that is there is kept, and what is made in a collection is for the same',
  LIMIT,
  async () => {
    const dir = folder.at('shared')
    mkdirSync(dir)
    chmodSync(dir, 0o750)
    const { code, stderr } = await comityUnder(0o077, ['crawl', `${site.origin}/`, '--into', dir, '--allow-private'])
    assert.equal(code, 0, stderr)
    const folders = modesIn(dir).filter(({ isFolder }) => isFolder)
    assert.ok(folders.length >= 3)
    assert.deepEqual(
      folders.filter(({ mode }) => mode !== '750'),
      [],
    )
    assert.equal(modeOf(dir), '750')
  },
)
