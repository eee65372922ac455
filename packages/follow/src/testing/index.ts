/** What tests of other packages take from this one, and nobody else should. */
export { TELLING } from '../site-offers.ts'
export { packageOf } from './package-fixture.ts'
