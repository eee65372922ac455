/** For siblings alone: light enough for a thread that reads documents and does nothing else. */
export { GuardedThread, serveGuardedThread } from './documents/guarded-thread.ts'
export type { GuardedThreadOptions } from './documents/guarded-thread.ts'
