/**
 * Collection: one copy of everything learnt, in one directory a person can copy.
 *
 *   collection.json · state/ (LMDB) · warc/*.warc.gz · index/ · writer-N.lock
 *
 * A visit is a deposit: the WARC records, the page's row, its links and its place in the queue. Deposits gather in
 * memory and `commit` makes all of them durable together: WARC first, then one LMDB transaction that refers to it.
 * So whatever moment the process dies at, the state never speaks of bytes that are not there.
 *
 * A commit that fails (a full disk) ends the writing: what it held is lost with the process, what was acknowledged
 * before is safe, and the collection goes on from there when it is opened again.
 */
import { join } from 'node:path'
import type { FolderLock } from '@comity/disk'
import { entityBody, readRecordAt, warcMessage } from '@comity/protocol'
import type { WarcMessage, Instant, UrlRules } from '@comity/protocol'
import { decodeChanges, encodeChanges } from './rows/change-list.ts'
import type { Change } from './rows/change-list.ts'
import { checkedFact, FACTS, factOf, warcStateOf } from './rows/facts.ts'
import type { FactKind } from './rows/facts.ts'
import { diskRoom, isDiskFull, rootCause } from './warc/disk-room.ts'
import { DamageFound } from './damage-found.ts'
import { collectionDamaged, diskFull } from './errors.ts'
import { putFrontierRows } from './rows/frontier-rows.ts'
import type { FrontierRows } from './rows/frontier-rows.ts'
import { urlRulesOf, urlRulesToKeep } from './rows/kept-url-rules.ts'
import { decodeLinks, decodeTargets, linksTo } from './rows/link-list.ts'
import type { StoredLink } from './rows/link-list.ts'
import { takeLock } from './lock.ts'
import { collectionDefaults } from './collection-options.ts'
import type { CollectionOptions } from './collection-options.ts'
import { ensureFolder, ensureManifest, makeFolders, readManifest } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { listedFor, listLength } from './rows/shard-lists.ts'
import type { ListLengths } from './rows/shard-lists.ts'
import { findNearDuplicate, forgetSimhash, rememberSimhash } from './rows/near-duplicates.ts'
import type { Simhash } from './rows/near-duplicates.ts'
import { textsOf } from './rows/page-texts.ts'
import { TextCache } from './rows/text-cache.ts'
import type { PageText } from './rows/page-texts.ts'
import { requireShape } from './rows/row-shape.ts'
import type { Shape } from './rows/row-shape.ts'
import type { BodyRow, CaptureRow, PageRow, RobotsRow, SiteFacts, WarcPosition } from './rows/rows.ts'
import { isWritable, untilWritable } from './rows/open-states.ts'
import { closeState, currentStatePath, openState, openStateReadOnly } from './rows/state.ts'
import type { State } from './rows/state.ts'
import { Uncommitted } from './rows/uncommitted.ts'
import type { Deposit } from './rows/uncommitted.ts'
import { WarcStore, readMember, warcPath } from './warc/warc-store.ts'
import type { WarcState } from './warc/warc-store.ts'

/** What stands on disk, for `forget` to make its successor from. */
export interface Holdings {
  readonly dir: string
  readonly state: State
  readonly warc: WarcState
  readonly minFreeBytes: number | undefined
}

export class Collection implements AsyncDisposable {
  readonly dir: string
  readonly manifest: Manifest
  /** False when the last writer was killed: clocks may be older than the last visit. True for a new collection. */
  readonly wasClosed: boolean
  /** Bytes of torn WARC tail that opening cut off. */
  readonly repairedBytes: number
  /** What was met that cannot be read, and stepped over. */
  readonly damage: DamageFound
  readonly #lock: FolderLock | undefined
  readonly #options: CollectionOptions
  #state: State
  #warc: WarcStore
  /** What the next commit takes, and what the one under way has taken. */
  #next = new Uncommitted()
  #taken: Uncommitted | undefined
  #failure: unknown
  #committed = false
  #nextInPageLog: number
  #lastChange: number
  #origins = new Map<number, string>()
  #texts = new TextCache()
  readonly #listLengths: ListLengths = new Map()
  #closed = false

