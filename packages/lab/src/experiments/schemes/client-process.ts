/** The process of a crawler that keeps a copy of a site by one scheme (schemes-table.ts): it polls, or it is sent to. */
import type { Instant } from '@comity/protocol'
import { SiteCopy } from '../../cooperating/copy.ts'
import type { CopyNews } from '../../cooperating/copy.ts'
import { openLine } from '../../cooperating/http.ts'
import type { Traffic } from '../../cooperating/http.ts'
import type { Poll, PulledForm } from './pulled.ts'
import { PushReceiver } from '../../cooperating/receiver.ts'
import { schemeForm } from './table.ts'
import { answerCalls, cpuMs } from './worker.ts'

export interface PollTerms {
  readonly listed: readonly string[]
  /** By the site's clock. */
  readonly at: Instant
}

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

/** What came of being sent something: so far. */
export interface Received {
  readonly cost: PollCost
  /** What each request made of the copy, in order, since this was asked last. */
  readonly news: readonly CopyNews[]
}

const copy = new SiteCopy()
let crawler: { readonly form: PulledForm; readonly port: number; readonly poll: Poll } | undefined
let receiver: PushReceiver | undefined

answerCalls({
  open: async (argument) => {
    const { scheme, port } = argument as { readonly scheme: string; readonly port: number }
    const form = schemeForm(scheme)
    if (form.kind === 'pulled') {
      crawler = { form, port, poll: form.start(copy) }
      return ''
    }
    receiver = await PushReceiver.listen({ copy, terms: form.push, sitePort: port })
    return receiver.address
  },
  poll: async (argument): Promise<PollCost> => {
    const { form, port, poll } = crawler!
    const [cpu, wall, before] = [cpuMs(), performance.now(), copy.counts]
    const line = openLine(port, form.line)
    const { listed, at } = argument as PollTerms
    await poll(line, listed, at)
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
  /** What has changed here since this was asked last. */
  news: async () => copy.takeNews(),
  siteEnded: async () => await receiver!.siteEnded(),
  received: async (): Promise<Received> => {
    const news = await receiver!.settled()
    const { fetched, changes, broken } = copy.counts
    return { news, cost: { ...receiver!.traffic, cpuMs: cpuMs(), wallMs: performance.now(), fetched, changes, broken } }
  },
})
