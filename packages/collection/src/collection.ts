/**
 * Collection: one copy of everything learnt, in one directory a person can copy.
 *
 *   collection.json · state/ (LMDB) · warc/*.warc.gz · index/
 *
 * A visit is a deposit: the WARC records, the page's row, its links and its place in the queue. Deposits gather in
 * memory and `commit` makes all of them durable together: WARC first, then one LMDB transaction that refers to it.
 * So whatever moment the process dies at, the state never speaks of bytes that are not there.
 */
import { statfs } from 'node:fs/promises'
import { entityBody, parseHttpBlock, readRecordAt } from '@comity/protocol'
import type { HttpBlock, Instant } from '@comity/protocol'
import { collectionDamaged, diskFull } from './errors.ts'
import { decodeLinks } from './link-list.ts'
import type { StoredLink } from './link-list.ts'
import { takeLock } from './lock.ts'
import type { WriteLock } from './lock.ts'
import { ensureManifest, readManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { findNearDuplicate, isNear, rememberSimhash } from './near-duplicates.ts'
import type { Simhash } from './near-duplicates.ts'
import { BLOCK_PAGES, encodeTexts, textAt, textsOf } from './page-texts.ts'
import type { PageText } from './page-texts.ts'
import type { BodyRow, CaptureRow, PageRow, RobotsRow, WarcPosition } from './rows.ts'
import { openState } from './state.ts'
import type { State } from './state.ts'
import { WarcStore } from './warc-store.ts'
import type { WarcState } from './warc-store.ts'

export interface CollectionOptions {
  /** Stop while there is still this much room, so that the last commit fits. */
  readonly minFreeBytes: number
  readonly software: string
}

export const collectionDefaults: CollectionOptions = { minFreeBytes: 64 << 20, software: 'comity/0.1' }

/** What one visit leaves behind. */
export interface Deposit {
  readonly page: number
  readonly row: PageRow
  readonly at: Instant
  readonly capture: CaptureRow
  readonly links?: Uint8Array | undefined
  /** Set when this capture's body is stored here for the first time. */
  readonly newBody?: { readonly digest: string; readonly row: BodyRow } | undefined
}

/** What a frontier wants kept; see `FrontierBatch` in `frontier`. */
export interface FrontierRows {
  readonly journal: Uint8Array
  readonly first: number
  readonly texts: readonly PageText[]
  readonly sites: readonly (readonly [site: number, row: object])[]
  readonly addresses: readonly (readonly [address: string, readyAt: Instant])[]
}

export class Collection implements AsyncDisposable {
  readonly dir: string
  readonly manifest: Manifest
  /** False when the last writer was killed: clocks may be older than the last visit. */
  readonly wasClosed: boolean
  /** Bytes of torn WARC tail that opening cut off. */
  readonly repairedBytes: number
  readonly #state: State
  readonly #warc: WarcStore
  readonly #lock: WriteLock | undefined
  readonly #options: CollectionOptions
  #deposits: Deposit[] = []
  #robots: [number, RobotsRow][] = []
  #meta = new Map<string, unknown>()
  /** Bodies, simhashes and rows of deposits not committed yet. */
  #newBodies = new Map<string, BodyRow>()
  #newHashes = new Map<number, Simhash>()
  #newRows = new Map<number, PageRow>()
  #nextJournal: number

  private constructor(dir: string, manifest: Manifest, lock: WriteLock | undefined, options: CollectionOptions) {
    this.dir = dir
    this.manifest = manifest
    this.#lock = lock
    this.#options = options
    this.#state = openState(dir, lock === undefined)
    const warc = (this.#state.meta.get('warc') as WarcState | undefined) ?? { names: [], goodBytes: 0 }
    this.#warc = new WarcStore(dir, warc, options.software)
    this.wasClosed = this.#state.meta.get('closed') !== false
    this.repairedBytes = lock === undefined ? 0 : this.#warc.repair()
    const [last] = this.#state.journal.getKeys({ reverse: true, limit: 1 })
    this.#nextJournal = (last ?? 0) + 1
  }

  /** Open for writing, making the directory if need be. Throws when another process writes it. */
  static async open(dir: string, now: Instant, options: Partial<CollectionOptions> = {}): Promise<Collection> {
    const all = { ...collectionDefaults, ...options }
    const manifest = ensureManifest(dir, all.software, new Date(now))
    const lock = takeLock(dir)
    try {
      const collection = new Collection(dir, manifest, lock, all)
      await collection.#state.meta.put('closed', false)
      return collection
    } catch (error) {
      lock[Symbol.dispose]()
      throw error
    }
  }

  /** Open to look only; works beside a writer. */
  static openReadOnly(dir: string): Collection {
    return new Collection(dir, readManifest(dir), undefined, collectionDefaults)
  }

  // ── writing ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Append a WARC record; it becomes durable with the next commit. */
  appendRecord(member: Uint8Array, now: Instant): WarcPosition {
    return this.#warc.append(member, now)
  }

  deposit(deposit: Deposit): void {
    this.#deposits.push(deposit)
    this.#newRows.set(deposit.page, deposit.row)
    if (deposit.newBody !== undefined) this.#newBodies.set(deposit.newBody.digest, deposit.newBody.row)
    if (deposit.row.simhash !== undefined) this.#newHashes.set(deposit.page, deposit.row.simhash)
  }

  putRobots(site: number, row: RobotsRow): void {
    this.#robots.push([site, row])
  }

  putMeta(name: string, value: unknown): void {
    this.#meta.set(name, value)
  }

  get pendingBytes(): number {
    return this.#warc.pendingBytes
  }

  /** Make every deposit since the last commit durable, together with what the frontier has to say. */
  async commit(frontier: FrontierRows): Promise<void> {
    const [deposits, robots, meta] = [this.#deposits, this.#robots, this.#meta]
    this.#deposits = []
    this.#robots = []
    this.#meta = new Map()
    // Read before the first await: what is appended while we write belongs to the next commit.
    const warc = this.#warc.state
    try {
      await this.#checkRoom()
      await this.#warc.flush()
      await this.#state.root.batch(() => {
        this.#putFrontier(frontier)
        for (const [site, row] of robots) void this.#state.robots.put(site, row)
        for (const [name, value] of meta) void this.#state.meta.put(name, value)
        for (const deposit of deposits) this.#putDeposit(deposit)
        void this.#state.meta.put('warc', warc)
      })
      await this.#state.root.flushed
      for (const { newBody, page, row } of deposits) {
        if (this.#newRows.get(page) === row) this.#newRows.delete(page)
        if (newBody !== undefined) this.#newBodies.delete(newBody.digest)
        this.#newHashes.delete(page)
      }
    } catch (error) {
      throw isDiskFull(error) ? diskFull(this.dir, error) : error
    }
  }

  /** Replace the journal by a shorter one that says the same. */
  async replaceJournal(records: Iterable<Uint8Array>): Promise<void> {
    const old = [...this.#state.journal.getKeys()]
    await this.#state.root.batch(() => {
      for (const key of old) void this.#state.journal.remove(key)
      for (const record of records) void this.#state.journal.put(this.#nextJournal++, Buffer.from(record))
    })
    await this.#state.root.flushed
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────────────────

  meta(name: string): unknown {
    return this.#state.meta.get(name)
  }
  page(page: number): PageRow | undefined {
    return this.#newRows.get(page) ?? this.#state.pages.get(page)
  }
  pages(): Iterable<{ key: number; value: PageRow }> {
    return this.#state.pages.getRange({})
  }
  captures(page: number): Iterable<{ key: [number, number]; value: CaptureRow }> {
    return this.#state.captures.getRange({ start: [page, 0], end: [page, Number.MAX_SAFE_INTEGER] })
  }
  links(page: number): StoredLink[] {
    const bytes = this.#state.links.get(page)
    return bytes === undefined ? [] : decodeLinks(bytes)
  }
  /** Raw link lists of all pages, for whoever reads the whole graph. */
  *linkLists(): Generator<[page: number, links: StoredLink[]]> {
    for (const { key, value } of this.#state.links.getRange({})) yield [key, decodeLinks(value)]
  }
  robots(site: number): RobotsRow | undefined {
    return this.#state.robots.get(site)
  }
  body(digest: string): BodyRow | undefined {
    return this.#newBodies.get(digest) ?? this.#state.bodies.get(digest)
  }
  nearDuplicate(hash: Simhash, page: number): number | undefined {
    for (const [other, seen] of this.#newHashes) if (other !== page && isNear(hash, seen)) return other
    return findNearDuplicate(this.#state.similar, hash, page)
  }

  /** Site, path and parent of a page whose batch was committed. */
  text(page: number): PageText {
    const [key] = this.#state.texts.getKeys({ start: page + 1, reverse: true, limit: 1 })
    const block = key === undefined ? undefined : this.#state.texts.getBinaryFast(key)
    const text = block === undefined ? undefined : textAt(block, page + 1 - (key as number))
    if (text === undefined) throw collectionDamaged(`Page ${page} has no text.`)
    return text
  }

  *texts(): Generator<[page: number, text: PageText]> {
    for (const { key, value } of this.#state.texts.getRange({})) {
      for (const [i, text] of textsOf(value).entries()) yield [key - 1 + i, text]
    }
  }

  /** What a frontier is rebuilt from; see `FrontierSource` in `frontier`. */
  *journal(): Generator<Uint8Array> {
    for (const { value } of this.#state.journal.getRange({})) yield value
  }
  *sites<Row>(): Generator<[site: number, row: Row]> {
    for (const { key, value } of this.#state.sites.getRange({})) yield [key, value as Row]
  }
  *addresses(): Generator<[address: string, readyAt: Instant]> {
    for (const { key, value } of this.#state.addresses.getRange({})) yield [key, value]
  }

  /** The stored HTTP message of a record: head and body, content codings still on. */
  readMessage(position: WarcPosition): HttpBlock {
    const item = readRecordAt(this.#warc.read(position))
    if (item.kind !== 'record') throw collectionDamaged(`The record at ${position.file}:${position.offset}: ${item.message}`)
    return parseHttpBlock(item.record.block)
  }
  readBody(position: WarcPosition): Uint8Array {
    return entityBody(this.readMessage(position))
  }
  get warcPaths(): string[] {
    return this.#warc.state.names.map((_, file) => this.#warc.pathOf(file))
  }

  async close(): Promise<void> {
    if (this.#lock !== undefined) await this.#state.meta.put('closed', true)
    await this.#warc.close()
    await this.#state.root.close()
    this.#lock?.[Symbol.dispose]()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #checkRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.dir)
    if (bavail * bsize < this.#options.minFreeBytes + this.#warc.pendingBytes) throw diskFull(this.dir)
  }

  #putFrontier({ journal, first, texts, sites, addresses }: FrontierRows): void {
    void this.#state.journal.put(this.#nextJournal++, Buffer.from(journal))
    for (let i = 0; i < texts.length; i += BLOCK_PAGES) {
      void this.#state.texts.put(first + i + 1, encodeTexts(texts.slice(i, i + BLOCK_PAGES)))
    }
    for (const [site, row] of sites) void this.#state.sites.put(site, row)
    for (const [address, readyAt] of addresses) void this.#state.addresses.put(address, readyAt)
  }

  #putDeposit({ page, row, at, capture, links, newBody }: Deposit): void {
    void this.#state.pages.put(page, row)
    void this.#state.captures.put([page, at], capture)
    if (links !== undefined) void this.#state.links.put(page, links as Buffer)
    if (newBody !== undefined) void this.#state.bodies.put(newBody.digest, newBody.row)
    if (row.simhash !== undefined) rememberSimhash(this.#state.similar, row.simhash, page)
  }
}

function isDiskFull(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string }
  return code === 'ENOSPC' || code === 28 || /ENOSPC|No space left|MAP_FULL/i.test(message ?? '')
}
