/** Errors of the frontier. Codes are stable; `docs/errors.md` lists them all. */
export type FrontierErrorCode = 'JOURNAL_UNREADABLE' | 'SCOPE_INVALID'

export class FrontierError extends Error {
  override readonly name: string = 'FrontierError'
  readonly code: FrontierErrorCode
  constructor(code: FrontierErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
