import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { listenFor, removeSocket, socketPaths } from './socket.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-socket-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const closed = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()))
const deep = join(scratch, 'a-folder-with-a-long-name'.repeat(3), 'and-another-one'.repeat(3))
mkdirSync(deep, { recursive: true })

test('the socket stands in the collection, for its owner alone', async () => {
  const dir = mkdtempSync(join(scratch, 'c-'))
  const before = process.umask()
  const server = createServer()
  const path = await listenFor(dir, server)
  assert.equal(path, join(dir, 'crawl.sock'))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(process.umask(), before)
  assert.deepEqual(socketPaths(dir), [path])
  await closed(server)
  removeSocket(dir)
  assert.equal(existsSync(path), false)
})

for (const [sentence, leave] of [
  ['a file', (path: string) => writeFileSync(path, 'left behind')],
  ['a folder', (path: string) => mkdirSync(join(path, 'x'), { recursive: true })],
] as const) {
  test(`${sentence} in its place does not keep a crawl from listening`, async () => {
    const dir = mkdtempSync(join(scratch, 'c-'))
    leave(join(dir, 'crawl.sock'))
    const server = createServer()
    const path = await listenFor(dir, server)
    assert.ok(socketPaths(dir).includes(path))
    await closed(server)
    removeSocket(dir)
  })
}

test('where the path is too long for a socket, a file says where it stands instead', async () => {
  const server = createServer()
  const path = await listenFor(deep, server)
  assert.equal(readFileSync(join(deep, 'crawl.sock.path'), 'utf8').trim(), path)
  assert.deepEqual(socketPaths(deep), [path])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  await closed(server)
  // What a killed process leaves is taken away by the next one.
  const next = createServer()
  const second = await listenFor(deep, next)
  assert.equal(existsSync(dirname(path)), false)
  assert.deepEqual(socketPaths(deep), [second])
  await closed(next)
  removeSocket(deep)
  assert.deepEqual([existsSync(dirname(second)), socketPaths(deep)], [false, []])
})

// oxfmt-ignore
const strangers: [what: string, folder: string, make: (folder: string) => void][] = [
  ['a folder of another name',              'precious',            (folder) => mkdirSync(folder)],
  ['a folder that others can write',        'comity-crawl-abcde1', (folder) => (mkdirSync(folder), chmodSync(folder, 0o777))],
  ['a folder that others can look into',    'comity-crawl-abcde2', (folder) => (mkdirSync(folder), chmodSync(folder, 0o755))],
  ['a link to a folder',                    'comity-crawl-abcde3', (folder) => (mkdirSync(`${folder}-to`, 0o700), symlinkSync(`${folder}-to`, folder))],
  ['a folder with more than a socket in it', 'comity-crawl-abcde4', (folder) => (mkdirSync(folder, 0o700), writeFileSync(join(folder, 'more'), 'precious'))],
]
for (const [what, name, make] of strangers) {
  test(`a stranger's collection leads to no other socket, and has nothing removed: ${what}`, async () => {
    const dir = mkdtempSync(join(scratch, 'c-'))
    const victim = join(scratch, name, 'crawl.sock')
    make(dirname(victim))
    const server = createServer().listen(victim)
    await once(server, 'listening')
    writeFileSync(join(dir, 'crawl.sock.path'), `${victim}\n`)
    assert.deepEqual(socketPaths(dir), [join(dir, 'crawl.sock')])
    removeSocket(dir)
    assert.ok(existsSync(victim))
    await closed(server)
  })
}

test('a path that is no whole one is not believed', () => {
  const dir = mkdtempSync(join(scratch, 'c-'))
  writeFileSync(join(dir, 'crawl.sock.path'), 'here/comity-crawl-abcdef/crawl.sock\n')
  assert.deepEqual(socketPaths(dir), [join(dir, 'crawl.sock')])
})

test('on Windows it is a pipe with a name of its own for each folder', () => {
  const [path = '', ...others] = socketPaths('some', 'win32')
  assert.match(path, /^\\\\\.\\pipe\\comity-crawl-[0-9a-f]{32}$/)
  assert.deepEqual(others, [])
  assert.deepEqual(socketPaths('./some/', 'win32'), [path])
  assert.notDeepEqual(socketPaths('other', 'win32'), [path])
})
