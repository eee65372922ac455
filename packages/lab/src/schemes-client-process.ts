/** The process of a crawler that keeps a copy of a site by one scheme (schemes-table.ts). */
import { SiteCopy } from './schemes-copy.ts'
import { openLine } from './schemes-http.ts'
import type { Traffic } from './schemes-http.ts'
import { schemeForm } from './schemes-table.ts'
import type { Poll, SchemeForm } from './schemes-table.ts'
import { answerCalls, cpuMs } from './schemes-worker.ts'

/** What one poll took. */
export interface PollCost extends Traffic {
  readonly cpuMs: number
  readonly wallMs: number
  /** Pages that came, and those among them that were new or other ones. */
  readonly fetched: number
  readonly changes: number
  /** Differences that could not be used; the page was asked for once more, whole. */
  readonly broken: number
}

const copy = new SiteCopy()
let crawler: { readonly form: SchemeForm; readonly port: number; readonly poll: Poll } | undefined

answerCalls({
  open: async (argument) => {
    const { scheme, port } = argument as { readonly scheme: string; readonly port: number }
    const form = schemeForm(scheme)
    crawler = { form, port, poll: form.start() }
  },
  poll: async (argument): Promise<PollCost> => {
    const { form, port, poll } = crawler!
    const [cpu, wall, before] = [cpuMs(), performance.now(), copy.counts]
    const line = openLine(port, form.line)
    await poll(line, copy, argument as readonly string[])
    // Counted while it is open, ended before the next poll: that may be a week away.
    const { traffic } = line
    await line[Symbol.asyncDispose]()
    const { fetched, changes, broken } = copy.counts
    return {
      ...traffic,
      cpuMs: cpuMs() - cpu,
      wallMs: performance.now() - wall,
      fetched: fetched - before.fetched,
      changes: changes - before.changes,
      broken: broken - before.broken,
    }
  },
  /** What is held, to be compared with what the site has. */
  copy: async () => Array.from(copy.pages, ([path, { digest }]) => [path, digest]),
})
