/** Errors of the repository: what happened, to what, what to do. What a request does wrong is a `Problem` instead. */
export type RepositoryErrorCode = 'TOKEN_INVALID' | 'GATEWAYS_INVALID' | 'PROGRAMS_INVALID'

export class RepositoryError extends Error {
  override readonly name: string = 'RepositoryError'
  readonly code: RepositoryErrorCode
  constructor(code: RepositoryErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const gatewaysInvalid = (path: string, what: string, cause?: unknown): RepositoryError =>
  new RepositoryError(
    'GATEWAYS_INVALID',
    `${path} does not say which gateways to hear: ${what}. Write { "gateways": [ { "name": "north", "key": { … }, ` +
      `"hosts": ["*.uni.example"] } ] } (docs/receive.md).`,
    { cause },
  )

export const programsInvalid = (path: string, what: string): RepositoryError =>
  new RepositoryError(
    'PROGRAMS_INVALID',
    `${path} does not say which programs gateways are to run: ${what}. Write { "programs": [ { "name": "rules", ` +
      `"versions": [ { "bundle": "rules-1.0.0.agent" } ] } ] } (docs/gateway.md).`,
  )

export const tokenInvalid = (what: string): RepositoryError => new RepositoryError('TOKEN_INVALID', what)
