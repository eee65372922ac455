/** For siblings alone: light enough for a thread that reads documents and does nothing else. */
export { DocumentBench, serveBench } from './documents/bench.ts'
export type { BenchOptions } from './documents/bench.ts'
