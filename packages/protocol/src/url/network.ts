/**
 * Network: a range of addresses by its first bits (RFC 4632 §3.1, RFC 4291 §2.3), as people write it, and what is said of the
 * addresses in it: of several networks that hold one address the narrowest counts.
 */
import { BlockList, isIP } from 'node:net'

interface Network {
  readonly address: string
  /** Bits that all its addresses begin with. */
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/** `10.1.2.3`, `10.1.0.0/16`, `fd00::/8`; undefined for what is no network. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const most = family === 'ipv6' ? 128 : 32
  const prefix = bits === undefined ? most : /^(?:0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : -1
  const isAddress = isIP(address) !== 0 && !address.includes('%')
  if (!isAddress || prefix < 0 || prefix > most || rest.length > 0) return undefined
  return { address, prefix, family }
}

/** What is said of the narrowest network that holds an address; undefined when none does. Networks that are none are passed over. */
export function networkTable<Value>(
  rows: readonly { readonly network: string; readonly value: Value }[],
): (address: string) => Value | undefined {
  const tests = rows
    .flatMap(({ network, value }) => {
      const parsed = parseNetwork(network)
      if (parsed === undefined) return []
      const list = new BlockList()
      list.addSubnet(parsed.address, parsed.prefix, parsed.family)
      return [{ ...parsed, list, value }]
    })
    .toSorted((a, b) => b.prefix - a.prefix)
  return (address) => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) return undefined
    return tests.find((one) => one.family === family && one.list.check(address, family))?.value
  }
}
