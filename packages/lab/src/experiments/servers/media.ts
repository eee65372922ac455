/**
 * Media-specific crawls (000 §4.2): who wants the images of a site downloads all its HTML to find them. With metadata,
 * the archives of their type and the images, no more.
 */
import type { LogFacts } from './log-facts.ts'
import type { ServersSettings } from './settings.ts'

/** Files of a site by type, `HTML` and `images` among them. */
export interface MediaMix {
  readonly name: string
  readonly groups: readonly { readonly type: string; readonly files: number; readonly bytes: number }[]
}

export interface MediaCrawl {
  readonly way: string
  readonly requests: number
  readonly bytes: number
  /** Shares of requests and bytes that are not images. */
  readonly needlessRequests: number
  readonly needlessBytes: number
}

export const HTML = 'HTML'
export const IMAGES = 'images'
export const OTHER = 'other'

/** §4.2: of HTML and images 66 % of the requests and 30 % of the bytes are HTML; §3.3: "other" is about 15 % of pages. */
const [HTML_REQUESTS, HTML_BYTES] = [0.66, 0.3]
export const OTHER_SHARE = 0.15

/** The mix of Figure 4, as far as the text tells it. The bytes of "other" it does not tell: they are left at none. */
export function paperMix({ pages, meanBytes }: ServersSettings): MediaMix {
  const known = Math.round(pages * (1 - OTHER_SHARE))
  const html = Math.round(known * HTML_REQUESTS)
  const bytes = known * meanBytes
  return {
    name: 'Figure 4, as the text tells it',
    groups: [
      { type: HTML, files: html, bytes: bytes * HTML_BYTES },
      { type: IMAGES, files: known - html, bytes: bytes * (1 - HTML_BYTES) },
      { type: OTHER, files: pages - known, bytes: 0 },
    ],
  }
}

/** Types under 5 % of the files are "other", as in Figure 4. */
const SMALL = 0.05
const NAMES: Readonly<Record<string, string>> = { page: HTML, image: IMAGES }

export function logMix({ name, files }: LogFacts): MediaMix {
  const total = [...files.values()].reduce((sum, { count }) => sum + count, 0)
  const groups = new Map<string, { files: number; bytes: number }>()
  for (const [kind, { count, bytes }] of files) {
    const type = NAMES[kind] ?? (count / total < SMALL ? OTHER : kind)
    const known = groups.get(type) ?? { files: 0, bytes: 0 }
    groups.set(type, { files: known.files + count, bytes: known.bytes + bytes })
  }
  return {
    name,
    groups: [...groups]
      .map(([type, { files: count, bytes }]) => ({ type, files: count, bytes }))
      .toSorted((a, b) => b.files - a.files),
  }
}

/** An image crawl through HTML and one by metadata. */
export function mediaCrawls({ groups }: MediaMix, { entryBytes, segmentEntries }: ServersSettings): MediaCrawl[] {
  const of = (type: string): { files: number; bytes: number } =>
    groups.find((group) => group.type === type) ?? { files: 0, bytes: 0 }
  const [html, images] = [of(HTML), of(IMAGES)]
  const archives = { files: Math.ceil(images.files / segmentEntries), bytes: images.files * entryBytes }
  return [
    ['through HTML', html],
    ['by metadata', archives],
  ].map(([way, extra]) => {
    const { files, bytes } = extra as typeof html
    return {
      way: way as string,
      requests: images.files + files,
      bytes: images.bytes + bytes,
      needlessRequests: files / (images.files + files),
      needlessBytes: bytes / (images.bytes + bytes),
    }
  })
}