  private constructor(
    dir: string,
    manifest: Manifest,
    state: State,
    options: CollectionOptions,
    lock?: FolderLock,
    damage: DamageFound = new DamageFound(),
  ) {
    this.dir = dir
    this.damage = damage
    this.manifest = manifest
    this.#lock = lock
    this.#options = options
    this.#state = state
    this.#warc = this.#openWarc()
    this.wasClosed = factOf(state, FACTS.closed) !== false
    this.repairedBytes = lock === undefined ? 0 : this.#warc.repair()
    this.#nextInPageLog = nextInPageLog(state)
    this.#lastChange = lastKey(state.changes)
  }

  /** Open for writing, making the directory if need be. Throws when another process writes it. */
  static async open(dir: string, now: Instant, options: Partial<CollectionOptions> = {}): Promise<Collection> {
    const all = { ...collectionDefaults, ...options }
    ensureFolder(dir)
    const lock = takeLock(dir)
    let state: State | undefined
    try {
      makeFolders(dir)
      while (!isWritable(currentStatePath(dir))) await untilWritable(dir, currentStatePath(dir))
      state = openState(dir)
      const manifest = ensureManifest(dir, all.software, new Date(now))
      const rules = urlRulesToKeep(state, dir, all.urlRules)
      const collection = new Collection(dir, manifest, state, all, lock)
      await putBeginning(state, rules)
      return collection
    } catch (error) {
      const cause = await rootCause(error)
      if (state !== undefined) await closeState(state)
      lock[Symbol.dispose]()
      throw (await isDiskFull(dir, cause)) ? diskFull(dir, cause) : cause
    }
  }

  /** Open to look only; works beside a writer. Within one process, open the writer first: one that comes later waits until this is closed. */
  static openReadOnly(dir: string): Collection {
    const manifest = readManifest(dir)
    const damage = new DamageFound()
    const state = openStateReadOnly(dir, (table) => damage.note(`a row of ${table}`))
    try {
      return new Collection(dir, manifest, state, collectionDefaults, undefined, damage)
    } catch (error) {
      void closeState(state)
      throw error
    }
  }

  // ── writing ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Append a WARC record; it becomes durable with the next commit. */
  appendRecord(member: Uint8Array, now: Instant): WarcPosition {
    return this.#warc.append(member, now)
  }
  deposit(deposit: Deposit): void {
    this.#next.add(deposit, this.page(deposit.page))
  }
  /** The content of a page is not wanted any more. `dropContents` gives its room back. */
  drop(page: number): void {
    this.amend(page, { body: undefined, isDropped: true })
  }
  /** More is known of a page, though nobody visited it. */
  amend(page: number, part: Partial<PageRow>): void {
    const row = this.page(page)
    if (row !== undefined) this.#next.change(page, { ...row, ...part }, row)
  }
  /** Let whoever follows the changes look at a page again, though its content is the same. */
  touch(page: number): void {
    this.#next.changes.add(page)
  }
  putRobots(site: number, row: RobotsRow): void {
    this.#next.robots.set(site, row)
  }
  putFact<Value>({ name }: FactKind<Value>, value: Value): void {
    this.#next.meta.set(name, value)
  }
  /** How a page changes, as `frontier` writes it. */
  putFreshness(page: number, record: Uint8Array): void {
    this.#next.freshness.set(page, record)
  }
  /** What a site offers crawlers and how far it can be believed, as `crawler` writes it. */
  putCooperation(site: number, row: unknown): void {
    this.#next.cooperation.set(site, row)
  }
  /** How often a page is read, as `rows/reading-row.ts` writes it. */
  putReading(page: number, row: Uint8Array): void {
    this.#next.reading.set(page, row)
  }
  get pendingBytes(): number {
    return this.#warc.pendingBytes
  }

