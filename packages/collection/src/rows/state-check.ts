/**
 * State check: whether an LMDB file is one, before LMDB maps it into memory. LMDB believes its file: one that is cut, damaged or
 * made by a stranger would end the process (SIGBUS, SIGSEGV, SIGABRT) with no word about why, or have it read where nothing of
 * the file is. So every page that can be reached is looked at once: it is in the file, is what its number says, is reached by one
 * way only, and nothing in it leads out of it. What the rows say is for whoever reads them. Who writes also believes the list
 * of free pages, which is a tree of its own: each is in the file, and none is one of those that were reached.
 *
 *   meta 0, meta 1 ──newest─┬▶ main tree ──▶ root of each table ──▶ branches ──▶ leaves ──▶ overflow pages
 *                           └▶ free tree ──▶ branches ──▶ leaves: lists of pages
 *
 * Layouts are those of version 2 of the format, which lmdb 3 writes, little-endian; page and node offsets count from the end of
 * the page's head.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const [MAGIC, VERSION] = [0xbeefc0de, 2]
const HEAD = 24
const NODE = 8
const DB = 48
const OVERFLOW_POINTER = 24
const FLAGS = { branch: 0x01, leaf: 0x02, overflow: 0x04, meta: 0x08, leaf2: 0x20 } as const
const KINDS = FLAGS.branch | FLAGS.leaf | FLAGS.overflow | FLAGS.meta
const NODE_FLAGS = { big: 0x01, sub: 0x02, dup: 0x04 } as const
/** Of a table: whether a key has many values, and whether keys are numbers. Of the file: also how we and lmdb open it. */
const [DUPSORT, INTEGER_KEY] = [0x04, 0x08]
const FILE_FLAGS = 0x5008
/** Longer ones than lmdb writes would not fit where it reads them to. */
const MAX_KEY = 2_048
/** Commits are counted; nobody has come so far. */
const MAX_COMMIT = 1n << 48n
/** So many, which one transaction can have given back before they were ever written, may be missing at the file's end. */
const MAX_UNWRITTEN = 1n << 18n
/** LMDB's own stack. */
const MAX_DEPTH = 32
/** How many trees one stands in, which says what its rows may be: a tree of tables, a table, the values of a key. */
const [TABLES, TABLE, VALUES] = [0, 1, 2]
const NO_PAGE = 0xffff_ffff_ffff_ffffn

/** What is wrong with it; undefined when nothing is. */
export function stateDamage(path: string): string | undefined {
  const fd = openSync(path, 'r')
  try {
    const before = newestMeta(fd)
    if (typeof before === 'string') return before
    const damage = new Walk(fd, before).damage()
    if (damage === undefined) return undefined
    const after = newestMeta(fd)
    // Somebody here writes it, and may have written over what was looked at: then it is none that was only sent to us.
    const isWritten = typeof after !== 'string' && after.commit !== before.commit
    return isWritten ? undefined : damage
  } finally {
    closeSync(fd)
  }
}

/** How long it should be, by its own word; undefined when it has none. */
export function statedBytes(path: string): number | undefined {
  const fd = openSync(path, 'r')
  try {
    const meta = newestMeta(fd)
    return typeof meta === 'string' ? undefined : (Number(meta.lastPage) + 1) * meta.pageBytes
  } finally {
    closeSync(fd)
  }
}

interface Meta {
  readonly commit: bigint
  readonly lastPage: bigint
  readonly pageBytes: number
  readonly free: Tree
  readonly main: Tree
}

interface Tree {
  readonly flags: number
  readonly depth: number
  readonly root: bigint
}

function newestMeta(fd: number): Meta | string {
  const first = metaAt(fd, 0)
  if (typeof first === 'string') return first
  const second = metaAt(fd, first.pageBytes)
  if (typeof second === 'string') return second
  if (second.pageBytes !== first.pageBytes) return 'its two heads differ'
  return second.commit > first.commit ? second : first
}

function metaAt(fd: number, at: number): Meta | string {
  const page = Buffer.alloc(HEAD + 24 + 2 * DB + 16)
  if (readSync(fd, page, 0, page.length, at) < page.length) return 'it is cut off'
  const isMeta = (page.readUInt16LE(18) & FLAGS.meta) !== 0 && page.readUInt32LE(HEAD) === MAGIC
  if (!isMeta || page.readUInt32LE(HEAD + 4) !== VERSION) return 'it is none, or of another version'
  const databases = HEAD + 24
  const pageBytes = page.readUInt32LE(databases)
  const isSize = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0
  if (!isSize) return `its pages have ${pageBytes} bytes`
  const [free, main] = [treeIn(page.subarray(databases)), treeIn(page.subarray(databases + DB))]
  const lastPage = page.readBigUInt64LE(databases + 2 * DB)
  const commit = page.readBigUInt64LE(databases + 2 * DB + 8)
  const isOurs = (free.flags & ~FILE_FLAGS) === 0 && (free.flags & INTEGER_KEY) !== 0 && main.flags === 0
  if (!isOurs || commit > MAX_COMMIT) return 'its head says what is never written'
  return { commit, lastPage, pageBytes, free, main }
}

