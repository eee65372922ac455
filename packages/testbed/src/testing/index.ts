/** What tests of other packages take from this one, and nobody else should. */
export { foldEvents } from '../request-log.ts'
export type { LogEvent } from '../request-log.ts'