  /** Make every deposit since the last commit durable, together with what the frontier has to say. One at a time. */
  async commit(frontier: FrontierRows): Promise<void> {
    this.#requireSound()
    const taken = (this.#taken = this.#next)
    this.#next = new Uncommitted()
    // Read before the first await: what is appended while we write belongs to the next commit.
    const warc = this.#warc.state
    await this.#guarded(async () => {
      const room = await diskRoom(this.dir, this.#options.minFreeBytes)
      if (room.free < room.reserve + this.#warc.pendingBytes) throw diskFull(this.dir, undefined, room)
      await this.#warc.flush()
      await this.#state.root.batch(() => {
        putFrontierRows(this.#state, this.#nextInPageLog++, frontier, this.#listLengths)
        for (const [site, row] of taken.robots) void this.#state.robots.put(site, row)
        for (const [name, value] of taken.meta) void this.#state.meta.put(name, value)
        for (const [page, record] of taken.freshness) void this.#state.freshness.put(page, Buffer.from(record))
        for (const [site, row] of taken.cooperation) void this.#state.cooperation.put(site, row)
        for (const [page, row] of taken.reading) void this.#state.reading.put(page, Buffer.from(row))
        for (const deposit of taken.deposits) this.#putDeposit(deposit)
        for (const page of taken.changed) void this.#state.pages.put(page, taken.pages.get(page)!)
        if (taken.changes.size > 0) void this.#state.changes.put(++this.#lastChange, encodeChanges([...taken.changes]))
        void this.#state.meta.put('warc', warc)
      })
    })
    this.#taken = undefined
    this.#committed = true
  }

  /** A copy of the state as of some commit, into a file; writing goes on meanwhile. All archives that it refers to stand here. */
  async copyState(path: string): Promise<void> {
    await this.#state.root.backup(path, false)
  }

