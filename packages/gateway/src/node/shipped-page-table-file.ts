/**
 * PageTableFile: a page table that survives restarts, kill -9 and power cuts, and the numbers of batches beside it.
 *
 *   header   "comity-pages-2\n", 32 letters: the run, and 16: a name that no other file has
 *   record   a row of the table, or one with key 0: the number of a batch as a double; then its sum
 *
 * Rows that changed are appended when a batch is durable, and the number of the batch behind them. Whatever was cut
 * off by a crash costs that: its pages are shipped once more. When most records are history, the rows are written anew
 * beside the file, which then takes its place. What is damaged in its middle may have lost numbers that were used;
 * then a new run begins, so that none is used twice. Sums tell which records were written together (`log/frame-sums.ts` of disk), so
 * that a hole in the last write is no damage. In the first format they did not; a file of it is written anew when it is opened.
 */
import { crc32 } from 'node:zlib'
import { FILE_LETTERS, FrameSums, LogFile, LogUnwritable, newFileName, NO_FRAME_HERE, SHORT_FRAME } from '@comity/disk'
import type { LogFraming, OpenedLog } from '@comity/disk'
import { GatewayError, notOurs, stateUnusable } from '../errors.ts'
import { PageTable, ROW_BYTES } from './shipped-page-table.ts'

interface PageTableFileOptions {
  readonly maxPages: number
  /** A name that nobody else has: 32 hexadecimal digits. */
  readonly newRun: () => string
}

const MAGIC = 'comity-pages-2\n'
const RUN_LETTERS = 32
const HEADER_BYTES = MAGIC.length + RUN_LETTERS + FILE_LETTERS
const OLD_MAGIC = 'comity-pages-1\n'
const OLD_HEADER_BYTES = OLD_MAGIC.length + RUN_LETTERS
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
  #log: LogFile<Buffer>
  #records: number

  private constructor({ log, table, run, found, number, records }: Loaded) {
    this.path = log.path
    this.table = table
    this.run = run
    this.found = found
    this.#log = log
    this.#number = number
    this.#records = records
  }

  /** One process at a time. Throws by name when it cannot be used. */
  static open(path: string, options: PageTableFileOptions): PageTableFile {
    return new PageTableFile(namingFaults(path, () => load(path, options)))
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
    const records = [...this.table.takeChanged()]
    records.push(numberRow(number))
    namingFaults(this.path, () => {
      this.#log.appendSync(records)
      this.#records += records.length
      if (this.#records > 2 * this.table.size + SPARE_RECORDS) this.#renew()
    })
  }

  [Symbol.dispose](): void {
    this.#log.close()
  }

  #renew(): void {
    const log = newLog(this.path, this)
    this.#log.close()
    this.#log = log
    this.#records = this.table.size + 1
  }
}

type TableState = Pick<PageTableFile, 'table' | 'run' | 'number'>

interface Loaded extends TableState {
  readonly found: PageTableFile['found']
  readonly log: LogFile<Buffer>
  readonly records: number
}

function load(path: string, { maxPages, newRun }: PageTableFileOptions): Loaded {
  const table = new PageTable(maxPages)
  let [header, number, records]: [TableHeader | undefined, number, number] = [undefined, 0, 0]
  const opened = openLog(
    path,
    (found) => (header = found),
    (row) => {
      records++
      if (row.readBigUInt64LE(0) === 0n) number = Math.max(number, row.readDoubleLE(8))
      else table.restore(row)
    },
  )
  const { run, file } = (header ?? {}) as Partial<TableHeader>
  if (opened.kind === 'open' && run !== undefined) {
    const whole = { table, run, number, found: 'whole' } as const
    if (file !== undefined) return { ...whole, log: opened.log, records }
    opened.log.close()
    return { ...whole, log: newLog(path, whole), records: table.size + 1 }
  }
  // What is damaged, or new, is written anew as a whole.
  const fresh = { table, run: newRun(), number: 0 }
  const found = opened.kind === 'damaged' ? 'damaged' : 'nothing'
  return { ...fresh, log: newLog(path, fresh), records: table.size + 1, found }
}

interface TableHeader {
  readonly run: string
  /** Undefined in the first format. */
  readonly file: string | undefined
  readonly bytes: number
}

const HEADER = /^comity-pages-2\n(?<run>[0-9a-f]{32})(?<file>[0-9a-f]{16})/u
const OLD_HEADER = /^comity-pages-1\n(?<run>[0-9a-f]{32})/u

function headerIn(path: string, bytes: Buffer): TableHeader | undefined {
  const text = bytes.toString('latin1')
  const groups = (HEADER.exec(text) ?? OLD_HEADER.exec(text))?.groups
  if (groups !== undefined)
    return {
      run: groups['run']!,
      file: groups['file'],
      bytes: groups['file'] === undefined ? OLD_HEADER_BYTES : HEADER_BYTES,
    }
  // A file without a whole header was being made when something ended it.
  if (bytes.length < (text.startsWith(MAGIC) ? HEADER_BYTES : OLD_HEADER_BYTES)) return undefined
  throw notOurs(path)
}

function openLog(path: string, begin: (header: TableHeader) => void, take: (row: Buffer) => void): OpenedLog<Buffer> {
  return LogFile.open(path, HEADER_BYTES, (bytes) => {
    const header = headerIn(path, bytes)
    if (header === undefined) return undefined
    begin(header)
    return { framing: pageRowFraming(header.file), from: header.bytes, damage: 'refused', take }
  })
}

/** In the place of the old one, if there is one. */
function newLog(path: string, { table, run, number }: TableState): LogFile<Buffer> {
  const file = newFileName()
  const header = Buffer.from(`${MAGIC}${run}${file}`, 'latin1')
  const entries = [...table.rows(), numberRow(number)]
  const framing = pageRowFraming(file)
  return LogFile.createSync(path, { framing, entries, headerBytes: HEADER_BYTES, header: () => header })
}

/** What ends in a fault of the disk says which file and what to do. */
function namingFaults<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw stateUnusable(path, error instanceof LogUnwritable ? error.cause : error)
  }
}

/** Records of one size, so that one that is not whole hides none of those behind it. Without the file's name those of the first format. */
export function pageRowFraming(file: string | undefined): LogFraming<Buffer> {
  const sums = file === undefined ? OLD_SUMS : new FrameSums(file)
  return {
    encode: (row, isFirst) => recordOf(row, sums.of(row, isFirst)),
    decode: (bytes, at) => {
      const end = at + RECORD_BYTES
      if (end > bytes.length) return SHORT_FRAME
      const row = bytes.subarray(at, at + ROW_BYTES)
      const isSealed = sums.sealOf(row, bytes.readUInt32LE(at + ROW_BYTES))
      return isSealed === undefined ? NO_FRAME_HERE : { kind: 'entry', entry: row, end, isSealed }
    },
    next: (_, at) => at + RECORD_BYTES,
  }
}

/** Any whole record behind one that is none says that it was whole once. */
const OLD_SUMS: Pick<FrameSums, 'of' | 'sealOf'> = {
  of: (row) => crc32(row),
  sealOf: (row, sum) => (crc32(row) === sum ? true : undefined),
}

function recordOf(row: Buffer, sum: number): Buffer {
  const record = Buffer.allocUnsafe(RECORD_BYTES)
  record.set(row)
  record.writeUInt32LE(sum, ROW_BYTES)
  return record
}

function numberRow(number: number): Buffer {
  const row = Buffer.alloc(ROW_BYTES)
  row.writeDoubleLE(number, 8)
  return row
}
