import { journalSuite } from '../testing/journal.suite.ts'
import { MemoryJournal } from './memory-journal.ts'

journalSuite('memory', async (_t, options) => new MemoryJournal(options))
