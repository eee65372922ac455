/**
 * What a request takes as such, its connection and its sockets, on this machine: of sites in one process with their crawler no
 * socket is opened, so that is measured apart, with two processes and pages that are hardly there, and added for each request.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestsOf, runScheme, siteMs } from '../run.ts'
import type { Replay } from '../run.ts'
import { schemeForm } from '../table.ts'
import { DAY_MS, storeBodies } from '../../../cooperating/year.ts'
import type { Year } from '../../../cooperating/year.ts'

/** Milliseconds of processor time, of who asks and of who answers. */
export interface RequestCost {
  readonly askingMs: number
  readonly answeringMs: number
}

export interface RequestCosts {
  /** On a connection of its own, and on one that is kept. */
  readonly each: RequestCost
  readonly kept: RequestCost
}

const [PAGES, POLLS] = [500, 4]
const BODY = Buffer.from('<p>')

export async function measureRequests(): Promise<RequestCosts> {
  const scratch = mkdtempSync(join(tmpdir(), 'comity-request-'))
  try {
    const bodies = new Map([['page', BODY]])
    const replay: Replay = {
      year: yearOf(PAGES),
      bodies: storeBodies(bodies, join(scratch, 'bodies')),
      digests: digestsOf(bodies),
      textOf: () => '',
    }
    return { each: await measured(replay, 'none'), kept: await measured(replay, 'keep-alive') }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function measured(replay: Replay, id: string): Promise<RequestCost> {
  const { year } = await runScheme(replay, schemeForm(id), { everyDays: 1, agentDays: 1 })
  return { askingMs: year.cpuMs / year.requests, answeringMs: siteMs(year) / year.requests }
}

const yearOf = (pages: number): Year => ({
  name: 'pages that are hardly there',
  folder: '',
  from: 0,
  until: POLLS * DAY_MS,
  present: Array.from({ length: pages }, (_, page) => ({ at: 0, path: `/${page}.html`, content: 'page' })),
  events: [],
})
