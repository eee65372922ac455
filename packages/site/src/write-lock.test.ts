import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { failsAs, testFolder } from './journal-sample.ts'
import { takeWriteLock } from './write-lock.ts'

const TAKER = `
import { takeWriteLock } from ${JSON.stringify(new URL('./write-lock.ts', import.meta.url).href)}
process.stdout.write('ready\\n')
await new Promise((go) => process.stdin.once('data', go))
try { takeWriteLock(process.argv[1]); process.stdout.write('taken\\n') } catch (e) { process.stdout.write(e.code + '\\n') }
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

test('a second writer is told who holds the journal, and takes over when that one was killed', async (t) => {
  const dir = testFolder(t)
  const taker = await startTaker(t, dir)
  assert.equal(await taker.take(), 'taken')
  assert.throws(() => takeWriteLock(dir), failsAs('JOURNAL_HELD', new RegExp(`process ${taker.pid} on ${hostname()}`)))
  await taker.kill()
  const lock = takeWriteLock(dir)
  assert.throws(() => takeWriteLock(dir), failsAs('JOURNAL_HELD', new RegExp(`process ${process.pid}`)))
  lock[Symbol.dispose]()
  takeWriteLock(dir)[Symbol.dispose]()
})

test('of several processes that find a dead holder at the same moment, one gets the journal', async (t) => {
  const dir = testFolder(t)
  writeFileSync(join(dir, 'writer-7.lock'), JSON.stringify({ pid: 4_194_000, started: 'x', host: hostname() }))
  const takers = await Promise.all([startTaker(t, dir), startTaker(t, dir), startTaker(t, dir)])
  const said = await Promise.all(takers.map((taker) => taker.take()))
  assert.deepEqual(said.toSorted(), ['JOURNAL_HELD', 'JOURNAL_HELD', 'taken'])
})

const holders: [sentence: string, content: string, isTaken: boolean][] = [
  ['a file cut by a power failure belongs to nobody', '{"pid":12', true],
  ['a file of another shape belongs to nobody', 'null', true],
  ['an empty file was let go', '', true],
  [
    'a process number that somebody else has now is not its holder',
    JSON.stringify({ pid: process.pid, started: 'long ago', host: hostname() }),
    true,
  ],
  [
    'a holder on another machine is believed',
    JSON.stringify({ pid: 1, started: 'x', host: 'elsewhere.example' }),
    false,
  ],
]
for (const [sentence, content, isTaken] of holders) {
  test(sentence, (t) => {
    const dir = testFolder(t)
    writeFileSync(join(dir, 'writer-3.lock'), content)
    if (!isTaken)
      return assert.throws(() => takeWriteLock(dir), failsAs('JOURNAL_HELD', /elsewhere\.example.*writer-3\.lock/))
    const lock = takeWriteLock(dir)
    assert.deepEqual(readdirSync(dir), ['writer-4.lock'])
    lock[Symbol.dispose]()
  })
}
