import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isSystemFailure, systemFailureText } from './system-failure.ts'

const dir = mkdtempSync(join(tmpdir(), 'comity-failure-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const file = join(dir, 'file')
writeFileSync(file, '')
symlinkSync(join(dir, 'loop'), join(dir, 'loop'))
chmodSync(file, 0o400)

/** What the system really throws. */
const calls: readonly [name: string, call: () => unknown, sentence: RegExp][] = [
  ['a file that is missing', () => readFileSync(join(dir, 'none')), /none is not there\. .* \(ENOENT\)$/],
  ['a folder for a file', () => readFileSync(dir), /is a folder, where a file is meant\. \(EISDIR\)$/],
  ['a file for a folder', () => mkdirSync(join(file, 'x')), /has one before it in its path/],
  ['a file where a folder is made', () => mkdirSync(file), /there already, as something else/],
  ['a link to itself', () => readFileSync(join(dir, 'loop')), /a link that leads back to itself/],
  ['a name that is too long', () => readFileSync(join(dir, 'x'.repeat(5_000))), /too long for its disk/],
]
for (const [name, call, sentence] of calls) {
  test(`${name} is told in a sentence`, () => {
    assert.throws(call, (error) => {
      assert.ok(isSystemFailure(error))
      assert.match(systemFailureText(error), sentence)
      return true
    })
  })
}

test('a port that is taken is told with its number', async () => {
  const one = createServer()
  await new Promise<void>((resolve) => void one.listen(0, '127.0.0.1', resolve))
  const { port } = one.address() as { port: number }
  const other = createServer()
  const error = await new Promise((resolve) => other.on('error', resolve).listen(port, '127.0.0.1'))
  one.close()
  assert.ok(isSystemFailure(error))
  assert.equal(
    systemFailureText(error),
    `Another program listens at 127.0.0.1 port ${port}: stop it, or take another port. (EADDRINUSE)`,
  )
})

test('what has no sentence is told as the system tells it', () => {
  const error = Object.assign(new Error('EODD: odd, read'), { code: 'EODD', syscall: 'read' })
  assert.ok(isSystemFailure(error))
  assert.equal(systemFailureText(error), 'EODD: odd, read')
})
