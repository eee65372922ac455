/**
 * The pages of one site, for what it costs to learn which of them changed: made to the measures of 002 §6.5.3, or taken
 * from a real site. A made site is a tree of folders, each with an index that leads to its pages and to the folders below:
 *
 *   index.html ──▶ 19 pages, 12 folders ──▶ each an index, 19 pages, 12 folders ──▶ …
 */
import type { Instant, PageEntry } from '@comity/protocol'
import { lognormal } from './generated/distributions.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface SitePage extends PageEntry {
  readonly bytes: number
  readonly modifiedAt: Instant
}

export interface SitePages {
  readonly name: string
  /** Home page's folder, with a slash at its end. */
  readonly base: string
  readonly pages: readonly SitePage[]
  /** Pages that each page links to, by their place in `pages`, the home page first; undefined where nobody knows. */
  readonly links?: readonly (readonly number[])[] | undefined
}

interface MadeSite {
  readonly pages: number
  readonly seed: number
  /** Characters of a URL, on average. */
  readonly urlChars: number
  readonly meanBytes: number
}

const BASE = 'https://www.example.org/'
const [FOLDER_PAGES, FOLDER_FOLDERS] = [20, 12]
const SYLLABLES = ['ba', 'co', 'da', 'fe', 'gra', 'ho', 'in', 'ko', 'li', 'mo', 'ne', 'pa', 'ro', 'sta', 'to', 'vi']
/** The last change of a page is up to four years old, and of most not long ago. */
export const SITE_BEGINS: number = Date.UTC(2026, 0, 1)
const YEARS_MS = 4 * 365 * 86_400_000

export function madeSite({ pages: count, seed, urlChars, meanBytes }: MadeSite): SitePages {
  const random = createRandom(seedOf(seed, 'cooperation', count))
  const median = meanBytes / Math.exp(1 / 2)
  const pages: SitePage[] = []
  const links: number[][] = []
  const add = (url: string, from: number | undefined): number => {
    const modifiedAt = SITE_BEGINS - Math.floor((random.next() ** 2 * YEARS_MS) / 1_000) * 1_000
    pages.push({ url, bytes: Math.max(1, Math.round(lognormal(random, median, 1))), modifiedAt })
    links.push([])
    if (from !== undefined) links[from]!.push(pages.length - 1)
    return pages.length - 1
  }
  const folders: { readonly path: string; readonly from: number | undefined }[] = [{ path: BASE, from: undefined }]
  for (let next = 0; pages.length < count; next++) {
    const { path, from } = folders[next]!
    const index = add(`${path}index.html`, from)
    const files = Math.min(FOLDER_PAGES - 1, count - pages.length)
    for (let file = 0; file < files; file++) add(`${path}${fileName(random, urlChars - path.length, file)}`, index)
    for (let folder = 0; folder < FOLDER_FOLDERS; folder++)
      folders.push({ path: `${path}${word(random, 4 + random.int(6))}${folder}/`, from: index })
  }
  return { name: `made, ${count.toLocaleString('en')} pages`, base: BASE, pages, links }
}

const ENDING = '.html'
/** Names differ by so much in length, and no name is shorter than it must be to say something. */
const [SPREAD, SHORTEST] = [8, 4]

function fileName(random: Random, room: number, number: number): string {
  const chars = room - ENDING.length - 2 + random.int(2 * SPREAD + 1) - SPREAD
  return `${word(random, Math.max(SHORTEST, chars))}${String(number).padStart(2, '0')}${ENDING}`
}

function word(random: Random, chars: number): string {
  let text = ''
  while (text.length < chars) text += random.pick(SYLLABLES)
  return text.slice(0, chars)
}
