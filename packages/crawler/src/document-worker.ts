/** A worker thread that reads strangers' documents; see `document-work.ts`. */
import { serveBench } from './document-bench.ts'
import { doWork } from './document-work.ts'

serveBench(doWork)
