/**
 * Listings of pages, for what their metadata weighs: a table with a heading (`url`, `bytes`, `mtime` in seconds; other
 * columns do not matter) as Debian's manuals have one, or a site made to the measures of 000 §3.2 and §3.3.
 */
import { basename, dirname } from 'node:path'
import type { PageEntry } from '@comity/protocol'
import { graphLimits, ReadLog } from '../../webs/graph/limits.ts'
import { LineScanner } from '../../webs/graph/graph-lines.ts'
import { unpackedChunks } from '../../webs/graph/source.ts'
import { lognormal } from '../../webs/generated/distributions.ts'
import { webUnreadable } from '../../lab-error.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface Listing {
  readonly name: string
  /** By origin. */
  readonly sites: ReadonlyMap<string, readonly PageEntry[]>
}

const MAX_PAGES = 2_000_000
const MAX_BYTES = 2 ** 31
const MAX_LINE_BYTES = 64 * 2 ** 10

/** Throws a LabError for a file that is missing, damaged, too large, or without the columns. */
export async function readListing(path: string): Promise<Listing> {
  const log = new ReadLog(path, { ...graphLimits, maxLineBytes: MAX_LINE_BYTES })
  const sites = new Map<string, PageEntry[]>()
  let columns: Readonly<Record<'url' | 'bytes' | 'mtime', number>> | undefined
  let pages = 0
  const scanner = new LineScanner((text, line) => {
    const cells = text.split('\t')
    if (columns === undefined) {
      columns = { url: cells.indexOf('url'), bytes: cells.indexOf('bytes'), mtime: cells.indexOf('mtime') }
      if (Object.values(columns).includes(-1)) throw webUnreadable(path, 'Its heading lacks url, bytes or mtime.')
      return
    }
    const url = URL.parse(cells[columns.url] ?? '')
    const [bytes, mtime] = [Number(cells[columns.bytes] ?? NaN), Number(cells[columns.mtime] ?? NaN)]
    if (url === null || !(bytes >= 0) || !(mtime >= 0)) return log.malformedLine(line, 'a page: url, bytes, mtime')
    if (++pages > MAX_PAGES) throw webUnreadable(path, `It has more than ${MAX_PAGES} pages, the most we read.`)
    const page = { url: url.href, bytes, modifiedAt: mtime * 1_000, type: 'text/html' }
    const site = sites.get(url.origin)
    if (site === undefined) sites.set(url.origin, [page])
    else site.push(page)
  }, log)
  for await (const chunk of unpackedChunks(path, MAX_BYTES)) scanner.write(chunk)
  scanner.end()
  if (pages === 0) throw webUnreadable(path, 'There is no page in it.')
  return { name: basename(dirname(path)), sites }
}

/** Figure 4(a) as far as the text tells it; how images divide into GIF and JPEG, and what "other" is, is our choice. */
const TYPES: readonly (readonly [share: number, type: string, ending: string])[] = [
  [0.561, 'text/html', 'html'],
  [0.189, 'image/gif', 'gif'],
  [0.1, 'image/jpeg', 'jpg'],
  [0.045, 'application/postscript', 'ps'],
  [0.04, 'application/pdf', 'pdf'],
  [0.035, 'text/plain', 'txt'],
  [0.03, 'application/zip', 'zip'],
]
const SYLLABLES = ['ba', 'co', 'da', 'fe', 'gra', 'ho', 'in', 'ko', 'li', 'mo', 'ne', 'pa', 'ro', 'sta', 'to', 'vi']
const SITE = 'https://www.example.edu'
/** The site has been written to for so long, up to the end of 1999. */
const [LATEST, YEARS_MS] = [Date.UTC(2000, 0, 1), 4 * 365 * 86_400_000]
const FOLDERS = 400

/** One site of so many pages, with paths of 30 characters on average, three folders deep (000 §3.2). */
export function madeListing(seed: number, pages: number, meanBytes: number): Listing {
  const random = createRandom(seedOf(seed, 'listing'))
  const folders = Array.from({ length: FOLDERS }, () => [word(random, 3), word(random, 2), word(random, 2)].join('/'))
  const median = meanBytes / Math.exp(1 / 2)
  const entries = Array.from({ length: pages }, (_, page) => {
    const [, type, ending] = drawType(random)
    return {
      url: `${SITE}/${random.pick(folders)}/${word(random, 2)}${page}.${ending}`,
      bytes: Math.round(lognormal(random, median, 1)),
      modifiedAt: LATEST - Math.floor((random.next() ** 2 * YEARS_MS) / 1_000) * 1_000,
      type,
    }
  })
  return { name: 'made site', sites: new Map([[SITE, entries]]) }
}

const word = (random: Random, syllables: number): string =>
  Array.from({ length: syllables }, () => random.pick(SYLLABLES)).join('')

function drawType(random: Random): (typeof TYPES)[number] {
  let left = random.next()
  return TYPES.find(([share]) => (left -= share) < 0) ?? TYPES[0]!
}
