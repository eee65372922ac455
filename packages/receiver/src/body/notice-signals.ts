/**
 * Notice signals: what a site says has changed, as signals, one a line of JSON. Reads change notifications and change lists
 * (ResourceSync), and feeds, which is what most hubs of the Web send: of a feed only the site's own pages count, since feeds
 * link elsewhere for good reasons.
 */
import type { InboxEndpoint } from '@comity/collection'
import { isFeed, notificationSignals, readChangeNotification, readSitemap } from '@comity/protocol'
import type { Signal, SignalChannel } from '@comity/protocol'
import { PushRefusal } from '../admit/push-refusal.ts'

interface NoticeTerms {
  readonly origin: string
  readonly door: InboxEndpoint
  readonly topic: string
}

/** Throws a PushRefusal when nothing in it can be read, or it speaks of other sites. */
export function readNotice(bytes: Uint8Array, { origin, door, topic }: NoticeTerms): string {
  const read = readChangeNotification(bytes, topic)
  if ('changes' in read && read.changes.length > 0) {
    const signals = notificationSignals(read.changes, channelOf(door))
    const stranger = signals.find(({ url }) => !isOf(url, origin))
    if (stranger === undefined) return writeSignals(signals)
    throw new PushRefusal(
      'foreign',
      `${stranger.url.slice(0, 200)} is not a page of ${origin}: a site tells of its own.`,
    )
  }
  const own = feedSignals(bytes, topic, channelOf(door)).filter(({ url }) => isOf(url, origin))
  if (own.length > 0) return writeSignals(own)
  throw new PushRefusal(
    'malformed',
    'problem' in read
      ? `It is neither a change notification (${read.problem}) nor a feed with pages of ${origin}.`
      : 'It says of no page what changed: each <url> takes an <rs:md change="…"/>.',
  )
}

export function writeSignals(signals: readonly Signal[]): string {
  return signals.map((signal) => `${JSON.stringify(signal)}\n`).join('')
}

/** Unpacked, should it be packed. */
const MAX_FEED_BYTES = 16 << 20

/** A feed says that its entries are new, not what became of them. */
function feedSignals(bytes: Uint8Array, topic: string, channel: SignalChannel): Signal[] {
  const { entries, summary } = readSitemap(bytes, topic, { maxBytes: MAX_FEED_BYTES })
  if (!isFeed(summary.format)) return []
  return entries.map(({ loc, lastmod }) => ({ url: loc, change: 'updated', channel, changedAt: lastmod }))
}

/** Trust is learnt for each channel of a site: what is signed by the site's own key counts with what its hub sends. */
const channelOf = (door: InboxEndpoint): SignalChannel => (door === 'indexnow' ? 'indexnow' : 'websub')

const isOf = (url: string, origin: string): boolean => URL.parse(url)?.origin === origin
