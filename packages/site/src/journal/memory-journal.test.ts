import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT, pageOf } from '../testing/journal-sample.ts'
import { journalSuite } from '../testing/journal.suite.ts'
import { MemoryJournal } from './memory-journal.ts'

journalSuite('memory', async (_t, options) => new MemoryJournal(options))

test('a journal in memory forgets by itself what its limits do not keep, as one in a file does', async () => {
  const journal = new MemoryJournal({ limits: { changes: 10 } })
  for (let version = 1; version <= 1_500; version++) await journal.record([pageOf('/a', version)], AT + version)
  assert.deepEqual([journal.last, journal.pageCount], [1_500, 1])
  assert.ok(journal.since > 900, `${journal.since}`)
})
