/**
 * Change notification (ResourceSync Change Notification 1.0.1): a site sends what changed instead of waiting to be asked.
 * In form a change list that holds only what is new; WebSub carries it (`push/websub.ts`), its channel is the topic.
 *
 *   <urlset …>
 *     <rs:ln rel="up" href="https://a.example/capabilitylist.xml"/>
 *     <rs:md capability="change-notification" from="…" until="…"/>
 *     <url><loc>…</loc><lastmod>…</lastmod><rs:md change="updated" datetime="…" hash="sha-256:…" length="…" type="…"/></url>
 *   </urlset>
 *
 * In a capability list the channel stands with the same capability and an `rs:ln` to its hub (§5). Publishers of old say
 * `changelist`, or nothing, where the capability is: all three are read.
 */
import type { Instant } from '../instant.ts'
import { changeEntryOf } from '../feeds/page-entry.ts'
import type { ChangeEntry } from '../feeds/page-entry.ts'
import { readSync } from '../feeds/resourcesync-reader.ts'
import type { SyncProblem } from '../feeds/resourcesync-reader.ts'
import { writeSyncDocument } from '../feeds/resourcesync-writer.ts'
import type { Signal, SignalChannel } from '../signal.ts'

export const NOTIFICATION_TYPE = 'application/xml'

export interface ChangeNotification {
  /** Oldest first. */
  readonly changes: readonly ChangeEntry[]
  /** Absolute URL of the list that says what else the site offers. */
  readonly capabilityList?: string | undefined
}

/** Throws a RangeError when there are more changes than a sitemap may list: send several. */
export function writeChangeNotification({ changes, capabilityList }: ChangeNotification): string {
  const links = capabilityList === undefined ? [] : [{ rel: 'up', href: capabilityList }]
  const times = changes.flatMap(({ changedAt }) => changedAt ?? [])
  const span = times.length === 0 ? {} : { from: times[0], until: times.at(-1) }
  return writeSyncDocument({ capability: 'change-notification', links, ...span }, changes)
}

export interface NotificationLimits {
  readonly maxBytes: number
  readonly maxEntries: number
}

const notificationLimits: NotificationLimits = { maxBytes: 16 << 20, maxEntries: 50_000 }

export type ReadNotification =
  | {
      readonly changes: readonly ChangeEntry[]
      readonly from?: Instant | undefined
      readonly until?: Instant | undefined
      /** Changes beyond the limit, and entries that do not say what changed. */
      readonly passedOver: number
      readonly problems: Readonly<Partial<Record<SyncProblem, number>>>
    }
  | { readonly problem: string }

/** What a notification says; addresses may be of any host, the caller decides. Nothing makes it throw. */
export function readChangeNotification(
  bytes: Uint8Array,
  topic: string,
  limits: Partial<NotificationLimits> = {},
): ReadNotification {
  const { entries, summary } = readSync(bytes, topic, { ...notificationLimits, ...limits })
  const { format, capability, dropped, problems, from, until } = summary
  if (format !== 'urlset') return { problem: 'it is no urlset' }
  if (capability !== undefined && !TAKEN.has(capability))
    return { problem: `it is a ${capability}, not a change notification` }
  const changes = entries.flatMap((entry): readonly ChangeEntry[] => {
    return entry.kind === 'change' ? [changeEntryOf(entry)] : []
  })
  return { changes, from, until, passedOver: dropped + entries.length - changes.length, problems }
}

const TAKEN: ReadonlySet<string> = new Set(['change-notification', 'changelist'])

/** The claims in it. */
export function notificationSignals(changes: readonly ChangeEntry[], channel: SignalChannel): readonly Signal[] {
  return changes.map(({ url, change, changedAt, digest }) => ({ url, change, channel, changedAt, digest }))
}
