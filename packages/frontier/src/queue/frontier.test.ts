import { frontierStorageSuite } from '../testing/frontier-storage.suite.ts'
import { frontierSuite } from '../testing/frontier.suite.ts'
import { MemoryStore } from './memory-store.ts'

frontierSuite('frontier', () => new MemoryStore())
frontierStorageSuite('frontier over memory', () => new MemoryStore())
