/**
 * Row file: a few thousand small rows by name, in one file that survives kill -9 and power cuts. What holds secrets is for
 * its owner's eyes only (mode 0600).
 *
 *   comity rows 2 KIND 6f1c09a4d2b3e875               what this is, and a name that no other file has
 *   8c736521 {"put":"name","row":{…}}                 a checksum over the rest of its line, and what became of a row
 *   d3d99e8b {"drop":"name"}
 *
 * Changes are appended, one sync for all that came while the last was under way; a row is seen by others once it is durable.
 * The checksum also tells which lines were written together (`log/frame-sums.ts` of disk), so that a hole in the last write is a torn
 * end. In the first format it did not, and such a hole is damage; a file of that format is written anew when it is opened.
 * When most lines are history, the rows that are left are written anew and the new file takes the old one's place.
 */
import { chmodSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import {
  FILE_LETTERS,
  FrameSums,
  LogFile,
  LogUnwritable,
  newFileName,
  NO_FRAME_HERE,
  SHORT_FRAME,
  WriteQueue,
} from '@comity/disk'
import type { LogFrame, LogFraming, OpenedLog, WaitingWrite } from '@comity/disk'
import { rowsClosed, rowsDamaged, rowsUnwritable, SiteError } from '../errors.ts'

interface RowFileOptions<Row> {
  /** Stands in the first line: one word. */
  readonly kind: string
  /** A row out of JSON; undefined when it is none. */
  readonly read: (json: unknown) => Row | undefined
  /** What stands for a row in the file, where its names are others there. */
  readonly write?: (row: Row) => unknown
}

interface RowEdit<Row> {
  readonly name: string
  /** Undefined: dropped. */
  readonly row: Row | undefined
}

/** Written anew when there are twice as many lines as rows, and so many more. */
const SPARE_LINES = 1_000

export class RowFile<Row> implements AsyncDisposable {
  readonly path: string
  /** What a crash had left half-written, cut off when the file was opened. */
  readonly cutBytes: number
  readonly #options: RowFileOptions<Row>
  readonly #rows: Map<string, Row>
  readonly #queue: WriteQueue<RowEdit<Row>, void>
  #log: LogFile<RowEdit<Row>>
  #lines: number
  #isClosed = false

  private constructor(options: RowFileOptions<Row>, loaded: Loaded<Row>) {
    this.path = loaded.log.path
    this.cutBytes = loaded.cutBytes
    this.#options = options
    this.#rows = loaded.rows
    this.#log = loaded.log
    this.#lines = loaded.lines
    this.#queue = new WriteQueue({ write: (group) => this.#write(group), afterwards: () => this.#renewWhenDue() })
  }

  /** Opens the file, or makes it. Throws by name when it is damaged or of another kind. One process at a time. */
  static async open<Row>(path: string, options: RowFileOptions<Row>): Promise<RowFile<Row>> {
    try {
      const loaded = load(path, options) ?? (await begun(path, options))
      return new RowFile(options, loaded.isOld ? await renewed(loaded, options) : loaded)
    } catch (error) {
      throw error instanceof SiteError ? error : rowsUnwritable(path, error)
    }
  }

  get(name: string): Row | undefined {
    return this.#rows.get(name)
  }

  all(): Iterable<Row> {
    return [...this.#rows.values()]
  }

  get size(): number {
    return this.#rows.size
  }

  /** Resolves when it is durable. */
  async put(name: string, row: Row): Promise<void> {
    await this.#edit(name, row)
  }

  async drop(name: string): Promise<void> {
    await this.#edit(name, undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    await this.#queue.settled()
    this.#isClosed = true
    this.#log.close()
  }

  async #edit(name: string, row: Row | undefined): Promise<void> {
    await this.#queue.add({ name, row })
  }

  async #write(group: readonly WaitingWrite<RowEdit<Row>, void>[]): Promise<void> {
    if (this.#isClosed) throw rowsClosed(this.path)
    const edits = group.map(({ item }) => item)
    await this.#log.append(edits).catch((error: unknown) => {
      throw rowsUnwritable(this.path, error instanceof LogUnwritable ? error.cause : error)
    })
    this.#lines += edits.length
    for (const edit of edits) apply(edit, this.#rows)
    for (const { resolve } of group) resolve()
  }

  /** A failure costs nothing: the old file goes on. */
  async #renewWhenDue(): Promise<void> {
    if (this.#lines <= 2 * this.#rows.size + SPARE_LINES) return
    // If it fails, it is tried again when as many lines have come as now.
    this.#lines = 0
    const log = await newLog(this.path, this.#options, this.#rows)
    this.#log.close()
    this.#log = log
    this.#lines = this.#rows.size + 1
  }
}

const headerOf = (kind: string, file: string): Buffer => Buffer.from(`${beginningOf(kind)} ${file}\n`)
const beginningOf = (kind: string): string => `comity rows 2 ${kind}`
const oldHeaderOf = (kind: string): Buffer => Buffer.from(`comity rows 1 ${kind}\n`)

interface Loaded<Row> {
  readonly log: LogFile<RowEdit<Row>>
  readonly rows: Map<string, Row>
  readonly lines: number
  readonly cutBytes: number
  /** Of the first format. */
  readonly isOld: boolean
}

/** Undefined when there is none. Its own damage, or another's file, is not written over. */
function load<Row>(path: string, options: RowFileOptions<Row>): Loaded<Row> | undefined {
  const rows = new Map<string, Row>()
  let lines = 1
  const { opened, isOld } = openLog(path, options, (edit) => {
    apply(edit, rows)
    lines++
  })
  if (opened.kind === 'damaged') throw rowsDamaged(path, `there is no row at byte ${opened.at}`)
  if (opened.kind !== 'open') return undefined
  chmodSync(path, 0o600)
  return { log: opened.log, rows, lines, cutBytes: opened.cutBytes, isOld }
}

function openLog<Row>(
  path: string,
  options: RowFileOptions<Row>,
  take: (edit: RowEdit<Row>) => void,
): { readonly opened: OpenedLog<RowEdit<Row>>; readonly isOld: boolean } {
  const beginning = beginningOf(options.kind)
  const [oldHeader, bytes] = [oldHeaderOf(options.kind), beginning.length + FILE_LETTERS + 2]
  let isOld = false
  const opened = LogFile.open(path, bytes, (found) => {
    const file = fileIn(found, beginning)
    isOld = file === undefined && found.subarray(0, oldHeader.length).equals(oldHeader)
    if (isOld) return { framing: rowFraming(options), from: oldHeader.length, damage: 'refused', take }
    if (file === undefined) throw rowsDamaged(path, `it does not begin with "${beginning}"`)
    return { framing: rowFraming(options, file), from: bytes, damage: 'refused', take }
  })
  return { opened, isOld }
}

/** The file's name for itself; undefined for no whole header of this kind. */
function fileIn(header: Buffer, beginning: string): string | undefined {
  const [first, file, rest] = header.toString('latin1').split(/ (?=[0-9a-f]+\n)|(?<=\n)/u)
  return first === beginning && file?.length === FILE_LETTERS + 1 && rest === undefined ? file.trim() : undefined
}

async function begun<Row>(path: string, options: RowFileOptions<Row>): Promise<Loaded<Row>> {
  return { log: await newLog(path, options, []), rows: new Map(), lines: 1, cutBytes: 0, isOld: false }
}

/** In today's format. Where it cannot be written the old file goes on. */
async function renewed<Row>(loaded: Loaded<Row>, options: RowFileOptions<Row>): Promise<Loaded<Row>> {
  try {
    const log = await newLog(loaded.log.path, options, loaded.rows)
    loaded.log.close()
    return { ...loaded, log, lines: loaded.rows.size + 1, isOld: false }
  } catch {
    return loaded
  }
}

/** In the place of the old one, if there is one. */
async function newLog<Row>(
  path: string,
  options: RowFileOptions<Row>,
  rows: Iterable<readonly [string, Row]>,
): Promise<LogFile<RowEdit<Row>>> {
  const file = newFileName()
  const header = headerOf(options.kind, file)
  const entries = Array.from(rows, ([name, row]) => ({ name, row }))
  return await LogFile.create(path, {
    framing: rowFraming(options, file),
    entries,
    headerBytes: header.length,
    header: () => header,
  })
}

function apply<Row>({ name, row }: RowEdit<Row>, rows: Map<string, Row>): void {
  if (row === undefined) rows.delete(name)
  else rows.set(name, row)
}

const NEWLINE = 0x0a

type RowForm<Row> = Pick<RowFileOptions<Row>, 'read' | 'write'>

/** A line each. Without the file's name those of the first format: any whole line behind one that is none says that it was whole once. */
export function rowFraming<Row>({ read, write = same }: RowForm<Row>, file?: string): LogFraming<RowEdit<Row>> {
  const sums = file === undefined ? OLD_SUMS : new FrameSums(file)
  return {
    encode: (edit, isFirst) => Buffer.from(lineOf(jsonOf(edit, write), isFirst, sums)),
    decode: (bytes, at) => decodeLine(bytes, at, read, sums),
    next: (bytes, at) => Math.max(at, bytes.indexOf(NEWLINE, at)) + 1,
  }
}

type LineSums = Pick<FrameSums, 'of' | 'sealOf'>

const OLD_SUMS: LineSums = {
  of: (text) => crc32(text),
  sealOf: (text, sum) => (crc32(text) === sum ? true : undefined),
}

const same = (row: unknown): unknown => row

function jsonOf<Row>({ name, row }: RowEdit<Row>, write: (row: Row) => unknown): string {
  return JSON.stringify(row === undefined ? { drop: name } : { put: name, row: write(row) })
}

const lineOf = (json: string, isFirst: boolean, sums: LineSums): string =>
  `${sums.of(json, isFirst).toString(16).padStart(8, '0')} ${json}\n`

const SUMMED = /^(?<sum>[0-9a-f]{8}) (?<json>.*)$/su

function decodeLine<Row>(
  bytes: Buffer,
  at: number,
  read: RowFileOptions<Row>['read'],
  sums: LineSums,
): LogFrame<RowEdit<Row>> {
  const end = bytes.indexOf(NEWLINE, at)
  if (end < 0) return SHORT_FRAME
  const { sum = '', json = '' } = SUMMED.exec(bytes.toString('utf8', at, end))?.groups ?? {}
  const isSealed = sums.sealOf(json, Number.parseInt(sum, 16))
  const entry = isSealed === undefined ? undefined : editOf(parsed(json), read)
  if (isSealed === undefined || entry === undefined) return NO_FRAME_HERE
  return { kind: 'entry', entry, end: end + 1, isSealed }
}

/** Undefined for what is no edit of ours. */
function editOf<Row>(
  edit: Readonly<Record<string, unknown>>,
  read: RowFileOptions<Row>['read'],
): RowEdit<Row> | undefined {
  if (typeof edit['drop'] === 'string') return { name: edit['drop'], row: undefined }
  const row = read(edit['row'])
  return typeof edit['put'] === 'string' && row !== undefined ? { name: edit['put'], row } : undefined
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    // A checksum that fits by chance, or by hand: no row.
    return {}
  }
}
