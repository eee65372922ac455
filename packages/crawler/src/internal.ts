/** What siblings need of this package and nobody else should: light enough for a thread that reads documents and does nothing else. */
export { DocumentBench, serveBench } from './document-bench.ts'
export type { BenchOptions } from './document-bench.ts'
