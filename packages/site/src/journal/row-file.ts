/**
 * Row file: a few thousand small rows by name, in one file that survives kill -9 and power cuts. What holds secrets is for
 * its owner's eyes only (mode 0600).
 *
 *   comity rows 1 KIND                                what this is
 *   8c736521 {"put":"name","row":{…}}                 a checksum over the rest of its line, and what became of a row
 *   d3d99e8b {"drop":"name"}
 *
 * Changes are appended, one sync for all that came while the last was under way; a row is seen by others once it is durable.
 * When most lines are history, the rows that are left are written anew and the new file takes the old one's place.
 */
import { chmod, open, readFile, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { codeOf } from '@comity/disk'
import { rowsClosed, rowsDamaged, rowsUnwritable } from '../errors.ts'

export interface RowFileOptions<Row> {
  /** Stands in the first line: one word. */
  readonly kind: string
  /** A row out of JSON; undefined when it is none. */
  readonly read: (json: unknown) => Row | undefined
}

interface Edit<Row> {
  readonly name: string
  /** Undefined: dropped. */
  readonly row: Row | undefined
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface Loaded<Row> {
  readonly rows: Map<string, Row>
  readonly lines: number
  /** Where the last whole line ends. */
  readonly bytes: number
  readonly cutBytes: number
}

/** Written anew when there are twice as many lines as rows, and so many more. */
const SPARE_LINES = 1_000

export class RowFile<Row> implements AsyncDisposable {
  readonly path: string
  /** What a crash had left half-written, cut off when the file was opened. */
  readonly cutBytes: number
  readonly #options: RowFileOptions<Row>
  readonly #rows: Map<string, Row>
  #handle: FileHandle
  #bytes: number
  #lines: number
  #waiting: Edit<Row>[] = []
  #tail: Promise<void> = Promise.resolve()
  #state: 'open' | 'broken' | 'closed' = 'open'

  private constructor(path: string, options: RowFileOptions<Row>, handle: FileHandle, loaded: Loaded<Row>) {
    this.path = path
    this.#options = options
    this.#handle = handle
    this.#rows = loaded.rows
    this.#bytes = loaded.bytes
    this.#lines = loaded.lines
    this.cutBytes = loaded.cutBytes
  }

  /** Opens the file, or makes it. Throws by name when it is damaged or of another kind. One process at a time. */
  static async open<Row>(path: string, options: RowFileOptions<Row>): Promise<RowFile<Row>> {
    try {
      const text = await readFile(path).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) {
        const { handle, bytes } = await written(path, options, [])
        return new RowFile(path, options, handle, { rows: new Map<string, Row>(), lines: 1, bytes, cutBytes: 0 })
      }
      const loaded = load(path, text, options)
      await chmod(path, 0o600)
      const handle = await open(path, 'r+')
      if (loaded.cutBytes > 0) await handle.truncate(loaded.bytes)
      return new RowFile(path, options, handle, loaded)
    } catch (error) {
      throw error instanceof Error && error.name === 'SiteError' ? error : rowsUnwritable(path, error)
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
    if (this.#state === 'closed') return
    await this.#tail
    this.#state = 'closed'
    await this.#handle.close()
  }

  async #edit(name: string, row: Row | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ name, row, resolve, reject })
    this.#tail = this.#tail.then(async () => await this.#flush())
    await promise
  }

  async #flush(): Promise<void> {
    const edits = this.#waiting.splice(0)
    if (edits.length === 0) return
    try {
      await this.#append(edits)
      for (const { name, row, resolve } of edits) {
        if (row === undefined) this.#rows.delete(name)
        else this.#rows.set(name, row)
        resolve()
      }
      if (this.#lines > 2 * this.#rows.size + SPARE_LINES) await this.#renew()
    } catch (error) {
      for (const { reject } of edits) reject(error)
    }
  }

  async #append(edits: readonly Edit<Row>[]): Promise<void> {
    if (this.#state === 'closed') throw rowsClosed(this.path)
    if (this.#state === 'broken') throw rowsUnwritable(this.path, 'an earlier write failed')
    const bytes = Buffer.from(edits.map(lineOf).join(''))
    try {
      for (let done = 0; done < bytes.length;)
        done += (await this.#handle.write(bytes, done, bytes.length - done, this.#bytes + done)).bytesWritten
    } catch (error) {
      // Half a line may be there. If it cannot be taken back, the next start cuts it off.
      await this.#handle.truncate(this.#bytes).catch(() => (this.#state = 'broken'))
      throw rowsUnwritable(this.path, error)
    }
    try {
      await this.#handle.datasync()
    } catch (error) {
      // Nobody knows what the disk holds now.
      this.#state = 'broken'
      throw rowsUnwritable(this.path, error)
    }
    this.#bytes += bytes.length
    this.#lines += edits.length
  }

  /** A failure costs nothing: the old file goes on. */
  async #renew(): Promise<void> {
    try {
      const { handle, bytes } = await written(this.path, this.#options, this.#rows)
      await this.#handle.close().catch(() => undefined)
      this.#handle = handle
      this.#bytes = bytes
      this.#lines = this.#rows.size + 1
    } catch {
      // Tried again when as many lines have come as now.
      this.#lines = 0
    }
  }
}

const headerOf = (kind: string): string => `comity rows 1 ${kind}\n`

function lineOf<Row>({ name, row }: Pick<Edit<Row>, 'name' | 'row'>): string {
  const json = JSON.stringify(row === undefined ? { drop: name } : { put: name, row })
  return `${checksum(json)} ${json}\n`
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** A new file in the place of the old one: after a crash one of them is there, whole. */
async function written<Row>(
  path: string,
  { kind }: RowFileOptions<Row>,
  rows: Iterable<readonly [string, Row]>,
): Promise<{ readonly handle: FileHandle; readonly bytes: number }> {
  const draft = `${path}.new`
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx+', 0o600)
  try {
    const lines = [...rows].map(([name, row]) => lineOf({ name, row }))
    const bytes = Buffer.from(`${headerOf(kind)}${lines.join('')}`)
    await handle.writeFile(bytes)
    await handle.sync()
    await rename(draft, path)
    await syncFolder(dirname(path))
    return { handle, bytes: bytes.length }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** A crash leaves damage at the end only; damage before a good line is something else, and is not written over. */
function load<Row>(path: string, text: Buffer, options: RowFileOptions<Row>): Loaded<Row> {
  const header = headerOf(options.kind)
  if (text.subarray(0, header.length).toString('latin1') !== header)
    throw rowsDamaged(path, `it does not begin with "${header.trim()}"`)
  const rows = new Map<string, Row>()
  let [bytes, lines, bad] = [header.length, 1, -1]
  for (let at = header.length; at < text.length;) {
    const end = text.indexOf(0x0a, at)
    const line = end < 0 ? undefined : applied(text.subarray(at, end).toString('utf8'), rows, options)
    if (line === undefined) {
      if (bad < 0) bad = at
    } else if (bad < 0) {
      lines++
      bytes = end + 1
    } else throw rowsDamaged(path, `there is no row at byte ${bad}`)
    at = end < 0 ? text.length : end + 1
  }
  return { rows, lines, bytes, cutBytes: text.length - bytes }
}

/** Undefined for what is no line of ours. */
function applied<Row>(line: string, rows: Map<string, Row>, { read }: RowFileOptions<Row>): true | undefined {
  const json = line.slice(9)
  if (line.slice(0, 9) !== `${checksum(json)} `) return undefined
  const edit = parsed(json)
  if (typeof edit['drop'] === 'string') rows.delete(edit['drop'])
  else {
    const row = read(edit['row'])
    if (typeof edit['put'] !== 'string' || row === undefined) return undefined
    rows.set(edit['put'], row)
  }
  return true
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(json) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    // A checksum that fits by chance, or by hand: no row.
    return {}
  }
}
