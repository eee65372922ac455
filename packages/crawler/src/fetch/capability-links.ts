/** Capability links: where a page says that its site tells crawlers more (ResourceSync 1.1 §6.3.2, RFC 9727 §3). */
import { API_CATALOG_REL, RESOURCESYNC_REL, linkTargets } from '@comity/protocol'
import type { SettledVisit } from '@comity/ingest'

/** Capability lists that a page or its answer names; a claim, and perhaps about another site. */
export function capabilityListsOf(
  { headers, capabilityList }: Pick<SettledVisit, 'headers' | 'capabilityList'>,
  url: string,
): readonly string[] {
  const linked = linkTargets(headers ?? [], RESOURCESYNC_REL, url)
  return capabilityList === undefined ? linked : [...linked, capabilityList]
}

/** Catalogs that its answer names. */
export function catalogsOf({ headers }: Pick<SettledVisit, 'headers'>, url: string): readonly string[] {
  return linkTargets(headers ?? [], API_CATALOG_REL, url)
}
