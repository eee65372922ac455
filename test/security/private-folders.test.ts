// Runs alone: a process has one umask.
/**
 * What commands make is for their owner alone: every folder, whatever the umask, and every file of secrets. The mode of a
 * folder that was there is kept.
 */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { FileInbox } from '@comity/collection'
import { comity, comityHere, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended, SpawnOptions } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const LIMIT = { timeout: 300_000 }
const folder = temporaryFolder()
let site: SmallSite
before(async () => {
  site = await createSmallSite({ '/': page('Home', '/a'), '/a': page('A') }, '127.0.58.1')
})
after(async () => {
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

/** In this process, or, to be told to stop, in one of its own. */
async function comityUnder(umask: number, args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  const usual = process.umask(umask)
  try {
    return await (options === undefined ? comityHere(args) : comity(args, options))
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

// oxfmt-ignore
const EXPECTED = [
  'crawls/new/warc', 'crawls/new/serve.token', 'imports/new/state', '.comity-docroot', 'journals/new/push',
  'agents/new', 'gateways/key/keys.json', 'gateways/new', 'keys.json', 'site-keys.json',
]

/** All commands that make something, at work in a folder. */
function commandsIn(root: string): [line: string, options?: SpawnOptions][] {
  const nobody = 'http://127.0.0.1:9'
  const publish = `publish ${root}/docroot --base https://example.org/`
  const pushing = `--serve 0 --hub --keys ${root}/site-keys.json --push ${nobody}/push --indexnow ${nobody}/indexnow`
  const gateway = `--state ${root}/gateways/new --to ${nobody} --hosts 127.0.58.1 --export ${root}/bodies/new`
  return [
    [`crawl ${site.origin}/ --into ${root}/crawls/new --allow-private --delay 0s`],
    [`export ${root}/crawls/new --wacz ${root}/copy.wacz`],
    [`import ${root}/copy.wacz --into ${root}/imports/new`],
    [`index ${root}/imports/new`],
    [`serve ${root}/crawls/new --port 0`, untilSaid(/http:\/\//)],
    [`keys new ${root}/keys.json`],
    [publish],
    [`${publish} --journal ${root}/journals/new ${pushing}`, untilSaid(/http:\/\//)],
    [`agent list --agents ${root}/agents/new`],
    [`gateway key --state ${root}/gateways/key --hosts a.example`],
    [`gateway fetch ${site.origin}/ ${gateway}`],
  ]
}

for (const umask of [0, 0o022]) {
  test(`under umask ${umask.toString(8)} every folder that a command makes is for its owner alone`, LIMIT, async () => {
    const root = folder.at(`umask-${umask}`)
    mkdirSync(join(root, 'docroot'), { recursive: true })
    writeFileSync(join(root, 'docroot', 'index.html'), page('Home'))
    for (const [line, options] of commandsIn(root)) {
      const { code, signal, stderr } = await comityUnder(umask, line.split(' '), options)
      // What is sent goes nowhere here: that it could not be is no matter.
      assert.ok(code === 0 || signal === 'SIGINT' || line.startsWith('gateway fetch'), `${line}: ${stderr}`)
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
    const paths = new Set(made.map(({ path }) => path))
    assert.deepEqual(
      EXPECTED.filter((path) => !paths.has(path)),
      [],
    )
  })
}

test('what a receiver keeps is for those whom the collection is for', async () => {
  const dir = folder.at('received')
  mkdirSync(dir)
  chmodSync(dir, 0o700)
  const usual = process.umask(0)
  const opening = FileInbox.open(dir, 0)
  process.umask(usual)
  await using _ = await opening
  const made = modesIn(dir).filter(({ isFolder }) => isFolder)
  assert.ok(made.length > 0)
  assert.ok(made.every(({ mode }) => mode === '700'))
})

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
