import { inboxSuite } from '../testing/inbox.suite.ts'
import { MemoryInbox } from './memory-inbox.ts'

inboxSuite('memory inbox', async (_, after, limits) => new MemoryInbox(after, limits))
