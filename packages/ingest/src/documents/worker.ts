/** A worker thread that reads strangers' documents; see `documents/work.ts`. */
import { serveGuardedThread } from './guarded-thread.ts'
import { doWork } from './work.ts'

serveGuardedThread(doWork)
