/**
 * UploadStore: large bodies that come in parts, kept until they are whole (draft-ietf-httpbis-resumable-upload).
 *
 *   uploads/ID.json     whose it is and what it will be (`body/upload-record.ts`)
 *   uploads/ID.bin      what has come so far: its length is the offset
 *
 * ID cannot be guessed: whoever knows it began the upload, or was told by who did. Uploads are bounded each, by site and in
 * all, and one that nothing is added to for a day is gone. A site that leaves its own open holds a third of the room at most
 * (`client/fair-share.ts`), whether it says how much will come or not. They outlive a restart; after a power cut an upload may be shorter
 * than it was, which its sender learns when it asks. A part that is under way when somebody asks is ended first: after a cut
 * the sender often knows before we do.
 */
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import type { BodyFile } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import { FairShare } from '@comity/protocol'
import type { ReceiverLimits } from '../limits.ts'
import { readUploadRecord, writeUploadRecord } from './upload-record.ts'
import type { UploadFacts, UploadRecord } from './upload-record.ts'

type UploadLimitsTable = Pick<ReceiverLimits, 'uploadBytes' | 'uploadsPerSite' | 'uploadsBytes' | 'uploadIdleMs'>

interface UploadStoreOptions {
  readonly limits: UploadLimitsTable
  readonly random: (bytes: number) => Uint8Array
}

/** An upload as it is now. */
export interface Upload extends UploadRecord {
  readonly offset: number
}

interface Held {
  record: UploadRecord
  offset: number
  /** What it takes of the room for all: what it will be, as far as that was said at its beginning, or what has come. */
  room: number
  /** The part under way. */
  current: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined
}

/** For those who did not hear the answer, which are few. */
const DONE_PER_SITE = 8

const FILE_NAME = /^([\w-]{43})\.(json|bin)$/

export class UploadStore {
  readonly #folder: string
  readonly #options: UploadStoreOptions
  readonly #uploads = new Map<string, Held>()
  readonly #room: FairShare

  private constructor(folder: string, options: UploadStoreOptions) {
    this.#folder = folder
    this.#options = options
    this.#room = new FairShare(options.limits.uploadsBytes)
  }

