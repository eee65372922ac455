/** What can go wrong with an index, and what to do about it. */

export type IndexErrorCode = 'SEGMENT_DAMAGED' | 'SEGMENT_UNKNOWN' | 'INDEX_DAMAGED'

export class IndexError extends Error {
  override readonly name: string = 'IndexError'
  readonly code: IndexErrorCode

  constructor(code: IndexErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const segmentDamaged = (path: string, what: string, cause?: unknown): IndexError =>
  new IndexError(
    'SEGMENT_DAMAGED',
    `${path}: ${what}. Its pages are left out of answers, the rest still answers. To get them back, make the index ` +
      `anew from the collection: comity index DIR --anew.`,
    { cause },
  )

export const segmentUnknown = (path: string, version: number, known: number): IndexError =>
  new IndexError(
    'SEGMENT_UNKNOWN',
    `${path} has format ${version}; this version of Comity reads up to ${known}. Use a newer one, or make the index ` +
      `anew from the collection: comity index DIR --anew.`,
  )

export const indexDamaged = (path: string, what: string, cause?: unknown): IndexError =>
  new IndexError(
    'INDEX_DAMAGED',
    `${path}: ${what}. Make the index anew from the collection: comity index DIR --anew.`,
    { cause },
  )
