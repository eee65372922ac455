/**
 * PageTableFile: a page table that survives restarts, kill -9 and power cuts, and the numbers of batches beside it.
 *
 *   header   "comity-pages-1\n" and 32 letters: the run
 *   record   a row of the table, or one with key 0: the number of a batch as a double; then its CRC-32
 *
 * Rows that changed are appended when a batch is durable, and the number of the batch behind them. Whatever was cut
 * off by a crash costs that: its pages are shipped once more. When most records are history, the rows are written anew
 * beside the file, which then takes its place. What is damaged in its middle may have lost numbers that were used;
 * then a new run begins, so that none is used twice.
 */
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { notOurs, stateUnusable } from '../errors.ts'
import { PageTable, ROW_BYTES } from './page-table.ts'

export interface PageTableFileOptions {
  readonly maxPages: number
  /** A name that nobody else has: 32 hexadecimal digits. */
  readonly newRun: () => string
}

const MAGIC = 'comity-pages-1\n'
const RUN_LETTERS = 32
const HEADER_BYTES = MAGIC.length + RUN_LETTERS
const RECORD_BYTES = ROW_BYTES + 4
/** Written anew when there are so many more records than rows, and twice as many. */
const SPARE_RECORDS = 10_000

export class PageTableFile implements Disposable {
  readonly path: string
  readonly table: PageTable
  readonly run: string
  /** What was found: nothing, a whole file, or one with damage. */
  readonly found: 'nothing' | 'whole' | 'damaged'
  #number: number
  #fd: number
  #records: number
  #bytes: number

  private constructor(path: string, loaded: Loaded) {
    this.path = path
    this.table = loaded.table
    this.run = loaded.run
    this.found = loaded.found
    this.#number = loaded.number
    this.#records = loaded.records
    this.#bytes = loaded.bytes
    this.#fd = -1
  }

  /** One process at a time. Throws by name when it cannot be used. */
  static open(path: string, options: PageTableFileOptions): PageTableFile {
    const file = new PageTableFile(path, load(path, options))
    // What is damaged, or new, is written anew as a whole.
    if (file.found === 'whole') file.#open()
    else file.#renew()
    return file
  }

  /** The number of the last batch that was made. */
  get number(): number {
    return this.#number
  }

  /** Batches up to this number are durable already: none of them is used again. */
  skipTo(number: number): void {
    this.#number = Math.max(this.#number, number)
  }

  /** Makes what changed in the table durable, as of the batch of this number. */
  commit(number: number): void {
    this.#number = number
    const records = [...this.table.takeChanged()].map(recordOf)
    records.push(recordOf(numberRow(number)))
    try {
      const bytes = Buffer.concat(records)
      for (let done = 0; done < bytes.length;)
        done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#bytes + done)
      fdatasyncSync(this.#fd)
      this.#bytes += bytes.length
      this.#records += records.length
      if (this.#records > 2 * this.table.size + SPARE_RECORDS) this.#renew()
    } catch (error) {
      throw stateUnusable(this.path, error)
    }
  }

  [Symbol.dispose](): void {
    if (this.#fd >= 0) closeSync(this.#fd)
    this.#fd = -1
  }

  #open(): void {
    try {
      this.#fd = openSync(this.path, 'r+')
      ftruncateSync(this.#fd, this.#bytes)
    } catch (error) {
      throw stateUnusable(this.path, error)
    }
  }

  #renew(): void {
    const draft = `${this.path}.new`
    try {
      const fd = openSync(draft, 'w', 0o600)
      try {
        const header = Buffer.from(`${MAGIC}${this.run}`, 'latin1')
        writeSync(fd, header)
        this.#bytes = header.length
        this.#records = 0
        for (const chunk of chunksOf([...this.table.rows(), numberRow(this.#number)])) {
          for (let done = 0; done < chunk.length;) done += writeSync(fd, chunk, done)
          this.#bytes += chunk.length
          this.#records += chunk.length / RECORD_BYTES
        }
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      renameSync(draft, this.path)
      syncFolder(dirname(this.path))
      this[Symbol.dispose]()
      this.#fd = openSync(this.path, 'r+')
    } catch (error) {
      throw stateUnusable(this.path, error)
    }
  }
}

interface Loaded {
  readonly table: PageTable
  readonly run: string
  readonly number: number
  readonly found: PageTableFile['found']
  readonly records: number
  readonly bytes: number
}

function load(path: string, { maxPages, newRun }: PageTableFileOptions): Loaded {
  const table = new PageTable(maxPages)
  const file = bytesOf(path)
  const fresh = { table, run: newRun(), number: 0, records: 0, bytes: 0 }
  // A file without a whole header was being made when something ended it.
  if (file === undefined || file.length < HEADER_BYTES) return { ...fresh, found: 'nothing' }
  const header = file.toString('latin1', 0, HEADER_BYTES)
  const run = header.slice(MAGIC.length)
  if (!header.startsWith(MAGIC) || !/^[0-9a-f]{32}$/.test(run)) throw notOurs(path)
  let [at, number] = [HEADER_BYTES, 0]
  for (; at + RECORD_BYTES <= file.length; at += RECORD_BYTES) {
    const row = file.subarray(at, at + ROW_BYTES)
    if (crc32(row) !== file.readUInt32LE(at + ROW_BYTES)) break
    if (row.readBigUInt64LE(0) === 0n) number = Math.max(number, row.readDoubleLE(8))
    else table.restore(row)
  }
  // A crash leaves damage in what was appended last, which is never followed by a whole record.
  const isTail = !hasRecord(file, at + RECORD_BYTES)
  if (!isTail) return { ...fresh, found: 'damaged' }
  return { table, run, number, found: 'whole', records: (at - HEADER_BYTES) / RECORD_BYTES, bytes: at }
}

function hasRecord(file: Buffer, from: number): boolean {
  for (let at = from; at + RECORD_BYTES <= file.length; at += RECORD_BYTES)
    if (crc32(file.subarray(at, at + ROW_BYTES)) === file.readUInt32LE(at + ROW_BYTES)) return true
  return false
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw stateUnusable(path, error)
  }
}

function recordOf(row: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(RECORD_BYTES)
  record.set(row)
  record.writeUInt32LE(crc32(row), ROW_BYTES)
  return record
}

function numberRow(number: number): Uint8Array {
  const row = Buffer.alloc(ROW_BYTES)
  row.writeDoubleLE(number, 8)
  return row
}

function* chunksOf(rows: readonly Uint8Array[]): Generator<Buffer> {
  for (let at = 0; at < rows.length; at += 10_000) yield Buffer.concat(rows.slice(at, at + 10_000).map(recordOf))
}

export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
