/** Fault fixture: a handler for faults, for tests of handlers that need one. */
import { FaultHandler } from '../faults/fault-handler.ts'

export const createFaults = (dir: string): FaultHandler => new FaultHandler(dir, 'crawl', () => 0)
