/** The process of a site that lives through a year (schemes-server.ts), and may send by itself what changes. */
import type { Instant } from '@comity/protocol'
import { httpPost, pushSigner } from '@comity/site'
import type { Post } from '@comity/site'
import { agentBundle, AgentRunner, endedChildrenMs } from '../../cooperating/agent.ts'
import type { PushTerms } from './pushed.ts'
import { Sender, SITE_KEYS } from '../../cooperating/sender.ts'
import { answerCalls, cpuMs } from './worker.ts'
import { YearServer } from '../../cooperating/server.ts'
import type { SiteEndpoint } from '../../cooperating/server.ts'
import { storedBodies } from '../../cooperating/year.ts'
import type { StoredBodies, Year } from '../../cooperating/year.ts'

export interface SiteToOpen {
  readonly year: Year
  readonly bodies: StoredBodies
  readonly door: SiteEndpoint
}

/** To whom a site sends, and what. */
export interface SendingTerms {
  readonly terms: PushTerms
  readonly address: string
  readonly everyMs: number
}

/** When something was sent, how long it took until it was taken in, and requests up to it since the stretch began. */
interface Sending {
  readonly at: Instant
  readonly tookMs: number
  readonly requests: number
}

/** A stretch of time, lived through. */
export interface Lived {
  readonly sendings: readonly Sending[]
  readonly recordingMs: number
}

let server: YearServer | undefined
let sender: Sender | undefined
let requests = 0

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
  send: async (argument) => {
    const { terms, address, everyMs } = argument as SendingTerms
    const site = server!.siteOptions
    const agent = terms.agent === undefined ? undefined : new AgentRunner(await agentBundle(terms.agent), site)
    // Signatures are of now: the crawler's clock is not that of the year.
    const send = httpPost({ allowPrivate: true, sign: pushSigner(SITE_KEYS, Date.now) })
    const plain = httpPost({ allowPrivate: true })
    const post: Post = async (request, signal) => {
      requests++
      return await (terms.by === 'push' ? send : plain)(request, signal)
    }
    sender = new Sender({ site, terms, address, post, everyMs, agent })
  },
  /** Everything up to a moment, and whatever is to be sent meanwhile. */
  live: async (argument): Promise<Lived> => {
    const began = requests
    const sendings: Lived['sendings'][number][] = []
    let recordingMs = 0
    const counted = {
      get dueAt() {
        return sender!.dueAt
      },
      send: async (now: number): Promise<void> => {
        const [before, startedAt] = [requests, performance.now()]
        await sender!.send(now)
        // It may have found nothing to say.
        if (requests > before)
          sendings.push({ at: now, tookMs: performance.now() - startedAt, requests: requests - began })
      },
    }
    await server!.live(argument as number, counted, (ms) => (recordingMs += ms))
    const { trouble } = sender!
    if (trouble !== undefined) throw new Error(trouble)
    return { sendings, recordingMs }
  },
  /** What a run of the agent takes when nothing has changed since the last; nothing without one. */
  idle: async () => {
    await sender!.idleRun()
    const before = allMs()
    return (await sender!.idleRun()) === 'none' ? 0 : allMs() - before
  },
  cpu: async () => allMs(),
})

/** With what sandboxes took. */
const allMs = (): number => cpuMs() + endedChildrenMs()
