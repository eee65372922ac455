/** Fuzz target: something that reads what a stranger sends, with good samples and what must hold for any bytes. */
export interface FuzzTarget {
  readonly name: string
  readonly samples: readonly (string | Uint8Array)[]
  /** Words that mean something here, besides those of the shared dictionary. */
  readonly words: readonly string[]
  /** Throws when a promise is broken. */
  readonly check: (bytes: Buffer) => void | Promise<void>
  /** What it holds open, when all is done. */
  readonly close?: () => Promise<void>
}

type ErrorClass = new (...given: never[]) => Error

/** What it gives; undefined where it refuses with the error that it says it does. Any other error is a find. */
export function unlessRefused<Value>(refusal: ErrorClass, read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof refusal) return undefined
    throw error
  }
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** As it comes over a line: in pieces, and soon over. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}
