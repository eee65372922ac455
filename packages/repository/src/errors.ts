/** Errors of the repository: what happened, to what, what to do. What a request does wrong is a `Problem` instead. */
export type RepositoryErrorCode = 'TOKEN_INVALID'

export class RepositoryError extends Error {
  override readonly name: string = 'RepositoryError'
  readonly code: RepositoryErrorCode
  constructor(code: RepositoryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const tokenInvalid = (what: string): RepositoryError => new RepositoryError('TOKEN_INVALID', what)
