/** The process of a site that lives through a year (schemes-server.ts). */
import { answerCalls, cpuMs } from './schemes-worker.ts'
import { YearServer } from './schemes-server.ts'
import type { SiteDoor } from './schemes-server.ts'
import { storedBodies } from './schemes-year.ts'
import type { StoredBodies, Year } from './schemes-year.ts'

export interface SiteToOpen {
  readonly year: Year
  readonly bodies: StoredBodies
  readonly door: SiteDoor
}

let server: YearServer | undefined

answerCalls({
  open: async (argument) => {
    const { year, bodies, door } = argument as SiteToOpen
    server = await YearServer.open(year, storedBodies(bodies), door)
    return server.port
  },
  /** What it took to take notice of what changed. */
  advance: async (argument) => {
    const before = cpuMs()
    await server?.advance(argument as number)
    return cpuMs() - before
  },
  cpu: async () => cpuMs(),
})
