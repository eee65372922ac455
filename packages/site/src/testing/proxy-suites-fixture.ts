/** For the tests of siblings: what every proxy of ours has to stand. */
export { slowAndFloodingSuite } from './slow-and-flooding.suite.ts'
export { answersIn, judgeOrigin, visitor } from './smuggling-judge-fixture.ts'
export { smugglingSuite } from './smuggling.suite.ts'
