import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { SignatureMark } from './signature-mark.ts'

const AT = Date.UTC(2026, 10, 1)

function fileOf(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-mark-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'signed.json')
}

const restarts: [sentence: string, created: number, startedAt: number][] = [
  ['at once', AT, AT + 5],
  ['after a while', AT, AT + 60_000],
  ['where the sender’s clock is ahead', AT + 59_000, AT + 5_000],
  ['with a clock that was set back', AT, AT - 3_600_000],
]
for (const [sentence, created, startedAt] of restarts) {
  test(`what was taken before a restart is not new after it: ${sentence}`, async (t) => {
    const path = fileOf(t)
    const first = new SignatureMark(AT, path)
    assert.equal(first.waitMs(created, AT), 0)
    await first.cover(created)
    const second = new SignatureMark(startedAt, path)
    assert.ok(second.waitMs(created, startedAt) >= 1_000)
    assert.equal(second.waitMs(Math.max(created, startedAt) + 2_000, startedAt), 0)
  })
}

test('whoever waits as long as it is told may sign anew', async (t) => {
  const path = fileOf(t)
  await new SignatureMark(AT, path).cover(AT + 30_000)
  const waitMs = new SignatureMark(AT, path).waitMs(AT, AT)
  assert.ok(waitMs <= 32_000)
  assert.equal(new SignatureMark(AT, path).waitMs(AT + waitMs, AT + waitMs), 0)
})

test('many at once wait for one write, and those of the same second for none', async (t) => {
  const path = fileOf(t)
  const mark = new SignatureMark(AT, path)
  await Promise.all(Array.from({ length: 100 }, (_, i) => mark.cover(AT + i)))
  const { mtimeMs, mode } = statSync(path)
  assert.equal(mode & 0o777, 0o600)
  await mark.cover(AT + 900)
  assert.equal(statSync(path).mtimeMs, mtimeMs)
  assert.deepEqual(readdirSync(join(path, '..')), ['signed.json'])
})

test('a file that is spoiled marks nothing, and the clock has to do', (t) => {
  const path = fileOf(t)
  for (const text of ['', '{', 'null', '{"until":"x"}', '{"until":1e999}']) {
    writeFileSync(path, text)
    const mark = new SignatureMark(AT, path)
    assert.deepEqual([mark.waitMs(AT, AT), mark.waitMs(AT - 1_000, AT)], [0, 1_000])
  }
})

test('without a file, too, it is moved as often as it has to be', async () => {
  const mark = new SignatureMark(0)
  for (const created of [1_000, 60_000, 120_000]) await mark.cover(created)
  assert.equal(mark.waitMs(180_000, 180_000), 0)
})