const treeIn = (bytes: Buffer): Tree => ({
  flags: bytes.readUInt16LE(4),
  depth: bytes.readUInt16LE(6),
  root: bytes.readBigUInt64LE(40),
})

/** Thrown by one walk, to its end. */
class Damage extends Error {}

class Walk {
  readonly #fd: number
  readonly #meta: Meta
  readonly #bytes: number
  /** In the file, and by its own word. */
  readonly #pages: number
  /** Those that were reached. */
  readonly #seen: Uint8Array
  readonly #freed: Buffer[] = []

  constructor(fd: number, meta: Meta) {
    this.#fd = fd
    this.#meta = meta
    this.#bytes = meta.pageBytes
    const inFile = Math.floor(fstatSync(fd).size / meta.pageBytes)
    this.#pages = meta.lastPage < BigInt(inFile) ? Number(meta.lastPage) + 1 : inFile
    this.#seen = new Uint8Array(this.#pages)
  }

  damage(): string | undefined {
    const { main, free, lastPage } = this.#meta
    try {
      if (lastPage > BigInt(this.#pages) + MAX_UNWRITTEN) throw new Damage(`it says that it has ${lastPage + 1n} pages`)
      this.#tree(main, TABLES)
      // As a table is, whose values are lists.
      this.#tree({ ...free, flags: INTEGER_KEY }, TABLE, (list, key) => {
        if (key.length !== 8 || key.readBigUInt64LE(0) === 0n) throw new Damage('free pages are of no commit')
        this.#freed.push(list)
      })
      for (const list of this.#freed) this.#free(list)
      return undefined
    } catch (error) {
      if (error instanceof Damage) return error.message
      throw error
    }
  }

  #tree(tree: Tree, within: number, onValue?: OnValue): void {
    const { depth, root, flags } = tree
    const allowed = within === TABLE ? DUPSORT | INTEGER_KEY : 0
    if ((flags & ~allowed) !== 0) throw new Damage('a table is of a kind that is never written')
    if (root === NO_PAGE && depth === 0) return
    if (depth < 1 || depth > MAX_DEPTH) throw new Damage('its tables stand too deep in each other')
    this.#page(root, depth, { within, hasMany: (flags & DUPSORT) !== 0, onValue })
  }

