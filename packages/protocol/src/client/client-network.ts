/**
 * Client network: the part of an address that is not its holder's to choose, for counting who asks. Of IPv6 these are the first 64
 * bits (RFC 4291 §2.5.1): whoever has one address there has as many as they like. An IPv4 address is one, however it is written.
 */
import { isIPv6 } from 'node:net'
import { plainAddress } from './forwarded-client.ts'

export function clientNetwork(written: string): string {
  const address = plainAddress(written) ?? written
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const whole =
    tail === undefined ? first : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  const parts = whole.slice(0, 4).map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
  return `${parts.join(':')}::/64`
}
