/** Site document: one file that a site publishes of itself, made when somebody wants it. */
import type { Instant } from '@comity/protocol'
import type { SiteScheme } from '../site-options.ts'

export interface SiteDocument {
  readonly path: string
  readonly scheme: SiteScheme
  /** Media type, with its parameters. */
  readonly type: string
  /** Names the bytes within this process: the same path and version are the same bytes. */
  readonly version: string
  readonly modifiedAt: Instant
  /** Pages it speaks of. */
  readonly pages: number
  /** What those pages are as whole bodies, where the document holds them. */
  readonly pageBytes?: number | undefined
  /** Packed already: no content coding would gain. */
  readonly isPacked?: boolean | undefined
  /** What stands under this path never changes. */
  readonly isFinal?: boolean | undefined
  make(): Content | Promise<Content>
}

export type Content = Uint8Array | LargeContent

/** Too large to be held: pieces that are made one by one. */
export interface LargeContent {
  /** Hexadecimal digits that no other content has. */
  readonly name: string
  readonly bytes: number
  readonly pieces: readonly Piece[]
}

export interface Piece {
  readonly bytes: number
  load(): Uint8Array | Promise<Uint8Array>
}

/** Documents of one kind, out of the journal as it is at the moment. */
export interface DocumentSource {
  /** All there are, for whoever writes them to disk; nothing is made yet. */
  documents(): Iterable<SiteDocument>
  find(path: string): SiteDocument | undefined
}

/** The bytes from `start` on, up to `end`. */
export async function* readContent(content: Content, start: number, end: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const one of piecesOf(content)) {
    const { bytes } = one
    const [from, to] = [Math.max(start - at, 0), Math.min(end - at, bytes)]
    at += bytes
    if (from >= to) continue
    const piece = await one.load()
    // What was announced is what is sent: a piece of another length would put all behind it in the wrong place.
    if (piece.length !== bytes) throw new Error(`a piece of ${bytes} bytes was made anew with ${piece.length}`)
    yield piece.subarray(from, to)
  }
}

const piecesOf = (content: Content): readonly Piece[] =>
  content instanceof Uint8Array ? [{ bytes: content.length, load: () => content }] : content.pieces
