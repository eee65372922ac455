/** A worker thread that reads strangers' documents; see `documents/work.ts`. */
import { serveBench } from './bench.ts'
import { doWork } from './work.ts'

serveBench(doWork)
