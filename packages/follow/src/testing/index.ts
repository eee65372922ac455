/** What tests of other packages take from this one, and nobody else should. */
export { CHANGE_OFFERS } from '../site-offers.ts'
export { packageOf } from './package-fixture.ts'
