import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { folderLockHeld, isLockFile, takeFolderLock } from './folder-lock.ts'
import type { FolderLock, LockHeld } from './folder-lock.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-disk-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

const taken = (lock: FolderLock | LockHeld): FolderLock => {
  assert.ok(!('heldBy' in lock), JSON.stringify(lock))
  return lock
}

const held = (lock: FolderLock | LockHeld, by: RegExp): string => {
  assert.ok('heldBy' in lock)
  assert.match(lock.heldBy, by)
  return lock.path
}

const TAKER = `
import { takeFolderLock } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)}
process.stdout.write('ready\\n')
await new Promise((go) => process.stdin.once('data', go))
process.stdout.write('heldBy' in takeFolderLock(process.argv[1], 'a') ? 'held\\n' : 'taken\\n')
setInterval(() => {}, 1000)
`

interface Taker {
  readonly pid: number | undefined
  take(): Promise<string>
  kill(): Promise<unknown>
}

/** A process that takes the lock when told to, and says what came of it. */
async function startTaker(t: TestContext, dir: string): Promise<Taker> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', TAKER, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const line = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim()
  assert.equal(await line(), 'ready')
  return {
    pid: child.pid,
    take: () => (child.stdin.write('go\n'), line()),
    kill: () => (child.kill('SIGKILL'), once(child, 'exit')),
  }
}

test('a second process is told who holds it, and gets it when that one was killed', async (t) => {
  const dir = folder(t)
  const taker = await startTaker(t, dir)
  assert.equal(await taker.take(), 'taken')
  held(takeFolderLock(dir, 'a'), new RegExp(`^process ${taker.pid} on ${hostname()} since 20`))
  await taker.kill()
  using lock = taken(takeFolderLock(dir, 'a'))
  assert.match(readFileSync(lock.path, 'utf8'), new RegExp(`"pid":${process.pid}`))
})

test('of several processes that find a dead holder at the same moment, one gets it', async (t) => {
  const dir = folder(t)
  for (let round = 0; round < 5; round++) {
    writeFileSync(join(dir, `a-${round * 10 + 1}.lock`), dead())
    const takers = await Promise.all([startTaker(t, dir), startTaker(t, dir), startTaker(t, dir)])
    const said = await Promise.all(takers.map((taker) => taker.take()))
    assert.deepEqual(said.toSorted(), ['held', 'held', 'taken'], `round ${round}`)
    await Promise.all(takers.map((taker) => taker.kill()))
  }
})

test('whoever looked at a dead holder long ago cannot take the place of a living one', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'a-5.lock'), dead())
  using lock = taken(takeFolderLock(dir, 'a'))
  assert.ok(lock.path.endsWith('a-6.lock'))
  // What a slow second taker would do next: make number 6, which is there, or see that it is not the newest.
  held(takeFolderLock(dir, 'a'), /^process/)
  assert.deepEqual(readdirSync(dir), ['a-6.lock'])
})

test('locks of other names are others, also when one begins like the other', (t) => {
  const dir = folder(t)
  for (const name of ['run-a-1', 'run-a', 'run']) taken(takeFolderLock(dir, name))
  assert.equal(readdirSync(dir).length, 3)
})

const holders: [sentence: string, content: string, isTaken: boolean][] = [
  ['a file cut by a power failure belongs to nobody', '{"pid":12', true],
  ['a file of another shape belongs to nobody', 'null', true],
  ['an empty file was let go', '', true],
  ['a living process with the same number but another start is somebody else', holder({ started: 'long ago' }), true],
  ['a process on another machine is believed', holder({ host: 'elsewhere.example', pid: 1 }), false],
  ['also when it does not say since when', holder({ host: 'elsewhere.example', pid: 1, since: undefined }), false],
]
for (const [sentence, content, isTaken] of holders) {
  test(sentence, (t) => {
    const dir = folder(t)
    const path = join(dir, 'a-1.lock')
    writeFileSync(path, content)
    const lock = takeFolderLock(dir, 'a')
    if (isTaken) taken(lock)[Symbol.dispose]()
    else assert.equal(held(lock, /^process 1 on elsewhere\.example/), path)
  })
}

test('a lock that was let go can be taken again, in the same process too, and leaves no litter', (t) => {
  const dir = folder(t)
  for (let i = 0; i < 5; i++) {
    using lock = taken(takeFolderLock(dir, 'a'))
    assert.ok(lock.path.endsWith(`a-${i + 1}.lock`))
    held(takeFolderLock(dir, 'a'), new RegExp(`process ${process.pid}`))
  }
  assert.equal(readdirSync(dir).length, 1)
})

test('who holds it can be asked without taking it', (t) => {
  const dir = folder(t)
  assert.equal(folderLockHeld(dir, 'a'), undefined)
  const lock = taken(takeFolderLock(dir, 'a'))
  assert.match(folderLockHeld(dir, 'a')?.heldBy ?? '', new RegExp(`process ${process.pid} `))
  lock[Symbol.dispose]()
  assert.equal(folderLockHeld(dir, 'a'), undefined)
})

test('its own files are known by their names', () => {
  const names = [
    'a-1.lock',
    'a-0b0d4c1e-6a0a-4f52-9d0e-1f2a3b4c5d6e.tmp',
    'a-x.lock',
    'b-1.lock',
    'a-b-1.lock',
    'a-1.lock.bak',
  ]
  assert.deepEqual(
    names.map((name) => isLockFile(name, 'a')),
    [true, true, false, false, false, false],
  )
})

function holder(change: object): string {
  return JSON.stringify({
    pid: process.pid,
    started: '',
    host: hostname(),
    since: '2026-11-01T00:00:00.000Z',
    ...change,
  })
}

/** No process has this number: the kernel's highest is 4194304. */
function dead(): string {
  return holder({ pid: 99_999_999 })
}
