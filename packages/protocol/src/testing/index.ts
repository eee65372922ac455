/** What tests of other packages take from this one: where data stand, how much is tried, and fixtures. */
export { manuals } from './manuals-fixture.ts'
export { HOSTILE_SEGMENTS, spellingsOf } from './path-spellings-fixture.ts'
export type { SpellingTricks } from './path-spellings-fixture.ts'
export { leftOut, missing, sharedData } from './shared-data.ts'
export { amount, isTorture } from './torture.ts'
export { processorMs } from './processor-time.ts'
export { turnsDuring, untilSo } from './turns.ts'
