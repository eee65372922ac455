/**
 * State check: whether an LMDB file is one, before LMDB maps it into memory. LMDB believes its file: one that is cut, damaged or
 * made by a stranger would end the process (SIGBUS, SIGSEGV, SIGABRT) with no word about why, or have it read where nothing of
 * the file is. So every page that can be reached is looked at once: it is in the file, is what its number says, is reached by one
 * way only, and nothing in it leads out of it. What the rows say is for whoever reads them.
 *
 *   meta 0, meta 1 ──newest──▶ main tree ──▶ root of each table ──▶ branches ──▶ leaves ──▶ overflow pages
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
const NODE_FLAGS = { big: 0x01, sub: 0x02, dup: 0x04 } as const
/** LMDB's own stack. */
const MAX_DEPTH = 32
/** A key's values, in a table, in the tree of tables. */
const MAX_WITHIN = 2
const NO_PAGE = 0xffff_ffff_ffff_ffffn

/** What is wrong with it; undefined when nothing is. */
export function stateDamage(path: string): string | undefined {
  const fd = openSync(path, 'r')
  try {
    const before = newestMeta(fd)
    if (typeof before === 'string') return before
    const damage = new Walk(fd, before.pageBytes).damage(before.main)
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
  readonly main: Tree
}

interface Tree {
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
  return {
    lastPage: page.readBigUInt64LE(databases + 2 * DB),
    commit: page.readBigUInt64LE(databases + 2 * DB + 8),
    pageBytes,
    main: treeIn(page.subarray(databases + DB)),
  }
}

const treeIn = (bytes: Buffer): Tree => ({ depth: bytes.readUInt16LE(6), root: bytes.readBigUInt64LE(40) })

/** Thrown by one walk, to its end. */
class Damage extends Error {}

class Walk {
  readonly #fd: number
  readonly #bytes: number
  readonly #pages: number
  /** Those that were reached. */
  readonly #seen: Uint8Array

  constructor(fd: number, pageBytes: number) {
    this.#fd = fd
    this.#bytes = pageBytes
    this.#pages = Math.floor(fstatSync(fd).size / pageBytes)
    this.#seen = new Uint8Array(this.#pages)
  }

  damage(main: Tree): string | undefined {
    try {
      this.#tree(main, 0)
      return undefined
    } catch (error) {
      if (error instanceof Damage) return error.message
      throw error
    }
  }

  /** `within`: how many trees it stands in. */
  #tree({ depth, root }: Tree, within: number): void {
    if (root === NO_PAGE && depth === 0) return
    if (depth < 1 || depth > MAX_DEPTH || within > MAX_WITHIN)
      throw new Damage('its tables stand too deep in each other')
    this.#page(root, depth, within)
  }

  /** `depth`: of the pages below and with it; leaves are all at the same. */
  #page(number: bigint, depth: number, within: number): void {
    const at = this.#reach(number, 1n)
    const page = Buffer.allocUnsafe(this.#bytes)
    if (readSync(this.#fd, page, 0, this.#bytes, at * this.#bytes) < this.#bytes) throw new Damage('it is cut off')
    if (page.readBigUInt64LE(0) !== number) throw new Damage(`page ${number} is another one`)
    const wanted = depth === 1 ? FLAGS.leaf : FLAGS.branch
    const kind = page.readUInt16LE(18) & (FLAGS.branch | FLAGS.leaf | FLAGS.overflow | FLAGS.meta)
    if (kind !== wanted) throw new Damage(`page ${number} is of another kind`)
    const count = rowsOf(page)
    if (depth > 1 && count < 2) throw new Damage('a page has no order')
    for (let row = 0; row < count; row++) {
      const node = nodeAt(page, row, depth > 1)
      if (depth > 1) this.#page(childAt(page, node), depth - 1, within)
      // Most rows are what they hold, and nothing else.
      else if (page.readUInt16LE(node + 4) !== 0) this.#leaf(page, node, within)
    }
  }

  #leaf(page: Buffer, node: number, within: number): void {
    const flags = page.readUInt16LE(node + 4)
    const bytes = page.readUInt32LE(node)
    const data = page.subarray(node + NODE + page.readUInt16LE(node + 6))
    if ((flags & NODE_FLAGS.big) !== 0) {
      const [first, count] = [data.readBigUInt64LE(0), data.readBigUInt64LE(16)]
      this.#reach(first, count)
      if (BigInt(bytes) > count * BigInt(this.#bytes) - BigInt(HEAD))
        throw new Damage('a value is longer than its room')
    } else if ((flags & NODE_FLAGS.sub) !== 0) {
      if (bytes !== DB) throw new Damage('a table is none')
      this.#tree(treeIn(data), within + 1)
    } else if ((flags & NODE_FLAGS.dup) !== 0) checkInner(data.subarray(0, bytes))
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

/** How many rows a page has whose places are in it; none where rows have no places. */
function rowsOf(page: Buffer): number {
  if (page.length < HEAD) throw new Damage('a page is shorter than its head')
  const room = page.length - HEAD
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
  const count = lower >> 1
  if ((page.readUInt16LE(18) & FLAGS.leaf2) !== 0) {
    if (count * page.readUInt16LE(16) > room) throw new Damage('a page holds more than it has room for')
    return 0
  }
  if (lower > upper || upper > room) throw new Damage('a page has no order')
  return count
}

/** Where in the page a row stands, which is all there. */
function nodeAt(page: Buffer, row: number, isBranch: boolean): number {
  const at = HEAD + page.readUInt16LE(HEAD + 2 * row)
  if (at + NODE > page.length) throw new Damage('a row is outside of its page')
  const isBig = (page.readUInt16LE(at + 4) & NODE_FLAGS.big) !== 0
  const here = isBranch ? 0 : isBig ? OVERFLOW_POINTER : page.readUInt32LE(at)
  if (at + NODE + page.readUInt16LE(at + 6) + here > page.length) throw new Damage('a row is longer than its page')
  return at
}

/** A page within a row: a key's many values. */
function checkInner(page: Buffer): void {
  const count = rowsOf(page)
  for (let row = 0; row < count; row++) nodeAt(page, row, false)
}

const childAt = (page: Buffer, node: number): bigint =>
  BigInt(page.readUInt32LE(node)) | (BigInt(page.readUInt16LE(node + 4)) << 32n)
