/** Errors of the control line: what a crawl answers to requests it cannot do, and what happens to the line itself. */
export type ControlErrorCode = 'CONTROL_INVALID' | 'CONTROL_BUSY' | 'CONTROL_LOST' | 'CRAWL_ENDING' | 'SEED_REFUSED'

export class ControlError extends Error {
  override readonly name: string = 'ControlError'
  /** One of `ControlErrorCode`, or that of the error the crawl itself met: `SEED_INVALID`, `DISK_FULL` … */
  readonly code: string
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const controlError = (code: ControlErrorCode, message: string, cause?: unknown): ControlError =>
  new ControlError(code, message, cause === undefined ? {} : { cause })

export const controlInvalid = (message: string): ControlError => controlError('CONTROL_INVALID', message)

export const controlBusy = (connections: number): ControlError =>
  controlError(
    'CONTROL_BUSY',
    `The crawl is talking to ${connections} others already. Close one of them, or try again.`,
  )

export const controlLost = (what: string, cause?: unknown): ControlError =>
  controlError('CONTROL_LOST', `${what} Whether a crawl still runs there, connecting again will tell.`, cause)

export const crawlEnding = (): ControlError =>
  controlError('CRAWL_ENDING', 'The crawl is ending, so nothing was changed. Start it again and ask then.')

export const seedRefused = (url: string): ControlError =>
  controlError(
    'SEED_REFUSED',
    `${url} is on a host that is not to be crawled: it is on the do-not-crawl list, or its site was forgotten.`,
  )
