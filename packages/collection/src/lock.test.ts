import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CollectionError } from './errors.ts'
import { takeLock } from './lock.ts'
import { testFolder } from './sample-crawl.ts'

const folder = (t: TestContext): string => {
  const dir = testFolder(t)
  mkdirSync(dir, { recursive: true })
  return dir
}

/** A process that takes the lock when told to, and says what came of it. */
const TAKER = `
import { takeLock } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)}
process.stdout.write('ready\\n')
await new Promise((go) => process.stdin.once('data', go))
try { takeLock(process.argv[1]); process.stdout.write('taken\\n') } catch (e) { process.stdout.write(e.code + '\\n') }
setInterval(() => {}, 1000)
`

async function startTaker(t: TestContext, dir: string): Promise<{ child: ChildProcess; take: () => Promise<string> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', TAKER, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const line = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim()
  assert.equal(await line(), 'ready')
  const take = async (): Promise<string> => {
    const said = line()
    child.stdin.write('go\n')
    return await said
  }
  return { child, take }
}

const heldBy = (pattern: RegExp) => (error: unknown) =>
  error instanceof CollectionError && error.code === 'COLLECTION_HELD' && pattern.test(error.message)

test('a second process is told who holds the collection, and gets it when that one was killed', async (t) => {
  const dir = folder(t)
  const { child, take } = await startTaker(t, dir)
  assert.equal(await take(), 'taken')
  assert.throws(() => takeLock(dir), heldBy(new RegExp(`process ${child.pid} on ${hostname()} since 20`)))
  child.kill('SIGKILL')
  await once(child, 'exit')
  using lock = takeLock(dir)
  assert.match(readFileSync(lock.path, 'utf8'), new RegExp(`"pid":${process.pid}`))
})

test('of two processes that find a dead holder at the same moment, one gets the collection', async (t) => {
  const dir = folder(t)
  for (let round = 0; round < 5; round++) {
    writeFileSync(join(dir, `writer-${round * 10 + 1}.lock`), dead())
    const takers = await Promise.all([startTaker(t, dir), startTaker(t, dir), startTaker(t, dir)])
    const said = await Promise.all(takers.map(({ take }) => take()))
    assert.deepEqual(said.toSorted(), ['COLLECTION_HELD', 'COLLECTION_HELD', 'taken'], `round ${round}`)
    await Promise.all(takers.map(({ child }) => (child.kill('SIGKILL'), once(child, 'exit'))))
  }
})

test('whoever looked at a dead holder long ago cannot take the place of a living one', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'writer-5.lock'), dead())
  using lock = takeLock(dir)
  assert.ok(lock.path.endsWith('writer-6.lock'))
  // What a slow second taker would do next: make number 6, which is there, or see that it is not the newest.
  assert.throws(() => takeLock(dir), heldBy(/process/))
  assert.deepEqual(readdirSync(dir), ['writer-6.lock'])
})

const cases: [sentence: string, content: () => string, taken: boolean][] = [
  ['a file cut by a power failure belongs to nobody', () => '{"pid":12', true],
  ['an empty file was let go', () => '', true],
  [
    'a living process with the same number but another start is somebody else',
    () => holder({ started: 'boot 1' }),
    true,
  ],
  ['a process on another machine is believed', () => holder({ host: 'elsewhere.example', pid: 1 }), false],
]
for (const [sentence, content, taken] of cases) {
  test(sentence, (t) => {
    const dir = folder(t)
    writeFileSync(join(dir, 'writer-1.lock'), content())
    if (taken) takeLock(dir)[Symbol.dispose]()
    else assert.throws(() => takeLock(dir), heldBy(/elsewhere\.example.*delete .*writer-1\.lock/))
  })
}

test('a lock that was let go can be taken again, in the same process too, and leaves no litter', (t) => {
  const dir = folder(t)
  for (let i = 0; i < 5; i++) {
    using lock = takeLock(dir)
    assert.ok(lock.path.endsWith(`writer-${i + 1}.lock`))
    assert.throws(() => takeLock(dir), heldBy(new RegExp(`process ${process.pid}`)))
  }
  assert.equal(readdirSync(dir).length, 1)
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
const dead = (): string => holder({ pid: 99_999_999 })
