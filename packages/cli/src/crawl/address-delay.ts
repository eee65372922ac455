/** `--address-delay`: a time for all addresses, or times for networks, several with commas between them. */
import { parseNetwork } from '@comity/protocol'
import type { AddressDelay } from '@comity/crawler'
import { parseDuration } from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

export const parseAddressDelays = (text: string): readonly AddressDelay[] => text.split(',').map(parseOne)

function parseOne(text: string): AddressDelay {
  const at = text.lastIndexOf('=')
  if (at === -1) return { delayMs: parseDuration(text.trim()) }
  const network = text.slice(0, at).trim()
  if (parseNetwork(network) === undefined)
    throw new BadValue(`has "${network}", which is no network: write 104.16.0.0/13=500ms or 2606:4700::/32=500ms`)
  return { network, delayMs: parseDuration(text.slice(at + 1).trim()) }
}
