import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from './agent-sample.ts'
import { takeLock } from './folder-lock.ts'

const isTaken = (lock: ReturnType<typeof takeLock>): lock is { readonly heldBy: string } => 'heldBy' in lock

test('a second is told who holds it, until the first lets go', (t) => {
  const dir = testFolder(t)
  const first = takeLock(dir, 'a')
  assert.ok(!isTaken(first))
  assert.deepEqual(takeLock(dir, 'a'), { heldBy: `process ${process.pid} on ${hostname()}` })
  assert.ok(!isTaken(takeLock(dir, 'b')))
  first[Symbol.dispose]()
  assert.ok(!isTaken(takeLock(dir, 'a')))
})

test('a name that begins like another is another', (t) => {
  const dir = testFolder(t)
  assert.ok(!isTaken(takeLock(dir, 'run-a-1')))
  assert.ok(!isTaken(takeLock(dir, 'run-a')))
})

test('the lock of a process that was killed is free', async (t) => {
  const dir = testFolder(t)
  const code = `import { takeLock } from ${JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'))}
    takeLock(${JSON.stringify(dir)}, 'a'); console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  assert.ok(isTaken(takeLock(dir, 'a')))
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.ok(!isTaken(takeLock(dir, 'a')))
  assert.deepEqual(readdirSync(dir), ['a-2.lock'])
})

test("a torn file is nobody's, and a file of another machine is believed", (t) => {
  const dir = testFolder(t)
  writeFileSync(join(dir, 'a-4.lock'), '{"pid":')
  assert.ok(!isTaken(takeLock(dir, 'a')))
  writeFileSync(join(dir, 'b-1.lock'), JSON.stringify({ pid: 1, started: 'x', host: 'elsewhere' }))
  assert.deepEqual(takeLock(dir, 'b'), { heldBy: 'process 1 on elsewhere' })
})