  static open(dir: string, now: Instant, options: UploadStoreOptions): UploadStore {
    const store = new UploadStore(join(dir, 'uploads'), options)
    makePrivateFolder(store.#folder)
    store.#recover()
    store.sweepSync(now)
    return store
  }

  get bytes(): number {
    return this.#room.used
  }
  get count(): number {
    return this.#uploads.values().reduce((sum, { record }) => sum + (record.isDone === true ? 0 : 1), 0)
  }

  /** What a sender is told beforehand. */
  get limits(): { readonly maxSize: number; readonly maxAgeSeconds: number } {
    const { uploadBytes, uploadIdleMs } = this.#options.limits
    return { maxSize: uploadBytes, maxAgeSeconds: Math.floor(uploadIdleMs / 1_000) }
  }

  /** A new one, durable; or why there is none. */
  async begin(facts: UploadFacts, now: Instant): Promise<Upload | 'too-large' | 'too-many' | 'full'> {
    const { uploadBytes, uploadsPerSite } = this.#options.limits
    this.sweepSync(now)
    if ((facts.length ?? 0) > uploadBytes) return 'too-large'
    const isOpen = ({ record }: Held): boolean => record.isDone !== true && record.origin === facts.origin
    if ([...this.#uploads.values()].filter(isOpen).length >= uploadsPerSite) return 'too-many'
    const room = facts.length ?? 0
    const taken = this.#room.take(facts.origin, room)
    if (taken !== 'taken') return taken === 'over' ? 'too-many' : 'full'
    const id = Buffer.from(this.#options.random(32)).toString('base64url')
    const record: UploadRecord = { ...facts, id, touchedAt: now }
    const held: Held = { record, offset: 0, room, current: undefined }
    this.#uploads.set(id, held)
    try {
      await writeFile(this.#path(id, 'bin'), '', { mode: 0o600 })
      await this.#save(record)
    } catch (error) {
      this.#forget(held)
      throw error
    }
    return { ...record, offset: 0 }
  }

  /** As it is when nothing more is coming in. */
  async find(id: string): Promise<Upload | undefined> {
    const held = this.#uploads.get(id)
    if (held === undefined) return undefined
    held.current?.stop.abort()
    await held.current?.ended
    return this.#uploads.has(id) ? { ...held.record, offset: held.offset } : undefined
  }

  /**
   * Add what comes, from the offset on. Returns how it ended: `whole` when the source did, `cut` when it broke off or somebody
   * asked meanwhile, `too-large` when there is more than there may be, `full` when there is no room for it. What came is kept if `keeps` says so.
   */
  async append(id: string, source: AsyncIterable<Uint8Array>, terms: AppendTerms): Promise<AppendEnd> {
    const held = this.#uploads.get(id)
    if (held === undefined) return 'cut'
    const stop = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    held.current = { stop, ended }
    const before = held.offset
    try {
      const end = await this.#write(held, source, stop.signal, terms)
      // Before anybody is told the offset.
      if (!terms.keeps(end)) await this.#cutBack(held, before)
      return end
    } finally {
      held.current = undefined
      resolve()
    }
  }

  async setLength(id: string, length: number): Promise<void> {
    const held = this.#uploads.get(id)
    if (held === undefined || held.record.length === length) return
    held.record = { ...held.record, length }
    await this.#save(held.record)
  }

  file(id: string): BodyFile {
    return { path: this.#path(id, 'bin'), bytes: this.#uploads.get(id)?.offset ?? 0 }
  }

  /** It was kept elsewhere, with its bytes. The record stays, for who did not hear the answer. */
  async done(id: string, now: Instant): Promise<void> {
    const held = this.#uploads.get(id)
    if (held === undefined) return
    held.record = { ...held.record, isDone: true, touchedAt: now }
    this.#giveRoom(held)
    await this.#save(held.record)
    const { origin } = held.record
    const done = this.#uploads.values().filter(({ record }) => record.isDone === true && record.origin === origin)
    for (const { record } of [...done].slice(0, -DONE_PER_SITE)) await this.remove(record.id)
  }

  async remove(id: string): Promise<void> {
    const held = this.#uploads.get(id)
    if (held === undefined) return
    this.#forget(held)
    for (const ending of ['bin', 'json'] as const) await rm(this.#path(id, ending), { force: true })
  }

  /** Forget what nobody has added to for too long. */
  sweepSync(now: Instant): void {
    for (const [id, held] of this.#uploads) {
      const { record, current } = held
      if (current !== undefined || now - record.touchedAt < this.#options.limits.uploadIdleMs) continue
      this.#forget(held)
      for (const ending of ['bin', 'json'] as const) rmSync(this.#path(id, ending), { force: true })
    }
  }

  async #write(
    held: Held,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    { maxBytes, now }: AppendTerms,
  ): Promise<AppendEnd> {
    const handle = await open(this.#path(held.record.id, 'bin'), 'r+')
    const most = Math.min(maxBytes, held.record.length ?? Infinity)
    try {
      for await (const chunk of stoppable(source, signal)) {
        if (held.offset + chunk.length > most) return 'too-large'
        if (!this.#hasRoom(held, held.offset + chunk.length)) return 'full'
        for (let done = 0; done < chunk.length;) {
          const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, held.offset)
          done += bytesWritten
          held.offset += bytesWritten
        }
      }
      return signal.aborted ? 'cut' : 'whole'
    } catch (error) {
      if (isOurs(error)) throw error
      return 'cut'
    } finally {
      held.record = { ...held.record, touchedAt: now() }
      await handle.datasync()
      await handle.close()
    }
  }

  async #cutBack(held: Held, offset: number): Promise<void> {
    await truncate(this.#path(held.record.id, 'bin'), offset)
    held.offset = offset
  }

  /** Room once taken is kept until the upload ends: it is likely to come to as much again. */
  #hasRoom(held: Held, bytes: number): boolean {
    const more = bytes - held.room
    if (more <= 0) return true
    if (this.#room.take(held.record.origin, more) !== 'taken') return false
    held.room = bytes
    return true
  }

  #giveRoom(held: Held): void {
    this.#room.give(held.record.origin, held.room)
    held.room = 0
  }

  #forget(held: Held): void {
    this.#giveRoom(held)
    this.#uploads.delete(held.record.id)
  }

  async #save(record: UploadRecord): Promise<void> {
    const path = this.#path(record.id, 'json')
    await writeFile(`${path}.new`, writeUploadRecord(record), { mode: 0o600, flush: true })
    await rename(`${path}.new`, path)
  }

  #recover(): void {
    const names = readdirSync(this.#folder)
    for (const name of names) {
      const [, id = '', ending] = FILE_NAME.exec(name) ?? []
      if (ending === 'json') this.#recoverOne(id)
      if (name.endsWith('.json.new')) rmSync(join(this.#folder, name), { force: true })
    }
    for (const name of names) {
      const [, id = '', ending] = FILE_NAME.exec(name) ?? []
      if (ending === 'bin' && !this.#uploads.has(id)) rmSync(join(this.#folder, name), { force: true })
    }
  }

  #recoverOne(id: string): void {
    const record = readUploadRecord(readFileSync(this.#path(id, 'json'), 'utf8'))
    const size = statSync(this.#path(id, 'bin'), { throwIfNoEntry: false })?.size
    // Without its bytes it can only be one that is done.
    if (record?.id === id && (size !== undefined || record.isDone === true)) {
      const room = record.isDone === true ? 0 : Math.max(record.length ?? 0, size ?? 0)
      this.#room.add(record.origin, room)
      this.#uploads.set(id, { record, offset: size ?? record.length ?? 0, room, current: undefined })
    } else rmSync(this.#path(id, 'json'), { force: true })
  }

  #path(id: string, ending: 'json' | 'bin'): string {
    return join(this.#folder, `${id}.${ending}`)
  }
}

export type AppendEnd = 'whole' | 'cut' | 'too-large' | 'full'

interface AppendTerms {
  /** Of the whole. */
  readonly maxBytes: number
  readonly now: () => Instant
  /** Whether what came is to be believed, now that it has ended so. Asked once. */
  readonly keeps: (end: AppendEnd) => boolean
}

/** Errors of the disk are ours to tell; a source that breaks off is the sender's. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error &&
  'syscall' in error &&
  error.syscall !== 'read' &&
  'code' in error &&
  error.code !== 'ECONNRESET'

async function* stoppable(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
  signal.addEventListener('abort', () => resolve(undefined), { once: true })
  try {
    for (;;) {
      const step = await Promise.race([chunks.next(), stopped])
      if (step === undefined || step.done === true) return
      yield step.value
    }
  } finally {
    // A source that hangs is not waited for.
    void chunks.return?.()
  }
}
