/** What tests of other packages take from this one, and nobody else should. */
export { PROBLEMS } from '../http/problem.ts'
