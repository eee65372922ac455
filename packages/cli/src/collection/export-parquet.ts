/**
 * Export as Parquet: the same fields as a table of columns, for notebooks and databases. Rows are written in groups, so memory is
 * bounded however many pages there are; the file appears under its name only when it is whole.
 */
import { ownValue } from '@comity/protocol'
import { rename, rm } from 'node:fs/promises'
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { ColumnSource } from 'hyparquet-writer'
import { FIELDS, TEXT_FIELD } from './export-rows.ts'
import { versionLine } from '../version.ts'

/** A group ends at whichever comes first. */
const ROWS_A_GROUP = 8_192
const CHARS_A_GROUP = 32_000_000

const TYPES = { text: 'STRING', count: 'INT64', time: 'TIMESTAMP' } as const

type Cell = string | bigint | Date | null

/** One visited page by the names of its fields. */
export type ExportRecord = Readonly<Record<string, string | number | null | undefined>>

/** Takes pages one by one. Nothing stands under the file's name before `finish`. */
export class ParquetFile implements AsyncDisposable {
  readonly #path: string
  readonly #file: ReturnType<typeof fileWriter>
  readonly #writer: ParquetWriter
  readonly #kinds: readonly (readonly [name: string, kind: keyof typeof TYPES])[]
  #cells: Cell[][]
  #chars = 0
  #isWhole = false
  rows = 0

  constructor(path: string, withText: boolean) {
    this.#path = path
    const named = Object.entries(FIELDS).map(([name, { kind }]) => [name, kind] as const)
    this.#kinds = withText ? [...named, ['text', TEXT_FIELD.kind]] : named
    this.#cells = this.#kinds.map(() => [])
    this.#file = fileWriter(`${path}.part`)
    const schema = schemaFromColumnData({ columnData: this.#columns() })
    this.#writer = new ParquetWriter({ writer: this.#file, schema, createdBy: versionLine() })
  }

  get bytes(): number {
    return this.#file.offset
  }

  async add(record: ExportRecord): Promise<void> {
    for (const [i, [name, kind]] of this.#kinds.entries()) {
      const cell = cellOf(kind, ownValue(record, name))
      this.#cells[i]!.push(cell)
      if (typeof cell === 'string') this.#chars += cell.length
    }
    this.rows++
    if (this.#cells[0]!.length >= ROWS_A_GROUP || this.#chars >= CHARS_A_GROUP) await this.#flush()
  }

  async finish(): Promise<void> {
    if (this.#cells[0]!.length > 0) await this.#flush()
    await this.#writer.finish()
    await rename(`${this.#path}.part`, this.#path)
    this.#isWhole = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isWhole) await rm(`${this.#path}.part`, { force: true })
  }

  async #flush(): Promise<void> {
    await this.#writer.write({ columnData: this.#columns(), rowGroupSize: ROWS_A_GROUP })
    this.#cells = this.#kinds.map(() => [])
    this.#chars = 0
  }

  #columns(): ColumnSource[] {
    return this.#kinds.map(([name, kind], i) => ({ name, data: this.#cells[i]!, type: TYPES[kind], nullable: true }))
  }
}

function cellOf(kind: keyof typeof TYPES, cell: string | number | null | undefined): Cell {
  if (cell === undefined || cell === null) return null
  if (kind === 'time') return new Date(cell)
  return kind === 'count' ? BigInt(cell) : String(cell)
}
