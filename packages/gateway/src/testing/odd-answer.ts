/**
 * Odd answer: bytes that a server could send as its answer to a GET, and that readers could take for several things. The tables
 * of them are put to a real Chromium, and to ours.
 */

export interface OddAnswer {
  /** What is odd in it. */
  readonly group: string
  readonly sentence: string
  readonly bytes: Buffer
  readonly how: ReadonlySet<How>
}

/**
 * `alone`: Chromium gives up all that it was asked for with it. `early`: sent before it was asked for. `reset`: the connection is reset behind it, and not ended. `port`: at another port than 80.
 * `br`: asked for by somebody who takes br and zstd too, which Chromium does over https and of its own machine.
 */
export type How = 'alone' | 'early' | 'reset' | 'port' | 'br'

/** What is answered, where nothing else is said. */
export const PAGE = 'a page of forty letters and not one more'

export const page = (text: string): Buffer => Buffer.from(text, 'latin1')

type Row = readonly [sentence: string, bytes: string | Buffer, ...how: How[]]

export const oddAnswers = (group: string, rows: readonly Row[]): readonly OddAnswer[] =>
  rows.map(([sentence, bytes, ...how]) => ({
    group,
    sentence,
    bytes: typeof bytes === 'string' ? page(bytes) : bytes,
    how: new Set(how),
  }))
