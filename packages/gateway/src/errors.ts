/** Errors of the gateway: what happened, to what, what to do. Codes are stable; `docs/errors.md` lists them all. */
import { messageOf } from '@comity/protocol'
export type GatewayErrorCode = 'GATEWAY_STATE'

export class GatewayError extends Error {
  override readonly name: string = 'GatewayError'
  readonly code: GatewayErrorCode
  constructor(code: GatewayErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const stateUnusable = (path: string, cause: unknown): GatewayError =>
  new GatewayError(
    'GATEWAY_STATE',
    `${path} cannot be written: ${messageOf(cause)}. Mend the folder's permissions or the full disk, or name another ` +
      'folder with --state.',
    { cause },
  )

export const notOurs = (path: string): GatewayError =>
  new GatewayError(
    'GATEWAY_STATE',
    `${path} is no table of pages that this version can read: use the version of comity that wrote it, or move it away. ` +
      'Without it each page is shipped once more.',
  )
