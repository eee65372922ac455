/** Errors of the receiver: what happened, to what, what to do. What a request does wrong is a `Problem` instead. */
type ReceiverErrorCode = 'GATEWAYS_INVALID' | 'PROGRAMS_INVALID'

export class ReceiverError extends Error {
  override readonly name: string = 'ReceiverError'
  readonly code: ReceiverErrorCode
  constructor(code: ReceiverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const gatewaysInvalid = (path: string, what: string, cause?: unknown): ReceiverError =>
  new ReceiverError(
    'GATEWAYS_INVALID',
    `${path} does not say which gateways to hear: ${what}. Write { "gateways": [ { "name": "north", "key": { … }, ` +
      `"hosts": ["*.uni.example"] } ] } (docs/receive.md).`,
    { cause },
  )

export const programsInvalid = (path: string, what: string): ReceiverError =>
  new ReceiverError(
    'PROGRAMS_INVALID',
    `${path} does not say which programs gateways are to run: ${what}. Write { "programs": [ { "name": "rules", ` +
      `"versions": [ { "bundle": "rules-1.0.0.agent" } ] } ] } (docs/gateway.md).`,
  )
