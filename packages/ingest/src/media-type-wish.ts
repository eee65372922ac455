/**
 * TypeWish: what a crawl is to bring home, as media kinds (`image`) and media types (`application/pdf`, `image/*`), and
 * what follows from it for a link, an entry of a list, and an answer. Pure.
 *
 * A crawl that does not want HTML is a media-type crawl: pages are then only a means, to find what is wanted (000 §4.2).
 */
import { FEED_TYPES, likelyKindOf, matchesType, mediaKindOf, typeByEnding } from '@comity/protocol'
import type { MediaKind } from '@comity/protocol'

export interface TypeWish {
  readonly kinds: readonly MediaKind[]
  /** Media types, lower-case, `image/*` among them. */
  readonly types: readonly string[]
}

/** Kinds that are one family of types: whoever is asked by types can be asked for them. */
const TYPES_OF_KIND: Readonly<Partial<Record<MediaKind, readonly string[]>>> = {
  image: ['image/*'],
  style: ['text/css'],
}
/** Types of each kind, one of them, to see which kinds a family such as `application/*` may reach. */
const SAMPLES: Readonly<Record<MediaKind, readonly string[]>> = {
  page: ['text/html'],
  image: ['image/png'],
  style: ['text/css'],
  script: ['text/javascript', 'application/javascript'],
  media: ['audio/mpeg', 'video/mp4', 'application/ogg'],
  document: ['application/pdf', 'text/rtf', 'image/vnd.djvu'],
  feed: FEED_TYPES,
  text: ['text/plain'],
  data: ['application/json', 'text/csv'],
  other: ['application/zip', 'font/woff2'],
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's type names just these keys.
const KINDS = Object.keys(SAMPLES) as MediaKind[]

function wantsPages({ kinds, types }: TypeWish): boolean {
  return kinds.includes('page') || types.some(reachesPages)
}

function reachesPages(wanted: string): boolean {
  return matchesType(wanted, 'text/html') || wanted === 'application/xhtml+xml'
}

export function isMediaTypeCrawl(wish: TypeWish): boolean {
  return !wantsPages(wish) && (wish.kinds.length > 0 || wish.types.length > 0)
}

/** Whether something of this type is wanted. Without a type, or with one that says nothing, the URL's ending decides. */
export function isWanted(wish: TypeWish, contentType: string | undefined, url: string): boolean {
  const kind = mediaKindOf(contentType, url)
  if (wish.kinds.includes(kind)) return true
  if (kind === 'page') return wantsPages(wish)
  const said = contentType?.slice(0, 200).split(';', 1)[0]!.trim().toLowerCase() ?? ''
  const type = said === '' || said.endsWith('/octet-stream') ? (typeByEnding(url) ?? said) : said
  return type !== '' && wish.types.some((wanted) => matchesType(wanted, type))
}

/** Whether a URL may lead to something wanted; undefined when only asking can tell. */
export function mayBeWanted(wish: TypeWish, url: string): boolean | undefined {
  const type = typeByEnding(url)
  if (type !== undefined) return isWanted(wish, type, url)
  const kind = likelyKindOf(url)
  if (kind === undefined || followedKinds(wish).includes(kind)) return undefined
  return false
}

/**
 * Why a file that a list names is excluded before anybody asks for it: by what the list says that it is, or, where that is not
 * said, by its ending. What is told counts for more than a name: `/view.png` may be the page about a picture.
 */
export function listedReason(wish: TypeWish, type: string | undefined, url: string): 'told-type' | 'type' | undefined {
  if (type !== undefined && type !== '') return mayLead(wish, type, url) ? undefined : 'told-type'
  return isSurelyUnwanted(wish, url) ? 'type' : undefined
}

/** By its name neither wanted nor a page that may lead to what is. */
export function isSurelyUnwanted(wish: TypeWish, url: string): boolean {
  return mayBeWanted(wish, url) === false && mayBeWanted(PAGES, url) === false
}

/** Kinds of links that are followed: those wanted, those that wanted types belong to, and pages, which lead to them. */
export function followedKinds(wish: TypeWish): readonly MediaKind[] {
  const isReached = (kind: MediaKind): boolean =>
    wish.kinds.includes(kind) ||
    wish.types.some((wanted) => reachesKind(wanted, kind)) ||
    (kind === 'page' && isMediaTypeCrawl(wish))
  return KINDS.filter(isReached)
}

function reachesKind(wanted: string, kind: MediaKind): boolean {
  if (wanted.endsWith('/*')) return SAMPLES[kind].some((type) => matchesType(wanted, type))
  return mediaKindOf(wanted) === kind
}

/** The wish in media types alone, for whoever can be asked by them; undefined when it cannot be said so. */
export function askableTypes({ kinds, types }: TypeWish): readonly string[] | undefined {
  const ofKinds = kinds.map((kind) => TYPES_OF_KIND[kind])
  if (ofKinds.includes(undefined)) return undefined
  return [...types, ...ofKinds.flatMap((list) => list ?? [])]
}

/** HTML that is read for its links alone. */
export function isMeans(wish: TypeWish, contentType: string | undefined, url: string): boolean {
  return isMediaTypeCrawl(wish) && !isWanted(wish, contentType, url) && mayLead(wish, contentType, url)
}

/** What is wanted, or leads to it. */
export function mayLead(wish: TypeWish, contentType: string | undefined, url: string): boolean {
  return isWanted(wish, contentType, url) || (isMediaTypeCrawl(wish) && isWanted(PAGES, contentType, url))
}

const PAGES: TypeWish = { kinds: ['page'], types: [] }
