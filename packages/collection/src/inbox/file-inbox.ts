/**
 * File inbox: an inbox in the folder of a collection, safe against kill -9 and power cuts, bounded in items and bytes.
 *
 *   inbox/segment-000000000001.log   items from that number on (`inbox/segment.ts`)
 *   inbox/body-000000000007.bin      the body of item 7, when it is too large for a segment
 *   inbox/spool-….part               a body that is still coming in
 *   inbox/writer-N.lock              who writes it (`lock.ts`)
 *
 * Whoever appends while a write is under way waits with all others who do, and one sync makes them durable together: a
 * storm costs few syncs. Segments are never changed, but when pages are forgotten (`inbox/rewrite.ts`); one is deleted when all
 * its items were acknowledged. The newest says where numbers go on: an empty one takes its place when the inbox is opened or
 * closed and nothing in it waits. The reader's own memory of how far it came counts (`after`): what it has
 * acknowledged and is still here is not read again, and numbers go on behind it even when the folder was lost.
 */
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RESERVE_BYTES, diskRoom, isDiskFull } from '../warc/disk-room.ts'
import { codeOf, LogUnwritable, makePrivateFolder, syncPath, WriteQueue } from '@comity/disk'
import type { WaitingWrite as WaitingFor } from '@comity/disk'
import { inboxUnwritable } from '../errors.ts'
import { MAX_INLINE_BYTES } from './inbox.ts'
import type { Appended, Inbox, InboxDepth, InboxItem, NewInboxItem, WaitingItem } from './inbox.ts'
import { recoverInbox, removeDamaged } from './recovery.ts'
import type { RecoveredInbox } from './recovery.ts'
import { rewriteSegment, waitingIn } from './rewrite.ts'
import type { RewriteTerms } from './rewrite.ts'
import { MARK_BYTES } from './record.ts'
import type { InboxRecord } from './record.ts'
import { bodyPath, InboxSegmentFile } from './inbox-segment.ts'
import { takeLock } from '../lock.ts'
import { SpoolFile } from '../warc/spool-file.ts'

export interface InboxOptions {
  /** Of the folder in the collection's. */
  readonly name: string
  readonly maxItems: number
  /** Of everything in the folder but what is still coming in. */
  readonly maxBytes: number
  /** The next segment is begun when one is this long. */
  readonly segmentBytes: number
  /** Nothing is taken in when the disk has less room than this: the collection needs it to commit. Undefined: as the disk is. */
  readonly minFreeBytes: number | undefined
  readonly random: (bytes: number) => Uint8Array
}

const inboxDefaults: InboxOptions = {
  name: 'inbox',
  maxItems: 200_000,
  maxBytes: 1 << 30,
  segmentBytes: 16 << 20,
  minFreeBytes: undefined,
  random: randomBytes,
}

export interface InboxFigures {
  readonly appended: number
  readonly syncs: number
  /** Bytes that a crash had left half-written, cut off when the inbox was opened. */
  readonly cutBytes: number
  /** Bytes that the disk has lost since they were kept. */
  readonly lostBytes: number
}

type ForgetTerms = Pick<RewriteTerms, 'leftOf'> & Partial<Pick<RewriteTerms, 'onStep'>>

type WaitingWrite = WaitingFor<NewInboxItem, Appended>

/** What one write takes at most, so that the first who waits need not wait for a long line. */
const GROUP_BYTES = 8 << 20
/** What one read gives at most, unless a single item is larger. */
const READ_BYTES = 4 << 20
/** Frame and head of an item, roughly; what is counted before it is encoded. */
const HEAD_BYTES = 512

export class FileInbox implements Inbox {
  readonly #folder: string
  readonly #options: InboxOptions
  readonly #lock: Disposable
  /** In order; the last one is written. */
  readonly #segments: InboxSegmentFile[]
  readonly #recovered: RecoveredInbox
  #items = 0
  #next: number
  #done = 0
  readonly #queue: WriteQueue<NewInboxItem, Appended>
  /** Of what waits to be written. */
  #reserved = { items: 0, bytes: 0 }
  #failure: unknown
  #isClosed = false
  #appended = 0
  #syncs = 0

  private constructor(folder: string, options: InboxOptions, lock: Disposable, recovered: RecoveredInbox) {
    this.#folder = folder
    this.#options = options
    this.#lock = lock
    this.#recovered = recovered
    this.#segments = recovered.segments
    this.#next = recovered.next
    this.#items = recovered.segments.reduce((sum, { count }) => sum + count, 0)
    this.#queue = new WriteQueue({ write: (group) => this.#flush(group), weightOf, maxWeight: GROUP_BYTES })
  }

