/** Fault fixture: a desk for faults, for tests of desks that need one. */
import { FaultDesk } from '../faults/fault-desk.ts'

export const createFaults = (dir: string): FaultDesk => new FaultDesk(dir, 'crawl', () => 0)
