/**
 * Archive poll: metadata archives (000 §3.1-3.3), of which a crawler takes only those whose names say that they can matter.
 *
 *   robots.txt ──▶ list ──▶ more lists, if they have numbers that we have not read
 *                   └─ archives from the last number on that we have read in full, oldest first, of the types that matter
 *
 * An archive that is cut off is told of as far as it goes, and asked for again at the next poll: the number we have read in
 * full stays before it. A list that is as it was leads to the one archive that may still grow.
 */
import { archivesOfRobots, metadataArchivesSince, canGoOnFrom, readArchiveList } from '@comity/protocol'
import type { ArchiveEntry, MetadataArchiveList, Instant, ListedArchive } from '@comity/protocol'
import { inTurns } from '../inquiry.ts'
import type { Inquiry } from '../inquiry.ts'
import { ownUrl } from '../offer-poll.ts'
import type { OfferPollEnd, OfferPollParts, ReportedPage } from '../offer-poll.ts'

const MAX_LISTS = 20
/** Lines held until the newer ones are in. */
const MAX_LINES = 200_000
const NO_LIST: MetadataArchiveList = { archives: [], lists: [], deletionsAfter: 0, ignoredLines: 0 }

export function* pollArchives(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { memory, types, since, robots, origin } = parts
  const gathered = yield* gatherLists(parts)
  if ('problem' in gathered) return { problem: gathered.problem }
  const { list, marks, isWhole } = gathered
  const isFollowed = memory.archivesUpTo !== undefined && canGoOnFrom(list, memory.archivesUpTo)
  const after = isFollowed ? memory.archivesUpTo : undefined
  const listed = list.archives.flatMap((archive) => {
    const url = ownUrl(archive.url, origin)
    return url === undefined ? [] : [{ ...archive, url }]
  })
  if (listed.length === 0 && (robots?.metadata.length ?? 0) > 0) return { problem: 'no archive is listed' }
  const wish = { after, types, ...(after === undefined ? { since } : {}) }
  memory.named.begin(parts.offer.url, isFollowed)
  const read = yield* readArchives(parts, metadataArchivesSince(listed, wish), after)
  if ('problem' in read) return read
  memory.named.end(parts.offer.url)
  const newest = newestOf(listed)
  // Also when all that is new is of types that do not matter.
  memory.archivesUpTo = Math.max(newest?.name.number ?? 0, after ?? 0)
  for (const remember of marks) remember(newest === undefined ? [] : [newest.url])
  // Whoever follows is told of deletions; whoever has to begin anew finds out by what is not there.
  const isAll =
    isWhole && read.hasAllLines && listed.length === list.archives.length && types === undefined && since === undefined
  return { isComplete: !isFollowed && isAll, documents: [parts.offer.url] }
}

interface Gathered {
  readonly list: MetadataArchiveList
  /** All lists were read: what stands elsewhere may name pages that nothing else names. */
  readonly isWhole: boolean
  /** To be called when all archives were read, with those that may still grow. */
  readonly marks: readonly ((growing: readonly string[]) => void)[]
}

/** Everything that is listed, in robots.txt and in the lists that it names. */
function* gatherLists(parts: OfferPollParts): Inquiry<Gathered | { readonly problem: string }> {
  const { memory, origin, robots, offer } = parts
  let all = archivesOfRobots(robots?.metadata ?? [], `${origin}/robots.txt`)
  const waiting: { url: string; upTo?: number }[] = robots === undefined ? [{ url: offer.url }] : [...all.lists]
  const marks: Gathered['marks'][number][] = []
  const seen = new Set<string>()
  let isWhole = all.ignoredLines === 0
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const url = ownUrl(next.url, origin)
    if (url === undefined || (!seen.has(url) && seen.size >= MAX_LISTS)) isWhole = false
    if (url === undefined || seen.has(url) || seen.size >= MAX_LISTS) continue
    seen.add(url)
    const isFinal = next.upTo !== undefined
    const reads = { reader: 'archive-list' } as const
    const reply = yield { url, mark: isFinal ? undefined : memory.mark(url), reads }
    if (reply.kind === 'same') all = joined(all, growingOnes(memory.mark(url)?.parts ?? []))
    else if (reply.kind !== 'document') return { problem: `a list of archives: ${reply.problem}` }
    else if (!reply.isWhole) return { problem: 'a list of archives broke off' }
    else {
      const list = reply.read.archiveList ?? NO_LIST
      if (list.ignoredLines > 0) isWhole = false
      const upTo = memory.archivesUpTo
      all = joined(all, list)
      // One that ends before what we have read has nothing new; if we cannot follow, all that there is has to be read.
      const mayFollow = upTo !== undefined && canGoOnFrom(all, upTo)
      waiting.push(...list.lists.filter((one) => !mayFollow || one.upTo === undefined || one.upTo > upTo))
      if (!isFinal) marks.push((growing) => memory.remember(url, { ...reply.mark, parts: growing }))
    }
  }
  return { list: all, marks, isWhole }
}

