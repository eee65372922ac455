/**
 * How schemes begin on a made site: everybody has a copy of it already, polls know where they stand, and delivery workers know what
 * their subscriber holds. A first copy is the same work for all, and of a hundred thousand pages too much of it.
 */
import { AgentMemory } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { writeHttpDate } from '@comity/protocol'
import { DeliveryWorkerMemory, MemoryRows, pageEtag } from '@comity/site'
import type { CountedSite } from '../../../cooperating/counted-site.ts'
import { AgentRunner } from '../../../cooperating/agent.ts'
import type { SiteCopy } from '../../../cooperating/copy.ts'
import type { MadePoller, MadeReceiver } from './contender.ts'
import { BEGINS } from './year.ts'
import type { MadeYear } from './year.ts'
import { Sender, SUBSCRIBER } from '../../../cooperating/sender.ts'
import type { SchemeForm } from '../table.ts'
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
  for (const teller of tellers) await teller.poll(site.paths)
  const at = BEGINS - HOUR_MS
  const [{ path }] = pages as [MadeYear['pages'][number]]
  await site.put([{ path, body: edit(site.body(path)!), modifiedAt: at }], at)
  site.moveTo(BEGINS - 1)
  for (const { copy, form } of [...pollers, ...receivers]) holdAll(copy, site, form)
  for (const teller of tellers) await teller.poll(site.paths)
  for (const { copy } of [...pollers, ...receivers]) copy.takeNews()
}

function holdAll(copy: SiteCopy, site: CountedSite, { site: { door } }: SchemeForm): void {
  for (const { path, digest, bytes, modifiedAt } of site.journal.pages())
    copy.hold(path, {
      body: site.body(path)!,
      digest: digest.slice('sha-256:'.length),
      // As each endpoint makes them: a plain server out of what its file system knows.
      etag: door === 'plain' ? `"${bytes.toString(16)}-${modifiedAt.toString(16)}"` : pageEtag({ digest }),
      lastModified: writeHttpDate(modifiedAt),
      asOf: modifiedAt,
    })
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
