/**
 * RunReader: the postings of a run one by one, from the documents frame of its chunk; `format/mixed-list-writer.ts` has the
 * layout. For those who read all of a run in order; a cursor decodes whole blocks.
 */
import { GROUP } from '../format/mixed-list-writer.ts'
import type { PositionDecoder } from '../format/position-codec.ts'

/** The runs before one that share its bits of positions: where the first of them begins, and the postings of each. */
export interface Lead {
  readonly gapAt: number
  readonly countAt: number
  readonly runs: readonly number[]
}

export class RunReader {
  doc = -1
  count = 0
  zones = 0
  #bytes: Uint8Array = new Uint8Array(0)
  #gapAt = 0
  #countAt = 0

  open(documents: Uint8Array, gapAt: number, countAt: number): void {
    this.#bytes = documents
    this.#gapAt = gapAt
    this.#countAt = countAt
    this.doc = -1
  }

  /** The run is read; the next one follows it. */
  nextRun(): void {
    this.doc = -1
  }

  next(): void {
    const bytes = this.#bytes
    let byte = bytes[this.#gapAt++] as number
    let gap = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) gap |= ((byte = bytes[this.#gapAt++] as number) & 0x7f) << shift
    this.doc += gap + 1
    byte = bytes[this.#countAt++] as number
    let code = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) code |= ((byte = bytes[this.#countAt++] as number) & 0x7f) << shift
    this.count = (code >>> 1) + 1
    this.zones = (code & 1) === 0 ? 0 : (bytes[this.#countAt++] as number)
  }
}

/** Bring a decoder that was opened where a lead begins to its end. */
export function passLead(decoder: PositionDecoder, lead: Lead, documents: Uint8Array, lengths: Uint8Array): void {
  const reader = new RunReader()
  const passed = new Uint32Array(GROUP)
  reader.open(documents, lead.gapAt, lead.countAt)
  for (const postings of lead.runs) {
    decoder.startBlock()
    for (let left = postings; left > 0; left--) {
      reader.next()
      decoder.read(lengths[reader.doc] as number, reader.count, reader.zones, passed)
    }
    reader.nextRun()
  }
}
