/**
 * Media-type poll: which files of the wanted types a site has, by its own word. Its lists are asked one after the other, the one
 * that says most for the fewest bytes first, until one tells the types of what it lists:
 *
 *   filter ─▶ metadata archives ─▶ resource list, sitemap ─▶ robots.rdf
 *
 * A change list is none of them: it tells of what changed, not of what there is. A list counts when it names the types of
 * nearly all it lists; or, as a plain sitemap names none, when every URL in it has an ending that says what it is and some
 * are wanted. A sitemap of pages says nothing of the pictures on them.
 *
 * A crawl for pages asks the same lists for the opposite: what they say to be no page need not be asked for when a link leads there.
 */
import type { Robots } from '@comity/protocol'
import type { Inquiry } from '../inquiry.ts'
import type { ReportedPage } from '../offer-poll.ts'
import { OFFER_POLLS } from './offer-polls.ts'
import { OfferMemory } from '../offers/memory.ts'
import type { Offer, ChangeOfferKind } from '../site-offers.ts'
import { typeByEnding } from '@comity/protocol'
import { askableTypes, isWanted } from '@comity/ingest'
import type { TypeWish } from '@comity/ingest'

/** Lists of all that a site has, those that say most of each file first. */
export const WHOLE_LISTINGS: readonly ChangeOfferKind[] = ['filter', 'metadata-archive', 'sitemap', 'robots-rdf']

interface MediaTypePollParts {
  readonly origin: string
  readonly offers: readonly Offer[]
  readonly robots: Robots | undefined
  readonly wish: TypeWish
  /** Whoever wants to know what is not wanted, too, is told of everything. */
  readonly isForAll?: boolean | undefined
}

/** A file and what its site says that it is, or its name. */
interface TypedFile {
  readonly url: string
  readonly type: string
}

interface MediaTypeListing {
  readonly kind: ChangeOfferKind
  readonly url: string
  /** Files that it told of; of a list that could be asked by type, only those. */
  readonly told: number
  /** Those of the wanted types. */
  readonly wanted: readonly TypedFile[]
  /** Those that it says to be of other types, where all were asked for. */
  readonly unwanted: readonly TypedFile[]
}

/** Share of a list's files that must have a type. */
const TYPED_SHARE = 0.9
/** Files that one site may have us remember. */
const MAX_WANTED = 1_000_000
const MAX_UNTYPED = 100_000

export interface MediaTypePoll {
  /** Undefined when no list tells types. */
  readonly listing?: MediaTypeListing | undefined
  /** What lists without types named: where crawling may begin. */
  readonly untyped: readonly string[]
}

export function* pollForTypes(parts: MediaTypePollParts): Inquiry<MediaTypePoll> {
  const untyped: string[] = []
  for (const kind of WHOLE_LISTINGS) {
    for (const offer of parts.offers.filter((one) => one.kind === kind)) {
      const listing = yield* lookAt(parts, kind, offer, untyped)
      if (listing !== undefined) return { listing, untyped: [] }
    }
  }
  return { untyped }
}

function* lookAt(
  { origin, robots, wish, isForAll = false }: MediaTypePollParts,
  kind: ChangeOfferKind,
  offer: Offer,
  untyped: string[],
): Inquiry<MediaTypeListing | undefined> {
  const types = isForAll ? undefined : askableTypes(wish)
  const files = new ListedFiles(wish, isForAll)
  const { problem } = yield* OFFER_POLLS[kind]({
    origin,
    offer,
    robots,
    // Nothing is remembered of it: what is wanted is the whole list.
    memory: new OfferMemory(),
    types: types === undefined || types.length > MAX_ASKED_TYPES ? undefined : types,
    tell: (told) => {
      files.add(told)
      if (told.change !== 'deleted' && untyped.length < MAX_UNTYPED) untyped.push(told.url)
    },
    keep: () => undefined,
  })
  const isAnswer = !isForAll && (kind === 'filter' || kind === 'metadata-archive')
  if (problem !== undefined || !files.isTyped(isAnswer)) return undefined
  const { size: told, wanted, unwanted } = files
  return { kind, url: offer.url, told, wanted, unwanted }
}

/** As many as a filter takes (`bulk/change-query.ts` of protocol). */
const MAX_ASKED_TYPES = 50

class ListedFiles {
  readonly #wish: TypeWish
  readonly #wanted = new Map<string, string>()
  readonly #unwanted: Map<string, string> | undefined
  size = 0
  #typed = 0
  #telling = 0

  constructor(wish: TypeWish, isForAll: boolean) {
    this.#wish = wish
    if (isForAll) this.#unwanted = new Map()
  }

  get wanted(): readonly TypedFile[] {
    return [...this.#wanted].map(([url, type]) => ({ url, type }))
  }

  get unwanted(): readonly TypedFile[] {
    return [...(this.#unwanted ?? new Map<string, string>())].map(([url, type]) => ({ url, type }))
  }

  add({ url, type, change }: ReportedPage): void {
    this.#unwanted?.delete(url)
    if (change === 'deleted') return void this.#wanted.delete(url)
    this.size++
    const guessed = type ?? typeByEnding(url) ?? (url.endsWith('/') ? 'text/html' : undefined)
    if (type !== undefined) this.#typed++
    if (guessed === undefined) return
    this.#telling++
    if (isWanted(this.#wish, guessed, url)) {
      if (this.#wanted.size < MAX_WANTED) this.#wanted.set(url, guessed)
    } else if (type !== undefined && (this.#unwanted?.size ?? MAX_WANTED) < MAX_WANTED) {
      this.#wanted.delete(url)
      this.#unwanted?.set(url, type)
    }
  }

  /** Who was asked by type and tells of nothing has nothing of it; an empty list says nothing. */
  isTyped(isAnswer: boolean): boolean {
    if (this.size === 0) return isAnswer
    if (this.#typed >= TYPED_SHARE * this.size) return true
    return this.#telling === this.size && this.#wanted.size > 0
  }
}
