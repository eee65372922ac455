/** A worker thread that reads what agents at sites say; see `agent/engine-agents.ts`. */
import { serveGuardedThread } from '@comity/ingest/internal'
import { resultIn } from './engine-agents.ts'

serveGuardedThread(resultIn)
