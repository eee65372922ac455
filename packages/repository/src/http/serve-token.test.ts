import assert from 'node:assert/strict'
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { testFolder } from '@comity/collection/testing'
import { TOKEN_FILE, checkedToken, serveToken } from './serve-token.ts'

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(dir, { recursive: true })
  return dir
}

test('a token is made once, for its owner alone', (t) => {
  const dir = folder(t)
  const token = serveToken(dir)
  assert.match(token, /^[\w-]{32}\.[\w-]{16}$/)
  assert.equal(serveToken(dir), token)
  assert.equal(readFileSync(join(dir, TOKEN_FILE), 'utf8'), `${token}\n`)
  assert.equal(statSync(join(dir, TOKEN_FILE)).mode & 0o777, 0o600)
})

test('a token file that others may read is closed again', (t) => {
  const dir = folder(t)
  const token = serveToken(dir)
  chmodSync(join(dir, TOKEN_FILE), 0o644)
  assert.equal(serveToken(dir), token)
  assert.equal(statSync(join(dir, TOKEN_FILE)).mode & 0o777, 0o600)
})

test('a file that holds no token is refused with what to do', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, TOKEN_FILE), 'short')
  assert.throws(() => serveToken(dir), /Delete it/)
})

test('a chosen token is long enough or refused', () => {
  assert.equal(checkedToken('a-token-of-enough-letters'), 'a-token-of-enough-letters')
  for (const wrong of ['', 'short', 'with a space in it, long', 'line\nend-and-more-letters']) {
    assert.throws(() => checkedToken(wrong), { code: 'TOKEN_INVALID' })
  }
})

test('a token that came with the collection of a stranger, who knows it, is replaced by one of ours', (t) => {
  const dir = folder(t)
  const known = ['a-token-of-enough-letters', 'x'.repeat(32), `${'x'.repeat(32)}.${'y'.repeat(16)}`]
  for (const token of known) {
    writeFileSync(join(dir, TOKEN_FILE), `${token}\n`, { mode: 0o600 })
    const ours = serveToken(dir)
    assert.notEqual(ours, token)
    assert.equal(readFileSync(join(dir, TOKEN_FILE), 'utf8'), `${ours}\n`)
    assert.equal(serveToken(dir), ours)
  }
})

test('a copy of a collection has a token of its own; one that was moved keeps it', (t) => {
  const dir = folder(t)
  const token = serveToken(dir)
  cpSync(dir, `${dir}-copy`, { recursive: true })
  assert.notEqual(serveToken(`${dir}-copy`), token)
  renameSync(dir, `${dir}-moved`)
  assert.equal(serveToken(`${dir}-moved`), token)
})
