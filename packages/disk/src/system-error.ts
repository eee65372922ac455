/** The `code` of a system error, or of LMDB's, where it is a number. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
