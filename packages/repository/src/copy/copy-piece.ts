/** Copy piece: what a copy is put together of: text that is ready, and places for what may be held beside the page. */

export type CopyPiece = string | Wanted

/** A picture or a style sheet that belongs there. Where it is not held, nothing of it stays: no address, no attribute. */
export interface Wanted {
  readonly kind: 'picture' | 'sheet'
  /** The first that is held is taken. */
  readonly urls: readonly string[]
  readonly before: string
  readonly after: string
  /** What stands there where none is held; ready, like text. */
  readonly otherwise: string
}

/** Pieces in the making; text grows as one string. */
export class CopyPieces {
  readonly pieces: CopyPiece[] = []
  #text = ''

  write(text: string): void {
    this.#text += text
  }

  want(wanted: Wanted): void {
    this.#flush()
    this.pieces.push(wanted)
  }

  take(others: readonly CopyPiece[]): void {
    for (const piece of others) {
      if (typeof piece === 'string') this.write(piece)
      else this.want(piece)
    }
  }

  end(): readonly CopyPiece[] {
    this.#flush()
    return this.pieces
  }

  #flush(): void {
    if (this.#text !== '') this.pieces.push(this.#text)
    this.#text = ''
  }
}
