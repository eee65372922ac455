/** How a collection is written, and the defaults. */
import type { UrlRules } from '@comity/protocol'

export interface CollectionOptions {
  /** Stop while there is still this much room, so that the last commit fits; undefined: as the disk is (`warc/disk-room.ts`). */
  readonly minFreeBytes: number | undefined
  /** The next WARC file is begun when one is this long. The WARC guidelines advise 1 GB: tools handle that well. */
  readonly maxWarcBytes: number
  readonly software: string
  /** What makes two URLs one page, where somebody says so; undefined: as the collection was made. */
  readonly urlRules?: UrlRules | undefined
}

export const collectionDefaults: CollectionOptions = {
  minFreeBytes: undefined,
  maxWarcBytes: 1 << 30,
  software: 'comity/0.1',
}
