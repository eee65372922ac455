/**
 * How schemes begin on a made site: everybody has a copy of it already, polls know where they stand, and delivery workers know what
 * their subscriber holds. A first copy is the same work for all, and of a hundred thousand pages too much of it.
 */
import { AgentMemory } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { DeliveryWorkerMemory, MemoryRows } from '@comity/site'
import { holdSite } from '../../../cooperating/counted-site.ts'
import type { CountedSite } from '../../../cooperating/counted-site.ts'
import { AgentRunner } from '../../../cooperating/agent.ts'
import type { MadePoller, MadeReceiver } from './contender.ts'
import { BEGINS } from './year.ts'
import type { MadeYear } from './year.ts'
import { Sender, SUBSCRIBER } from '../../../cooperating/sender.ts'
import { DAY_MS } from '../../../cooperating/year.ts'

const HOUR_MS = 3_600_000
const ADDRESS = 'https://crawler.example.net/'
/** When the pages are recorded: what has to be so before the beginning is done after it. */
export const OPENS: number = BEGINS - 2 * HOUR_MS

/** Everybody has the site, and has followed it for long enough that not all of its pages are new. */
export async function beginMade(
  site: CountedSite,
  { pages, edit }: MadeYear,
  pollers: readonly MadePoller[],
  receivers: readonly MadeReceiver[],
): Promise<void> {
  const tellers = pollers.filter(({ form }) => form.tells)
  for (const { copy, form } of tellers) holdSite(copy, site, form.site.door)
  for (const teller of tellers) await teller.poll(site.paths)
  const at = BEGINS - HOUR_MS
  const [{ path }] = pages as [MadeYear['pages'][number]]
  await site.put([{ path, body: edit(site.body(path)!), modifiedAt: at }], at)
  site.moveTo(BEGINS - 1)
  for (const { copy, form } of [...pollers, ...receivers]) holdSite(copy, site, form.site.door)
  // Who is sent words holds words: of a page that is held whole the crawler would fetch the next version.
  for (const { copy, form } of receivers)
    if (form.push.agent === 'partial-index') for (const [held, { digest }] of copy.pages) copy.holdWords(held, digest)
  for (const teller of tellers) await teller.poll(site.paths)
  for (const { copy } of [...pollers, ...receivers]) copy.takeNews()
}

export async function subscribeMade(
  site: CountedSite,
  receiver: MadeReceiver,
  everyDays: number,
  bundle: AgentBundle | undefined,
): Promise<void> {
  const terms = receiver.form.push
  const memory = new DeliveryWorkerMemory(new MemoryRows(), Infinity)
  const sender = new Sender({
    site: site.options,
    terms,
    address: ADDRESS,
    post: receiver.post,
    begins: site.journal.last,
    memory,
    everyMs: everyDays * DAY_MS,
    firstAt: BEGINS + everyDays * DAY_MS,
    agent:
      bundle === undefined || terms.agent === undefined
        ? undefined
        : new AgentRunner(bundle, site.options, agentMemory(site)),
  })
  receiver.sender = sender
  if (sender.dueAt > site.now) return
  await sender.send(site.now)
  // What it is known to hold, as if it had been sent before.
  const holds = Array.from(site.journal.pages(), ({ path, digest }) => ({ path, digest, deltas: 0 }))
  await memory.commit(memory.row(SUBSCRIBER)!, { holds })
}

/** As after a run over all pages: the agent for partial indexes remembers digests. */
function agentMemory({ journal, base }: CountedSite): AgentMemory {
  const { origin } = new URL(base)
  return new AgentMemory(
    new Map(Array.from(journal.pages(), ({ path, digest }) => [`${origin}${path}`, JSON.stringify(digest)])),
  )
}