  /** `depth`: of the pages below and with it; leaves are all at the same. */
  #page(number: bigint, depth: number, of: InTree): void {
    const at = this.#reach(number, 1n)
    const page = this.#read(at, 1)
    if (page.readBigUInt64LE(0) !== number) throw new Damage(`page ${number} is another one`)
    const wanted = depth === 1 ? FLAGS.leaf : FLAGS.branch
    const kind = page.readUInt16LE(18) & KINDS
    if (kind !== wanted) throw new Damage(`page ${number} is of another kind`)
    const count = rowsOf(page)
    if (depth > 1 && count < 2) throw new Damage('a page has no order')
    for (let row = 0; row < count; row++) {
      const node = nodeAt(page, row, depth > 1)
      if (depth > 1) this.#page(childAt(page, node), depth - 1, of)
      // Most rows are what they hold, and nothing else.
      else if (page.readUInt16LE(node + 4) !== 0 || of.onValue !== undefined) this.#leaf(page, node, of)
    }
  }

  #leaf(page: Buffer, node: number, { within, hasMany, onValue }: InTree): void {
    const flags = page.readUInt16LE(node + 4)
    const bytes = page.readUInt32LE(node)
    const keyEnd = node + NODE + page.readUInt16LE(node + 6)
    const [key, data] = [page.subarray(node + NODE, keyEnd), page.subarray(keyEnd)]
    const isMany = within === TABLE && hasMany
    if (flags === NODE_FLAGS.big && within !== VALUES && !isMany) {
      const at = this.#long(data, bytes)
      onValue?.(this.#read(at, Math.ceil((HEAD + bytes) / this.#bytes)).subarray(HEAD, HEAD + bytes), key)
    } else if (flags === NODE_FLAGS.sub && within === TABLES) this.#tree(treeOf(data, bytes), TABLE)
    else if (flags === (NODE_FLAGS.sub | NODE_FLAGS.dup) && isMany) this.#tree(treeOf(data, bytes), VALUES)
    else if (flags === NODE_FLAGS.dup && isMany) checkInner(data.subarray(0, bytes))
    else if (flags === 0) onValue?.(data.subarray(0, bytes), key)
    else throw new Damage('a row is of a kind that is never written there')
  }

  /** The first page of a value with pages of its own. */
  #long(pointer: Buffer, bytes: number): number {
    const [first, count] = [pointer.readBigUInt64LE(0), pointer.readBigUInt64LE(16)]
    const at = this.#reach(first, count)
    if (BigInt(bytes) > count * BigInt(this.#bytes) - BigInt(HEAD)) throw new Damage('a value is longer than its room')
    return at
  }

  /** How many, then each: its number, or minus how many there are in a row and the first of them, or 0 for none. */
  #free(list: Buffer): void {
    const count = list.length < 8 ? -1n : list.readBigInt64LE(0)
    if (count < 0n || count > BigInt(list.length >> 3) - 1n) throw new Damage('a list of free pages is cut off')
    const end = 8 * Number(count)
    for (let at = 8; at <= end; at += 8) {
      const entry = list.readBigInt64LE(at)
      if (entry === 0n) continue
      const length = entry < 0n ? -entry : 1n
      if (entry < 0n) at += 8
      if (at > end) throw new Damage('a list of free pages is cut off')
      this.#isFree(list.readBigInt64LE(at), length)
    }
  }

  #isFree(first: bigint, count: bigint): void {
    if (first < 2n || first + count - 1n > this.#meta.lastPage) throw new Damage(`page ${first} is said to be free`)
    const end = Math.min(Number(first + count), this.#pages)
    for (let page = Number(first); page < end; page++)
      if (this.#seen[page] === 1) throw new Damage(`page ${page} is said to be free, and is not`)
  }

  #read(at: number, count: number): Buffer {
    const pages = Buffer.allocUnsafe(count * this.#bytes)
    if (readSync(this.#fd, pages, 0, pages.length, at * this.#bytes) < pages.length) throw new Damage('it is cut off')
    return pages
  }

  /** Its place in the file. Each is reached once, so that a walk ends, and no longer one than the file is. */
  #reach(number: bigint, count: bigint): number {
    if (count < 1n || number < 2n || number + count > BigInt(this.#pages))
      throw new Damage(`it leads to page ${number}, and has ${this.#pages}`)
    const at = Number(number)
    for (let page = at; page < at + Number(count); page++) {
      if (this.#seen[page] === 1) throw new Damage(`page ${page} is reached by two ways`)
      this.#seen[page] = 1
    }
    return at
  }
}

type OnValue = (value: Buffer, key: Buffer) => void

/** What the rows of a tree may be. */
interface InTree {
  readonly within: number
  readonly hasMany: boolean
  readonly onValue: OnValue | undefined
}

function treeOf(data: Buffer, bytes: number): Tree {
  if (bytes !== DB) throw new Damage('a table is none')
  return treeIn(data)
}

/** How many rows a page has whose places are in it. Rows without places, all of one length, are never written. */
function rowsOf(page: Buffer): number {
  if (page.length < HEAD) throw new Damage('a page is shorter than its head')
  const room = page.length - HEAD
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
  if (lower > upper || upper > room || (page.readUInt16LE(18) & FLAGS.leaf2) !== 0)
    throw new Damage('a page has no order')
  return lower >> 1
}

/** Where in the page a row stands, which is all there. */
function nodeAt(page: Buffer, row: number, isBranch: boolean): number {
  const at = HEAD + page.readUInt16LE(HEAD + 2 * row)
  if (at + NODE > page.length) throw new Damage('a row is outside of its page')
  const key = page.readUInt16LE(at + 6)
  const isBig = (page.readUInt16LE(at + 4) & NODE_FLAGS.big) !== 0
  const here = isBranch ? 0 : isBig ? OVERFLOW_POINTER : page.readUInt32LE(at)
  if (at + NODE + key + here > page.length) throw new Damage('a row is longer than its page')
  if (key > MAX_KEY) throw new Damage('a key is longer than any that is written')
  return at
}

/** A page within a row: a key's many values. */
function checkInner(page: Buffer): void {
  const count = rowsOf(page)
  for (let row = 0; row < count; row++) {
    const node = nodeAt(page, row, false)
    if (page.readUInt16LE(node + 4) !== 0) throw new Damage('a row is of a kind that is never written there')
  }
}

const childAt = (page: Buffer, node: number): bigint =>
  BigInt(page.readUInt32LE(node)) | (BigInt(page.readUInt16LE(node + 4)) << 32n)
