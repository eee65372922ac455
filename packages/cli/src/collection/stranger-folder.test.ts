/**
 * A collection that somebody else sent, looked at by every command that looks at one: whatever is in its files, the command ends,
 * with what it could read or with a name for what is wrong, and never with a fault of ours.
 */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { crawlSample } from '../testing/search-fixture.ts'
import { comityHere, temporaryFolder } from '../testing/spawned-comity.ts'

const LIMIT = { timeout: 120_000 }
const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const base = folder.at('base')
before(async () => void (await crawlSample(base)))

const COMMANDS = (dir: string): readonly (readonly string[])[] => [
  ['inspect', dir],
  ['search', dir, 'salmon'],
  ['letters', dir],
  ['export', dir, '--jsonl', `${dir}.jsonl`],
  ['export', dir, '--graph', `${dir}.graph`],
  ['export', dir, '--wacz', `${dir}.wacz`],
]

type Damage = readonly [what: string, damage: (bytes: Buffer) => Buffer]
const DAMAGES: readonly Damage[] = [
  ['is empty', () => Buffer.alloc(0)],
  ['is something else', (bytes) => Buffer.alloc(bytes.length, '{"format":1} ')],
  ['is cut off', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6))],
  ['has other bits here and there', (bytes) => flipped(bytes, 97)],
  ['has one other bit', (bytes) => flipped(bytes, bytes.length)],
]
function flipped(bytes: Buffer, every: number): Buffer {
  for (let at = Math.floor(every / 2); at < bytes.length; at += every) bytes[at]! ^= 0x10
  return bytes
}

/** By where they stand: every kind of file that a look opens. */
const KINDS = ['collection.json', 'state', 'state/data-1.mdb-lock', 'warc', 'index']
let made = 0

for (const kind of KINDS) {
  for (const [what, damage] of DAMAGES) {
    test(`a collection whose ${kind} ${what} is read, or named`, LIMIT, async () => {
      const dir = folder.at(String(++made))
      cpSync(base, dir, { recursive: true })
      const isFolder = statSync(join(dir, kind)).isDirectory()
      const paths = isFolder ? readdirSync(join(dir, kind)).map((name) => join(kind, name)) : [kind]
      for (const path of paths) writeFileSync(join(dir, path), damage(readFileSync(join(dir, path))))
      for (const args of COMMANDS(dir)) {
        const { code, stderr } = await comityHere(args)
        assert.ok(code === 0 || code === 1, `${args[0]}: ${code}: ${stderr}`)
        assert.doesNotMatch(stderr, /should not have happened|\n {4}at /, args.join(' '))
        assert.ok(code === 0 || stderr.trim() !== '', 'what is wrong is said')
      }
    })
  }
}

// ── written ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const WRITERS: readonly (readonly [command: string, args: (dir: string, warc: string) => readonly string[]])[] = [
  ['crawl', (dir) => ['crawl', 'http://127.0.0.1:9/', '--into', dir]],
  ['watch', (dir) => ['watch', dir, '--for', '1s']],
  ['import', (dir, warc) => ['import', warc, '--into', dir]],
  ['index', (dir) => ['index', dir]],
  ['index --anew', (dir) => ['index', dir, '--anew']],
  ['forget', (dir) => ['forget', dir, 'http://127.0.0.1:9']],
]

/** Every file below, by its path; LMDB notes its readers in a file beside. */
function bytesOf(dir: string): Map<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith('-lock'))
  return new Map(paths.map((path) => [path, readFileSync(path).toString('base64')]))
}

for (const [command, args] of WRITERS) {
  test(
    `${command} writes no folder of another collection that a stranger's links to, and says what to do`,
    LIMIT,
    async () => {
      const [mine, dir] = [folder.at(String(++made)), folder.at(String(++made))]
      for (const path of [mine, dir]) cpSync(base, path, { recursive: true })
      const asItWas = bytesOf(mine)
      const warc = join(base, 'warc', readdirSync(join(base, 'warc'))[0]!)
      for (const name of ['state', 'warc', 'index']) {
        renameSync(join(dir, name), join(dir, '..', `${made}-${name}`))
        symlinkSync(join(mine, name), join(dir, name))
        const { code, stderr } = await comityHere(args(dir, warc))
        assert.equal(code, 1, stderr)
        assert.match(stderr, new RegExp(`${name} is a link to .*remove the link`, 's'))
        assert.deepEqual(bytesOf(mine), asItWas)
        rmSync(join(dir, name))
        renameSync(join(dir, '..', `${made}-${name}`), join(dir, name))
      }
    },
  )
}
