/** What 000 reads out of a server's access log (§4.1, §4.2, §5), and the files of a server by kind. */
import { likelyKindOf } from '@comity/protocol'
import type { MediaKind } from '@comity/protocol'

export interface LogHour {
  readonly hits: number
  /** By addresses that asked for robots.txt, which is how the paper knows crawlers. */
  readonly byRobots: number
  /** By crawlers as the whole lab tells them (`advise/site/visitors.ts`); feed readers, previews and tools are none. */
  readonly crawlers: number
}

export interface LogFacts {
  readonly name: string
  readonly requests: number
  readonly malformed: number
  readonly days: number
  readonly crawlers: { readonly addresses: number; readonly withNotModified: number }
  readonly hours: readonly LogHour[]
  /** Files that were answered with 200, by kind. */
  readonly files: ReadonlyMap<MediaKind, { readonly count: number; readonly bytes: number }>
}

/** Files by kind, from the size of each path. */
export function fileKinds(sizes: ReadonlyMap<string, number>): LogFacts['files'] {
  const files = new Map<MediaKind, { count: number; bytes: number }>()
  for (const [path, bytes] of sizes) {
    // An address without an ending is a page more often than anything else.
    const kind = likelyKindOf(path) ?? 'page'
    const known = files.get(kind)
    if (known === undefined) files.set(kind, { count: 1, bytes })
    else {
      known.count++
      known.bytes += bytes
    }
  }
  return files
}
