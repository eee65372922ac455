/**
 * Client address: who is at the other end, for counting. Behind a proxy all connections are the proxy's own, so what a trusted
 * proxy says (X-Forwarded-For) counts; what anybody else says there does not. Of IPv6 the first 64 bits count: the rest is
 * the client's to choose.
 */
import { isIPv4, isIPv6 } from 'node:net'

/** `trusted`: addresses of proxies in front of us. */
export function clientAddress(
  remote: string | undefined,
  forwarded: string | undefined,
  trusted: readonly string[],
): string {
  const peer = plain(remote ?? '')
  if (!trusted.includes(peer) || forwarded === undefined) return network(peer)
  // The last entry is the proxy's own word; those before it are whatever the client sent.
  const last = plain(forwarded.slice(forwarded.lastIndexOf(',') + 1).trim())
  return network(isIPv4(last) || isIPv6(last) ? last : peer)
}

/** An IPv4 address is one, however it is written. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

function network(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const whole =
    tail === undefined ? first : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  const parts = whole.slice(0, 4).map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
  return `${parts.join(':')}::/64`
}
