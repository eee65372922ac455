/** Topic hubs: where changes of the site can be subscribed to: at its own hub, and at those outside that its owner tells. */
import type { SyncLink } from '@comity/protocol'
import { HUB_REL, SELF_REL } from '@comity/protocol'
import type { PublicView } from '../privacy/public-view.ts'
import { pushSchemes } from '../push-options.ts'
import type { SiteSetting } from '../site-options.ts'

/** Absolute URLs, the own first; none when nobody can subscribe. */
export function topicHubs(view: PublicView, { push = {}, offered }: SiteSetting): readonly string[] {
  const isOurs = offered.has('push') && pushSchemes(push).includes('changes')
  return [...(isOurs ? [view.url(view.paths.hub)] : []), ...(push.hubs ?? [])]
}

/** What the change list says of itself, for whoever sees no fields: a copy, or a file that any server sends. */
export function topicLinks(view: PublicView, setting: SiteSetting): readonly SyncLink[] {
  const hubs = topicHubs(view, setting)
  if (hubs.length === 0) return []
  const self = { rel: SELF_REL, href: view.url(view.paths.topics.changes) }
  return [...hubs.map((href) => ({ rel: HUB_REL, href })), self]
}
