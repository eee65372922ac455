import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readAnchorNotes, writeAnchorNotes } from './anchor-notes.ts'

const dir = mkdtempSync(join(tmpdir(), 'comity-anchors-'))
after(() => rmSync(dir, { recursive: true, force: true }))
const nothing = { settledAt: -1, notes: new Uint32Array(0) }

test('notes are read as they were written, and where there are none, nothing is noted', () => {
  assert.deepEqual(readAnchorNotes(dir), nothing)
  const notes = { settledAt: 2 ** 40, notes: Uint32Array.of(0, 1, 0xffffffff) }
  writeAnchorNotes(dir, notes)
  assert.deepEqual(readAnchorNotes(dir), notes)
  writeAnchorNotes(dir, nothing)
  assert.deepEqual(readAnchorNotes(dir), nothing)
})

test('a file that is not what was written counts as none', () => {
  writeAnchorNotes(dir, { settledAt: 3, notes: Uint32Array.of(1, 2, 3) })
  const path = join(dir, 'anchors.notes')
  const whole = readFileSync(path)
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole)
    damaged[at]! ^= 1
    writeFileSync(path, damaged)
    assert.deepEqual(readAnchorNotes(dir), nothing, `byte ${at}`)
    writeFileSync(path, whole.subarray(0, at))
    assert.deepEqual(readAnchorNotes(dir), nothing, `cut at ${at}`)
  }
})
