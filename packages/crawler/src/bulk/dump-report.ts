/** Dump report: what came of a site's dump, while it is taken and afterwards. */
import type { DumpPackage, Offer } from '@comity/follow'

/** What came of the dump of one site. */
export interface DumpReport {
  readonly origin: string
  readonly packages: number
  readonly pages: number
  /** As sent: lists, manifests, packages. */
  readonly bytes: number
  readonly requests: number
  /** Pages that were fetched to be compared, and those that were other ones. */
  readonly checked: number
  readonly different: number
  readonly problem?: string | undefined
}

/** A dump that is being taken. */
export interface DumpTaking {
  readonly offer: Offer
  readonly waiting: DumpPackage[]
  packages: number
  pages: number
  bytes: number
  requests: number
  problem?: string | undefined
}
