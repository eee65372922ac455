import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { FileJournal } from './file-journal.ts'
import type { Journal } from './journal.ts'
import { journalSuite } from '../testing/journal.suite.ts'
import { AT, bodyOf, failsAs, gone, pageOf, testFolder, withBody } from '../testing/journal-sample.ts'
import { MemoryJournal } from './memory-journal.ts'

journalSuite('file', async (t, options) => {
  const journal = await FileJournal.open(testFolder(t), options)
  t.after(() => journal.close())
  return journal
})

const id = 'f3b6a7f2-54c7-4f0e-8a55-1d4a0d8f7c11'
const whole = (journal: Journal): unknown => ({
  id: journal.id,
  last: journal.last,
  since: journal.since,
  pageCount: journal.pageCount,
  pages: [...journal.pages()],
  tombstones: [...journal.tombstones()],
  changes: journal.changesAfter(journal.since),
})

test('a journal opened again is what it was, whatever was recorded, forgotten and closed', async (t) => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        path: fc.constantFrom('/a', '/b', '/c', '/d?e=f'),
        version: fc.nat(3),
        masked: fc.boolean(),
        importance: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        at: fc.integer(),
      }),
    },
    { weight: 1, arbitrary: fc.constant('compact' as const) },
    { weight: 1, arbitrary: fc.constant('open again' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.nat(6), async (steps, changes) => {
      const limits = { changes, tombstones: changes }
      const dir = testFolder(t)
      const memory = new MemoryJournal({ id, limits })
      let file = await FileJournal.open(dir, { id, limits })
      for (const [i, one] of steps.entries()) {
        if (one === 'compact') {
          memory.compact(AT + i)
          await file.compact(AT + i)
        } else if (one === 'open again') {
          await file.close()
          file = await FileJournal.open(dir, { limits })
        } else {
          // Another importance alone need not last, so it is left out here unless it comes with a change.
          const { path, version, masked, at } = one
          const before = memory.page(path)
          const isNew = before?.digest !== pageOf(path, version).digest || (before.masked ?? false) !== masked
          const seen = pageOf(path, version, { masked, importance: isNew ? one.importance : undefined })
          const observations = version === 0 ? [gone(path)] : [seen]
          assert.deepEqual(await file.record(observations, at), await memory.record(observations, at))
        }
      }
      await file.close()
      await using again = await FileJournal.open(dir, { limits })
      assert.deepEqual(whole(again), whole(memory))
      assert.equal(again.cutBytes, 0)
    }),
    { numRuns: 40 },
  )
})

test('numbers go on when even the newest change was forgotten', async (t) => {
  const dir = testFolder(t)
  const limits = { changes: 0, tombstones: 0 }
  {
    await using journal = await FileJournal.open(dir, { limits })
    await journal.record([pageOf('/a'), gone('/a')], AT)
    await journal.compact(AT)
  }
  await using journal = await FileJournal.open(dir, { limits })
  assert.deepEqual([journal.last, journal.since, journal.changesAfter(1)], [2, 2, undefined])
  const [change] = await journal.record([pageOf('/a')], AT - 5)
  assert.deepEqual([change?.number, change?.at], [3, AT])
})

test('a journal compacts itself before its old changes outgrow it', async (t) => {
  const dir = testFolder(t)
  await using journal = await FileJournal.open(dir, { limits: { changes: 100 } })
  for (let version = 1; version <= 30; version++) {
    await journal.record(
      Array.from({ length: 200 }, (_, i) => pageOf(`/${i}`, version)),
      AT,
    )
  }
  assert.equal(journal.last, 6_000)
  assert.ok(journal.since > 4_000, `since ${journal.since}`)
  assert.ok(journal.bytes < 2_000 * 110, `${journal.bytes} bytes`)
  assert.equal(journal.bytes, statSync(join(dir, 'journal.log')).size)
})

test('bodies of earlier versions are there after the journal was opened again', async (t) => {
  const dir = testFolder(t)
  {
    await using journal = await FileJournal.open(dir)
    await journal.record([withBody('/a', 1)], AT)
    await journal.record([withBody('/a', 2)], AT)
    await journal.record([gone('/a')], AT)
  }
  await using journal = await FileJournal.open(dir)
  for (const version of [1, 2])
    assert.deepEqual(Buffer.from(journal.version(pageOf('/a', version).digest) ?? []), bodyOf('/a', version))
})

test('a second writer is refused, in this process too, until the first has closed', async (t) => {
  const dir = testFolder(t)
  const first = await FileJournal.open(dir)
  await assert.rejects(FileJournal.open(dir), failsAs('JOURNAL_HELD', new RegExp(`process ${process.pid} on`)))
  const waiting = first.record([pageOf('/a')], AT)
  await first.close()
  assert.equal((await waiting).length, 1)
  await assert.rejects(first.record([pageOf('/b')], AT), failsAs('JOURNAL_CLOSED', /open it again/))
  await assert.rejects(first.compact(AT), failsAs('JOURNAL_CLOSED', /open it again/))
  await using second = await FileJournal.open(dir)
  assert.equal(second.last, 1)
})

test('a folder that cannot be one is refused by name', async (t) => {
  const file = join(testFolder(t), 'file')
  writeFileSync(file, '')
  await assert.rejects(FileJournal.open(file), failsAs('JOURNAL_UNWRITABLE', /EEXIST.*name another/s))
})

const strangers: [sentence: string, content: Buffer, code: Parameters<typeof failsAs>[0], pattern: RegExp][] = [
  [
    'another version of a journal',
    Buffer.from('comityj\n\x02\0\0\0'.padEnd(64, '\0'), 'latin1'),
    'JOURNAL_FORMAT',
    /version 2/,
  ],
  ['a file of somebody else', Buffer.from('127.0.0.1 - - [15/Nov/2026]'), 'JOURNAL_FORMAT', /no journal/],
  ['an empty file', Buffer.alloc(0), 'JOURNAL_FORMAT', /no journal/],
  ['half a header', Buffer.from('comityj\n\x01\0\0\0', 'latin1'), 'JOURNAL_DAMAGED', /within its header/],
  [
    'a header with a wrong sum',
    Buffer.from('comityj\n\x01\0\0\0'.padEnd(64, '\0'), 'latin1'),
    'JOURNAL_DAMAGED',
    /checksum of its header/,
  ],
]
for (const [sentence, content, code, pattern] of strangers) {
  test(`${sentence} is refused by name, and left as it is`, async (t) => {
    const dir = testFolder(t)
    writeFileSync(join(dir, 'journal.log'), content)
    await assert.rejects(FileJournal.open(dir), failsAs(code, pattern))
    assert.deepEqual(readFileSync(join(dir, 'journal.log')), content)
    // The lock was let go, so that whoever mends it can go on.
    await assert.rejects(FileJournal.open(dir), failsAs(code, pattern))
  })
}