  /** `after`: the last number that the reader has made durable what followed from; 0 when it has read nothing. */
  static async open(dir: string, after: number, options: Partial<InboxOptions> = {}): Promise<FileInbox> {
    const all = { ...inboxDefaults, ...options }
    const folder = join(dir, all.name)
    makeFolder(dir, folder)
    const lock = takeLock(folder)
    try {
      const inbox = new FileInbox(folder, all, lock, recoverInbox(folder, after))
      await inbox.acknowledged(after)
      await inbox.#emptied()
      return inbox
    } catch (error) {
      lock[Symbol.dispose]()
      throw error
    }
  }

  get last(): number {
    return this.#next - 1
  }
  get depth(): InboxDepth {
    const bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes + segment.bodyBytes, 0)
    return { items: this.#items, bytes }
  }
  get figures(): InboxFigures {
    const { cutBytes, lostBytes } = this.#recovered
    return { appended: this.#appended, syncs: this.#syncs, cutBytes, lostBytes }
  }

  /** Where to put a body that is too large for memory; give what `finish` returns to `append`. */
  spool(): Promise<SpoolFile> {
    return SpoolFile.create(this.#folder, Buffer.from(this.#options.random(16)).toString('hex'))
  }

  append(item: NewInboxItem): Promise<Appended> {
    if (this.#failure !== undefined) return Promise.reject(inboxUnwritable(this.#folder, this.#failure))
    if (this.#isClosed) return Promise.reject(new Error('the inbox was closed'))
    if (item.body.length > MAX_INLINE_BYTES) return Promise.reject(new RangeError('spool a body that is so large'))
    const bytes = reservedFor(item)
    const { maxItems, maxBytes } = this.#options
    // What waits to be written counts, or a burst would pass the limit.
    if (this.#items + this.#reserved.items >= maxItems) return full('items')
    if (this.depth.bytes + this.#reserved.bytes + bytes > maxBytes) return full('bytes')
    this.#reserved.items++
    this.#reserved.bytes += bytes
    return this.#queue.add(item)
  }

  async read(after: number, limit: number): Promise<InboxItem[]> {
    const items: InboxItem[] = []
    const from = Math.max(after, this.#done)
    let room = READ_BYTES
    // A copy: an acknowledgement may drop segments while we read.
    for (const segment of this.#segments.slice()) {
      for (const record of await segment.read(from, limit - items.length, room)) {
        items.push(this.#itemOf(record))
        room -= HEAD_BYTES + record.body.length
      }
      if (items.length >= limit || room <= 0) break
    }
    return items
  }

  async acknowledged(upTo: number): Promise<void> {
    const done = Math.min(upTo, this.last)
    if (done < this.#done) return
    const [before, newest] = [this.#done, this.#segments.at(-1)]
    this.#done = done
    // If these come back after a power cut, whoever opens the inbox then says how far it came.
    const [bodies, whole]: [number[], InboxSegmentFile[]] = [[], []]
    for (const segment of this.#segments.slice()) {
      const upToNow = segment.countUpTo(done)
      this.#items -= upToNow - segment.countUpTo(before)
      for (const number of segment.bodies.keys()) {
        if (number > done) continue
        segment.forgetBody(number)
        bodies.push(number)
      }
      if (segment === newest || upToNow < segment.count) break
      whole.push(segment)
      this.#segments.shift()
    }
    for (const number of bodies) await rm(bodyPath(this.#folder, number), { force: true })
    for (const segment of whole) await segment.remove()
  }

  *waiting(): Generator<WaitingItem> {
    for (const segment of this.#segments) yield* segment.waitingAfter(this.#done)
  }

  /** All that waits, in order, with bodies that stand in files; one a time. */
  async *items(): AsyncGenerator<InboxItem> {
    for (const segment of this.#segments.slice()) yield* waitingIn(this.#folder, segment, this.#done)
  }

  /**
   * Take out what leaves. Afterwards no file holds anything but what waits and is left, each item once and in its place, also
   * after a kill on the way. Gives how many items that waited are gone or others. Nobody may read or append meanwhile.
   */
  async forget({ leftOf, onStep = () => undefined }: ForgetTerms): Promise<number> {
    let touched = 0
    // First, so that no number is given again when the last items leave.
    onStep('beginning a segment')
    await this.#beginNext()
    for (const old of this.#segments.slice(0, -1)) {
      const terms = { leftOf, onStep, done: this.#done, mark: this.#newMark() }
      const rewritten = await rewriteSegment(this.#folder, old, terms)
      touched += rewritten.touched
      const left = rewritten.segment === undefined ? [] : [rewritten.segment]
      this.#segments.splice(this.#segments.indexOf(old), 1, ...left)
    }
    removeDamaged(this.#folder)
    syncPath(this.#folder)
    this.#items = this.#segments.reduce((sum, segment) => sum + segment.count - segment.countUpTo(this.#done), 0)
    return touched
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#queue.settled()
    if (this.#failure === undefined) await this.#emptied()
    this.#segments.at(-1)?.seal()
    this.#lock[Symbol.dispose]()
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Never rejects: each who waits is told. */
  async #flush(group: readonly WaitingWrite[]): Promise<void> {
    await this.#write(group).catch((error: unknown) => this.#refuse(group, error))
    this.#reserved.items -= group.length
    for (const { item } of group) this.#reserved.bytes -= reservedFor(item)
  }

  async #write(group: readonly WaitingWrite[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const room = await diskRoom(this.#folder, this.#options.minFreeBytes, RESERVE_BYTES * 2)
    if (room.free < room.reserve) throw NO_ROOM
    const segment = await this.#segmentFor(group)
    const records = group.map(({ item }, place) => recordOf(item, this.#next + place))
    await this.#takeFiles(group)
    await segment.append(records).catch((error: unknown) => this.#failed(error))
    this.#syncs++
    this.#next += group.length
    this.#items += group.length
    this.#appended += group.length
    for (const [place, { resolve }] of group.entries()) resolve({ kind: 'kept', number: records[place]!.number })
  }

  #failed(error: unknown): never {
    if (!(error instanceof LogUnwritable)) throw error
    if (!error.isUsable) this.#failure = error.cause
    throw error.cause
  }

  /** Before the record that names them: after a crash a file without a record is removed. */
  async #takeFiles(group: readonly WaitingWrite[]): Promise<void> {
    let hasMoved = false
    for (const [place, { item }] of group.entries()) {
      if (item.file === undefined) continue
      await rename(item.file.path, bodyPath(this.#folder, this.#next + place))
      hasMoved = true
    }
    if (hasMoved) syncPath(this.#folder)
  }

  /** Files go back to who gave them. */
  async #refuse(group: readonly WaitingWrite[], error: unknown): Promise<void> {
    const isFull = error === NO_ROOM || (await isDiskFull(this.#folder, error).catch(() => false))
    try {
      for (const [place, { item }] of group.entries()) {
        if (item.file === undefined) continue
        await rename(bodyPath(this.#folder, this.#next + place), item.file.path).catch(ignoreMissing)
      }
    } catch (undone) {
      this.#failure ??= undone
    }
    for (const { resolve, reject } of group) {
      if (isFull) resolve({ kind: 'full', what: 'disk' })
      else reject(inboxUnwritable(this.#folder, error))
    }
  }

  async #segmentFor(group: readonly WaitingWrite[]): Promise<InboxSegmentFile> {
    const newest = this.#segments.at(-1)
    const bytes = group.reduce((sum, { item }) => sum + weightOf(item), 0)
    const isFull = (newest?.count ?? 0) > 0 && newest!.bytes + bytes > this.#options.segmentBytes
    if (newest !== undefined && !isFull) return newest
    newest?.seal()
    return await this.#begin()
  }

  async #begin(): Promise<InboxSegmentFile> {
    const segment = await InboxSegmentFile.begin(this.#folder, { mark: this.#newMark(), first: this.#next })
    this.#segments.push(segment)
    return segment
  }

  #newMark(): Uint8Array {
    return Uint8Array.from(this.#options.random(MARK_BYTES))
  }

  /** From here on the newest segment is empty. */
  async #beginNext(): Promise<void> {
    const newest = this.#segments.at(-1)
    if (newest?.count === 0) return
    newest?.seal()
    await this.#begin()
  }

  /** When all is done with, what is left is an empty segment: nothing that was sent stays longer than it has to. */
  async #emptied(): Promise<void> {
    const newest = this.#segments.at(-1)
    if (newest === undefined || newest.count === 0 || this.#items > 0) return
    try {
      await this.#beginNext()
    } catch {
      // Without room for it on the disk, it stays until there is some.
      return
    }
    await this.acknowledged(this.#done)
  }

  #itemOf({ fileBytes, ...rest }: InboxRecord): InboxItem {
    if (fileBytes === undefined) return rest
    return { ...rest, file: { path: bodyPath(this.#folder, rest.number), bytes: fileBytes } }
  }
}

const NO_ROOM = new Error('there is too little room on the disk')

const full = (what: 'items' | 'bytes'): Promise<Appended> => Promise.resolve({ kind: 'full', what })

const weightOf = ({ body }: NewInboxItem): number => HEAD_BYTES + body.length

const reservedFor = (item: NewInboxItem): number => weightOf(item) + (item.file?.bytes ?? 0)

function recordOf({ file, ...rest }: NewInboxItem, number: number): InboxRecord {
  return { ...rest, number, ...(file === undefined ? {} : { fileBytes: file.bytes }) }
}

function makeFolder(dir: string, folder: string): void {
  try {
    makePrivateFolder(folder, dir)
    syncPath(dir)
  } catch (error) {
    throw inboxUnwritable(folder, error)
  }
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}
