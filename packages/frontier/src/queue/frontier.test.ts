import { amount } from '@comity/protocol/testing'
import { frontierModelSuite } from '../testing/frontier-model.suite.ts'
import { frontierStorageSuite } from '../testing/frontier-storage.suite.ts'
import { dueAgainSuite } from '../testing/due-again.suite.ts'
import { frontierSuite } from '../testing/frontier.suite.ts'
import { MemoryStore } from '../testing/memory-store.ts'

frontierSuite('frontier')
dueAgainSuite('frontier')
frontierStorageSuite('frontier over memory', () => new MemoryStore())
frontierModelSuite('frontier over memory', () => new MemoryStore(), amount(150, 10_000))
