/** What tests of other packages take from this one. */
export { manuals } from './manuals-fixture.ts'
export { HOSTILE_SEGMENTS, spellingsOf } from './path-spellings-fixture.ts'
export type { SpellingTricks } from './path-spellings-fixture.ts'
