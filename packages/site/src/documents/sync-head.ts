/** Sync head: what every ResourceSync document of the site says of itself: what it is, and what is above it. */
import type { SyncCapability, SyncDocumentHead, SyncLink } from '@comity/protocol'
import type { PublicView } from '../privacy/public-view.ts'

/** Of every document in XML but robots.rdf. */
export const SYNC_TYPE = 'application/xml'

/** A function that makes heads; given the path of an index, that of one of its parts. */
export function syncHead(view: PublicView, capability: SyncCapability): (index?: string) => SyncDocumentHead {
  const up: SyncLink = { rel: 'up', href: view.url(view.paths.capabilityList) }
  return (index) => ({
    capability,
    links: index === undefined ? [up] : [up, { rel: 'index', href: view.url(index) }],
  })
}
