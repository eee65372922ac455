/**
 * Private addresses: those that no public web page lives at, and which of them may be connected to all the same. Whoever
 * follows an address that a stranger named (a crawler its links, a hub its callbacks) asks here first.
 */
import { BlockList, isIP } from 'node:net'
import { parseNetwork } from './network.ts'

/** All private addresses, none, or those listed: single ones (`10.1.2.3`, `::1`) and networks (`10.1.0.0/16`). */
export type AllowPrivate = boolean | readonly string[]

/** The ranges of the IANA special-purpose registries (RFC 6890 and its updates), multicast, and what is unassigned. */
// oxfmt-ignore
const RESERVED: readonly string[] = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/4', '240.0.0.0/4',
  // Those that carry an IPv4 address inside (mapped, NAT64, 6to4, Teredo) are refused whole: no site is only there.
  '::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/23', '2002::/16',
  '100::/64', '2001:db8::/32', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8',
]

/** Whether an address belongs to a private network or to no network at all. What is no address is not public either. */
export function isPrivateAddress(address: string): boolean {
  // A zone names a link of this machine's (RFC 4007 §11): no public address needs one.
  return isIP(address) === 0 || address.includes('%') || isReserved(address)
}

/** Whether the address may be connected to under this setting. Throws a RangeError for what is no network. */
export function mayVisit(allowPrivate: AllowPrivate): (address: string) => boolean {
  if (typeof allowPrivate === 'boolean') return (address) => allowPrivate || !isPrivateAddress(address)
  const isAllowed = within(listOf(allowPrivate))
  return (address) => !isPrivateAddress(address) || isAllowed(address)
}

/**
 * One list a family: a single BlockList looks an IPv4 address up among the IPv6 rules too, as ::ffff:a.b.c.d, so the
 * rule against mapped addresses would refuse the whole Web.
 */
function within(networks: readonly string[]): (address: string) => boolean {
  const [v4, v6] = [new BlockList(), new BlockList()]
  for (const network of networks) {
    const parsed = parseNetwork(network)
    if (parsed === undefined) throw noNetwork(`not "${network}"`)
    const { address, prefix, family } = parsed
    ;(family === 'ipv4' ? v4 : v6).addSubnet(address, prefix, family)
  }
  return (address) => {
    const family = isIP(address)
    return family !== 0 && (family === 4 ? v4.check(address, 'ipv4') : v6.check(address, 'ipv6'))
  }
}

/** A text would be taken letter by letter. */
function listOf(networks: readonly string[]): readonly string[] {
  if (Array.isArray(networks)) return networks
  throw noNetwork('in a list')
}

const noNetwork = (what: string): RangeError =>
  new RangeError(`allowPrivate takes addresses and networks such as 10.1.2.3, 10.1.0.0/16 or fd00::/8, ${what}.`)

const isReserved = within(RESERVED)
