/** Errors of the lab: what happened, to what, what to do. Codes are stable; `docs/errors.md` lists them all. */
export type LabErrorCode = 'WEB_UNREADABLE' | 'UNPACKER_MISSING' | 'EXPERIMENT_INVALID'

export class LabError extends Error {
  override readonly name: string = 'LabError'
  readonly code: LabErrorCode
  constructor(code: LabErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** `where` is a path, or a path and a line; `what` is a whole sentence. */
export const webUnreadable = (where: string, what: string, cause?: unknown): LabError =>
  new LabError('WEB_UNREADABLE', `${where}: ${what}`, { cause })

export const unpackerMissing = (path: string, program: string, cause?: unknown): LabError =>
  new LabError(
    'UNPACKER_MISSING',
    `${path} is packed with ${program}, and there is no program \`${program}\` here to unpack it. Install it ` +
      `(Debian and Ubuntu: apt install xz-utils; macOS: brew install xz), or unpack the file yourself and name that.`,
    { cause },
  )
