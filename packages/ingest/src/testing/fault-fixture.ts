/** Fault fixture: a handler for faults, for tests of handlers that need one. */
import { FaultIsolation } from '../faults/fault-isolation.ts'

export const createFaults = (dir: string): FaultIsolation => new FaultIsolation(dir, 'crawl', () => 0)