type ReadArchives = { readonly problem: string } | { readonly hasAllLines: boolean }

function* readArchives(
  parts: OfferPollParts,
  archives: readonly ListedArchive[],
  after: number | undefined,
): Inquiry<ReadArchives> {
  const lines = new LatestLines(parts)
  let hasAllLines = true
  for (const { url, name } of archives) {
    yield* lines.reach(name.number)
    const reads = { reader: 'archive', site: parts.origin, name } as const
    const reply = yield { url, mark: parts.memory.mark(url), reads }
    if (reply.kind === 'same') continue
    if (reply.kind !== 'document') return yield* lines.breakOff(`${lastStep(url)}: ${reply.problem}`)
    const { entries, complete, problems } = reply.read.archive!
    // One that cannot be read may have named any page.
    if (problems['bad-line'] !== undefined || problems['line-too-long'] !== undefined) hasAllLines = false
    const listedAfter = after !== undefined && name.number > after ? parts.toldAt : undefined
    yield* inTurns(entries, (entry) => lines.add(entry, listedAfter))
    if (!complete || !reply.isWhole) return yield* lines.breakOff(`${lastStep(url)} is cut off`)
    // What stands under a name with an end never changes, and is not asked for again.
    if (name.to === undefined) parts.memory.remember(url, reply.mark)
  }
  yield* lines.tell()
  return { hasAllLines }
}

/** Of a page's lines the one in the archive with the highest number counts, so lines are told when the newer ones are in. */
class LatestLines {
  readonly #parts: OfferPollParts
  readonly #lines = new Map<string, ReportedPage>()
  #number: number | undefined

  constructor(parts: OfferPollParts) {
    this.#parts = parts
  }

  /** An archive with this number comes next. All of one number are read before the number is. */
  *reach(number: number): Inquiry<void> {
    const before = this.#number
    this.#number = number
    if (before === undefined || before === number) return
    this.#parts.memory.archivesUpTo = before
    if (this.#lines.size < MAX_LINES) return
    yield* this.tell()
    this.#parts.keep()
  }

  add({ gone, ...entry }: ArchiveEntry, listedAfter: Instant | undefined): void {
    const change = gone === true ? 'deleted' : 'updated'
    this.#lines.set(entry.url, { ...entry, change, changedAt: entry.modifiedAt, listedAfter })
  }

  *tell(): Inquiry<void> {
    yield* inTurns(this.#lines.values(), (line) => this.#parts.tell(line, this.#parts.offer.url))
    this.#lines.clear()
  }

  *breakOff(problem: string): Inquiry<{ readonly problem: string }> {
    yield* this.tell()
    return { problem }
  }
}

function growingOnes(urls: readonly string[]): MetadataArchiveList {
  return readArchiveList(urls.join('\n'), urls[0] ?? 'https://unknown.invalid/')
}

function joined(one: MetadataArchiveList, other: MetadataArchiveList): MetadataArchiveList {
  return {
    ...NO_LIST,
    archives: [...one.archives, ...other.archives],
    lists: [...one.lists, ...other.lists],
    deletionsAfter: Math.max(one.deletionsAfter, other.deletionsAfter),
  }
}

function newestOf(archives: readonly ListedArchive[]): ListedArchive | undefined {
  return archives.reduce<ListedArchive | undefined>(
    (newest, one) => (newest === undefined || one.name.number >= newest.name.number ? one : newest),
    undefined,
  )
}

const lastStep = (url: string): string => url.slice(url.lastIndexOf('/') + 1).slice(0, 100)
