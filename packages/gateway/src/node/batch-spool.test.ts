import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { BatchSpool } from './batch-spool.ts'

const RUN = 'run-00000001'
const bytes = (text: string): Buffer => Buffer.from(text)

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'comity-spool-'))
  t.after(() => rmSync(path, { recursive: true }))
  return join(path, 'spool')
}

test('batches wait in their order, over restarts, until they are taken away', (t) => {
  const path = folder(t)
  const spool = new BatchSpool(path, 1_000)
  for (const number of [1, 2, 10]) spool.add(RUN, number, bytes(`batch ${number}`))
  const again = new BatchSpool(path, 1_000)
  assert.deepEqual(
    again.waiting.map(({ name }) => Buffer.from(again.read(name)!).toString()),
    ['batch 1', 'batch 2', 'batch 10'],
  )
  assert.equal(again.lastNumber(RUN), 10)
  assert.equal(again.lastNumber('run-00000002'), 0)
  again.remove(again.waiting[0]!.name)
  assert.equal(new BatchSpool(path, 1_000).waiting.length, 2)
})

test('when it is full the oldest go, and are given to whoever added', (t) => {
  const spool = new BatchSpool(folder(t), 20)
  assert.deepEqual(spool.add(RUN, 1, bytes('12345678')), [])
  assert.deepEqual(spool.add(RUN, 2, bytes('12345678')), [])
  const dropped = spool.add(RUN, 3, bytes('1234567890'))
  assert.equal(dropped.length, 1)
  assert.equal(spool.bytes, 18)
  // Even one that is larger than all of it: what is newest is worth most.
  assert.equal(spool.add(RUN, 4, Buffer.alloc(50)).length, 2)
  assert.equal(spool.waiting.length, 1)
})

test('what was half written when somebody died is no batch, and other files are left alone', (t) => {
  const path = folder(t)
  new BatchSpool(path, 100).add(RUN, 1, bytes('one'))
  writeFileSync(join(path, `0000000002-${RUN}.batch.new`), 'ha')
  writeFileSync(join(path, 'notes.txt'), 'mine')
  assert.equal(new BatchSpool(path, 100).waiting.length, 1)
  assert.deepEqual(readdirSync(path).toSorted(), [`0000000001-${RUN}.batch`, 'notes.txt'])
})

test('a batch that somebody took away is none', (t) => {
  const path = folder(t)
  const spool = new BatchSpool(path, 100)
  spool.add(RUN, 1, bytes('one'))
  rmSync(join(path, spool.waiting[0]!.name))
  assert.equal(spool.read(spool.waiting[0]!.name), undefined)
})

test('a folder that cannot be written is said, with what to do', (t) => {
  if (process.getuid?.() === 0) {
    // Root may write anywhere; a file in its place is as good.
    const path = folder(t)
    writeFileSync(path, '')
    assert.throws(() => new BatchSpool(path, 100), /--state/)
    return
  }
  const path = folder(t)
  const spool = new BatchSpool(path, 100)
  chmodSync(path, 0o500)
  assert.throws(() => spool.add(RUN, 1, bytes('one')), /--state/)
})
