/**
 * Address delays: the rest between two connections to an address, where it is another than the sites' own: an address of a CDN serves
 * many sites, and at 15 s it gives 5,760 pages a day, however many machines crawl. Of several networks that hold an address the
 * narrowest counts. One connection at a time to an address stays.
 */
import { networkTable, parseNetwork } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'

export interface AddressDelay {
  /** `192.0.2.0/24`, `2001:db8::/32` or one address; all addresses when not given. */
  readonly network?: string | undefined
  readonly delayMs: number
}

type DelayOf = (address: string) => number | undefined

/** Made once for each list: it is asked at every visit. */
const made = new WeakMap<readonly AddressDelay[], DelayOf>()

/** The delay named for an address; undefined when none is. */
export function addressDelayOf(delays: readonly AddressDelay[], address: string): number | undefined {
  if (delays.length === 0) return undefined
  let delayOf = made.get(delays)
  if (delayOf === undefined) made.set(delays, (delayOf = delayTable(delays)))
  return delayOf(address)
}

/** The last that is said of all addresses counts, as with any setting. */
function delayTable(delays: readonly AddressDelay[]): DelayOf {
  const everywhere = delays.findLast(({ network }) => network === undefined)?.delayMs
  const rows = delays.flatMap(({ network, delayMs }) => (network === undefined ? [] : [{ network, value: delayMs }]))
  const within = networkTable(rows.toReversed())
  return (address) => within(address) ?? everywhere
}

/** Complains about what cannot be meant. */
export function requireAddressDelay({ network, delayMs }: AddressDelay): void {
  if (network !== undefined && parseNetwork(network) === undefined)
    throw optionInvalid(`addressDelays takes networks such as 192.0.2.0/24 or 2001:db8::/32, not "${network}".`)
  if (!(delayMs >= 0)) throw optionInvalid(`addressDelays: the delay must be 0 or more, not ${delayMs}.`)
}
