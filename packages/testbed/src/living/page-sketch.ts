/** Page sketch: a page that has a name and as yet no links. Plans are drawn from these in two steps, because a page
 * can be linked to before its own links are known. */
import type { LivingPage, PageLink } from './site.ts'
import { createRandom, seedOf } from '../seeded-random.ts'

export interface PageSketch {
  readonly path: string
  readonly title: string
}

export const linkTo = (origin: string, page: PageSketch, place: PageLink['place']): PageLink => ({
  url: origin + page.path,
  anchor: page.title,
  place,
})

/** An ordinary page that never changes; the caller spreads its own facts over it. */
export function plainPage(seed: number, site: string, sketch: PageSketch, links: readonly PageLink[]): LivingPage {
  const pageSeed = seedOf(seed, site, sketch.path)
  // Most pages are short and few are long.
  const paragraphs = 2 + Math.floor(6 * createRandom(pageSeed).next() ** 2)
  const { path, title } = sketch
  return { kind: 'page', path, title, seed: pageSeed, paragraphs, links, images: [], changeEveryMs: Infinity }
}
