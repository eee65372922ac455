/** What tests of other packages take from this one, and nobody else should. */
export { HOSTILE_NAMES } from './hostile-names-fixture.ts'
export { logSuite } from './log.suite.ts'
export type { LogSample } from './log.suite.ts'
