/** A worker thread that looks into what sites sent; see `body/content-checks.ts`. */
import { serveGuardedThread } from '@comity/ingest/internal'
import { contentVerdict } from './content-checks.ts'

serveGuardedThread(contentVerdict)
