/** Private addresses, as the protocol has them, with a crawl's own complaint about a setting that is none. */
import { mayVisit as mayConnect } from '@comity/protocol'
import type { AllowPrivate } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'

export { isPrivateAddress } from '@comity/protocol'
export type { AllowPrivate } from '@comity/protocol'

/** Whether a crawl with this setting may connect to the address. */
export function mayVisit(allowPrivate: AllowPrivate): (address: string) => boolean {
  try {
    return mayConnect(allowPrivate)
  } catch (error) {
    throw optionInvalid((error as Error).message)
  }
}
