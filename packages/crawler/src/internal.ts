/** What siblings need of this package and nobody else should: light enough for a thread that reads documents and does nothing else. */
export { DocumentBench, serveBench } from './ingest/documents/bench.ts'
export type { BenchOptions } from './ingest/documents/bench.ts'
