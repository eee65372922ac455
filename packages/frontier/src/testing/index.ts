/** For the tests of siblings: what a frontier keeps, over whatever store. */
export type { FrontierStore } from './frontier-fixture.ts'
export { frontierModelSuite } from './frontier-model.suite.ts'
export { frontierStorageSuite } from './frontier-storage.suite.ts'
export { MemoryStore } from './memory-store.ts'