  /** Replace the page log by a shorter one that says the same. */
  async replacePageLog(records: Iterable<Uint8Array>): Promise<void> {
    this.#requireSound()
    const old = [...this.#state.pageLog.getKeys()]
    await this.#guarded(() =>
      this.#state.root.batch(() => {
        for (const key of old) void this.#state.pageLog.remove(key)
        for (const record of records) void this.#state.pageLog.put(this.#nextInPageLog++, Buffer.from(record))
      }),
    )
  }

  /** Let `succeed` put a successor of the state in place, then go on with that; see `forget/forget.ts`. */
  async replaceState(succeed: (holdings: Holdings) => Promise<void>): Promise<void> {
    this.#requireSound()
    if (!this.#next.isEmpty || this.pendingBytes > 0) throw new Error('commit before the state is replaced')
    const { minFreeBytes } = this.#options
    await this.#guarded(async () => {
      await succeed({ dir: this.dir, state: this.#state, warc: this.#warc.state, minFreeBytes })
      await this.#warc.close()
      await closeState(this.#state)
      this.#state = openState(this.dir)
      this.#texts = new TextCache()
      this.#nextInPageLog = nextInPageLog(this.#state)
      this.#lastChange = lastKey(this.#state.changes)
      this.#warc = this.#openWarc()
      this.#warc.repair()
    })
  }

  // ── reading ────────────────────────────────────────────────────────────────────────────────────────────────

  /** What makes two URLs one of its pages, also by rules that a run states; throws by name when those give a page another name. */
  urlRules(stated?: UrlRules): UrlRules {
    return urlRulesOf(this.#state, this.dir, stated)
  }
  /** What was put of this kind. Throws by name for what is none. */
  fact<Value>(kind: FactKind<Value>): Value | undefined {
    for (const held of this.#held()) if (held.meta.has(kind.name)) return checkedFact(kind, held.meta.get(kind.name))
    return factOf(this.#state, kind)
  }
  page(page: number): PageRow | undefined {
    return this.#next.pages.get(page) ?? this.#taken?.pages.get(page) ?? this.#state.pages.get(page)
  }
  pages(): Iterable<{ key: number; value: PageRow }> {
    return present(this.#state.pages.getRange({}))
  }
  captures(page: number): Iterable<{ key: [number, number]; value: CaptureRow }> {
    return present(this.#state.captures.getRange({ start: [page, 0], end: [page, Number.MAX_SAFE_INTEGER] }))
  }
  links(page: number): StoredLink[] {
    const bytes = this.#state.links.get(page)
    return bytes === undefined ? [] : decodeLinks(bytes)
  }
  /** Link lists of all pages, for whoever reads the whole graph. */
  *linkLists(): Generator<[page: number, links: StoredLink[]]> {
    for (const { key, value } of this.#state.links.getRange({})) yield [key, decodeLinks(value)]
  }
  /** The same without what the links say. */
  *linkTargets(): Generator<[page: number, targets: readonly number[]]> {
    for (const { key, value } of this.#state.links.getRange({})) yield [key, decodeTargets(value)]
  }
  /** Pages that link to this one. Reads every list, since links are stored with the page they stand on. */
  *linksIn(page: number): Generator<{ from: number; anchor: string }> {
    for (const { key, value } of this.#state.links.getRange({})) {
      if (linksTo(value, page))
        for (const { to, anchor } of decodeLinks(value)) if (to === page) yield { from: key, anchor }
    }
  }
  /** What was changed by commits after the one with this number, 0 for all; see `rows/change-list.ts`. */
  *changes(after: number): Generator<Change> {
    // A reader that was told of a commit must see it, and a snapshot lasts until the next timer.
    if (this.#lock === undefined) this.#state.root.resetReadTxn()
    for (const { key, value } of this.#state.changes.getRange({ start: after + 1 }))
      yield { number: key, pages: decodeChanges(value) }
  }
  /** The number of the last change that was committed; 0 before the first. */
  get lastChange(): number {
    return this.#lock === undefined ? lastKey(this.#state.changes) : this.#lastChange
  }
  robots(site: number): RobotsRow | undefined {
    return this.#next.robots.get(site) ?? this.#taken?.robots.get(site) ?? this.#state.robots.get(site)
  }
  freshness(page: number): Uint8Array | undefined {
    for (const held of this.#held()) if (held.freshness.has(page)) return held.freshness.get(page)
    // A collection that nobody wrote since this table came has none.
    return (this.#state.freshness as State['freshness'] | undefined)?.get(page)
  }
  cooperation(site: number, shape?: Shape): unknown {
    for (const held of this.#held()) if (held.cooperation.has(site)) return held.cooperation.get(site)
    const row = (this.#state.cooperation as State['cooperation'] | undefined)?.get(site)
    return shape === undefined ? row : requireShape(`What is remembered of site ${site}`, row, shape)
  }
  reading(page: number): Uint8Array | undefined {
    for (const held of this.#held()) if (held.reading.has(page)) return held.reading.get(page)
    return (this.#state.reading as State['reading'] | undefined)?.get(page)
  }
  /** Of all pages that were read, as far as it is committed. */
  readings(): Iterable<{ key: number; value: Uint8Array }> {
    return (this.#state.reading as State['reading'] | undefined)?.getRange({}) ?? []
  }
  body(digest: string): BodyRow | undefined {
    return this.#next.bodies.get(digest) ?? this.#taken?.bodies.get(digest) ?? this.#state.bodies.get(digest)
  }
  nearDuplicate(hash: Simhash, page: number): number | undefined {
    for (const held of this.#held()) {
      const near = held.nearDuplicate(hash, page)
      if (near !== undefined) return near
    }
    return findNearDuplicate(this.#state.similar, hash, page)
  }

  /** Site, path and parent of a page whose batch was committed. */
  text(page: number): PageText {
    const near = this.#texts.find(page)
    if (near !== undefined) return near
    const [first] = this.#state.texts.getKeys({ start: page + 1, reverse: true, limit: 1 })
    const bytes = first === undefined ? undefined : this.#state.texts.get(first)
    if (first !== undefined && bytes !== undefined) this.#texts.keep(page, { first, bytes })
    const text = this.#texts.find(page)
    if (text === undefined) throw collectionDamaged(`Page ${page} has no text.`)
    return text
  }
  *texts(): Generator<[page: number, text: PageText]> {
    for (const { key, value } of this.#state.texts.getRange({})) {
      for (const [i, text] of textsOf(value).entries()) yield [key - 1 + i, text]
    }
  }
  /** The URL of a page; undefined when it was forgotten. */
  url(page: number): string | undefined {
    const { site, path } = this.text(page)
    return path === '' ? undefined : this.origin(site) + path
  }
  origin(site: number): string {
    const known = this.#origins.get(site) ?? this.#state.sites.get(site)?.origin
    if (known === undefined) throw collectionDamaged(`Site ${site} has no row.`)
    this.#origins.set(site, known)
    return known
  }

  /** The id of a site; undefined when nothing is known of it. */
  findSite(origin: string): number | undefined {
    for (const [site, row] of this.sites()) if (row.origin === origin) return site
    return undefined
  }

  /** What a frontier is rebuilt from; see `FrontierSource` in `frontier`. */
  *pageLog(): Generator<Uint8Array> {
    for (const { value } of this.#state.pageLog.getRange({})) yield value
  }
  *sites<Row extends SiteFacts>(): Generator<[site: number, row: Row]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a frontier gets back what it gave.
    for (const { key, value } of this.#state.sites.getRange({})) yield [key, value as Row]
  }
  *addresses(): Generator<[address: string, readyAt: Instant]> {
    for (const { key, value } of this.#state.addresses.getRange({})) yield [key, value]
  }

  /** Pages that a shard is to be told of, from a position of its list on; see `rows/shard-lists.ts`. */
  listedFor(shard: number, from: number, most: number): number[] {
    return listedFor(this.#state.lists, shard, from, most)
  }
  /** How long its list is. */
  listLength(shard: number): number {
    return this.#listLengths.get(shard) ?? listLength(this.#state.lists, shard)
  }

  /** What a record holds of a page: head, as far as there is one, and body, content codings still on. */
  readMessage(position: WarcPosition): WarcMessage {
    const item = readRecordAt(readMember(warcPath(join(this.dir, 'warc'), this.#warcNames(), position.file), position))
    if (item.kind !== 'record')
      throw collectionDamaged(`The record at ${position.file}:${position.offset}: ${item.message}`)
    return warcMessage(item.record)
  }
  readBody(position: WarcPosition): Uint8Array {
    return entityBody(this.readMessage(position))
  }
  get warcPaths(): string[] {
    const names = this.#warcNames()
    return names.map((_, file) => warcPath(join(this.dir, 'warc'), names, file))
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    // What was not committed is gone, and with it the newest clocks: the next one to open must know. So must it when
    // the writer before us was killed and we have not committed what follows from that.
    const isWhole = this.#failure === undefined && this.#next.isEmpty && this.pendingBytes === 0
    const clean = isWhole && (this.wasClosed || this.#committed)
    try {
      if (this.#lock !== undefined && clean) await this.#state.meta.put('closed', true)
    } catch (error) {
      // No room for that one word: the next one to open rests a little longer than it need.
      await rootCause(error)
    } finally {
      await this.#warc.close()
      await closeState(this.#state)
      this.#lock?.[Symbol.dispose]()
    }
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #held(): Uncommitted[] {
    return this.#taken === undefined ? [this.#next] : [this.#next, this.#taken]
  }

  #requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#taken !== undefined) throw new Error('a commit is under way')
  }

  /** After a failed write nobody knows which half of it is on disk, so there is no second. */
  async #guarded(write: () => Promise<unknown>): Promise<void> {
    try {
      await write()
    } catch (error) {
      const cause = await rootCause(error)
      this.#failure = (await isDiskFull(this.dir, cause)) ? diskFull(this.dir, cause) : cause
      throw this.#failure
    }
  }

  #openWarc(): WarcStore {
    const { software, maxWarcBytes } = this.#options
    return new WarcStore(this.dir, warcStateOf(this.#state), { software, maxFileBytes: maxWarcBytes })
  }

  /** A reader's writer may have begun new files since it opened. */
  #warcNames(): readonly string[] {
    return (this.#lock === undefined ? warcStateOf(this.#state) : this.#warc.state).names
  }

  #putDeposit({ page, row, at, capture, links, newBody, oldHash }: Uncommitted['deposits'][number]): void {
    void this.#state.pages.put(page, row)
    void this.#state.captures.put([page, at], capture)
    if (links !== undefined) void this.#state.links.put(page, links)
    if (newBody !== undefined) void this.#state.bodies.put(newBody.digest, newBody.row)
    if (oldHash !== undefined) forgetSimhash(this.#state.similar, oldHash, page)
    if (row.simhash !== undefined) rememberSimhash(this.#state.similar, row.simhash, page)
  }
}

/** Of a row that cannot be read there is no value, and who reads all goes on with the next. */
function* present<Row extends { readonly value: unknown }>(rows: Iterable<Row>): Generator<Row> {
  for (const row of rows) if (row.value !== undefined) yield row
}

/** Together, so that no page is ever known by rules that nobody can tell. */
async function putBeginning({ root, meta }: State, rules: UrlRules | undefined): Promise<void> {
  await root.batch(() => {
    void meta.put(FACTS.closed.name, false)
    if (rules !== undefined) void meta.put(FACTS.urlRules.name, rules)
  })
}

const nextInPageLog = ({ pageLog }: State): number => lastKey(pageLog) + 1

function lastKey(table: State['pageLog']): number {
  const [last] = table.getKeys({ reverse: true, limit: 1 })
  return last ?? 0
}
