/**
 * Forwarded client: who is at the other end of a connection, where proxies of ours stand in between. Each of them adds whom it
 * heard to the end of X-Forwarded-For; what stands before the first that is no proxy of ours, anybody may have written.
 *
 *   X-Forwarded-For: 6.6.6.6, 203.0.113.1, 10.0.0.2      from 10.0.0.1; ours are 10.0.0.1 and 10.0.0.2
 *                             the client
 */
import { isIP } from 'node:net'

/** Addresses of proxies of ours, as `plainAddress` writes them. */
export type Proxies = ReadonlySet<string>

export function proxySet(addresses: readonly string[] = []): Proxies {
  return new Set(addresses.map((address) => plainAddress(address)).filter((address) => address !== undefined))
}

/** An address in the one way to write it: an IPv4 address that is mapped into IPv6 is itself, and a zone is left out. */
export function plainAddress(written: string): string | undefined {
  const family = isIP(written)
  if (family !== 6) return family === 4 ? written : undefined
  const plain = URL.parse(`http://[${written.split('%', 1)[0]!}]/`)?.hostname.slice(1, -1)
  const mapped = plain === undefined ? null : MAPPED.exec(plain)
  if (mapped === null) return plain
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** As the parser writes it. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/

/** Who asks; the address of the connection where none of our proxies says otherwise. Empty when nobody is there any more. */
export function forwardedClient(remote: string | undefined, forwarded: string | undefined, proxies: Proxies): string {
  const peer = plainAddress(remote ?? '') ?? remote ?? ''
  if (forwarded === undefined || !proxies.has(peer)) return peer
  return clientIn(forwarded, proxies) ?? peer
}

/** Whom X-Forwarded-For names, as a proxy of ours sent it; undefined when the proxy's own word is no address. */
export function clientIn(forwarded: string, proxies: Proxies): string | undefined {
  let nearest: string | undefined
  for (let end = forwarded.length; end >= 0;) {
    const start = forwarded.lastIndexOf(',', end - 1) + 1
    const address = entryAddress(forwarded.slice(start, end).trim())
    // Whoever wrote this is known, and not whom it heard.
    if (address === undefined) return nearest
    if (!proxies.has(address)) return address
    nearest = address
    end = start - 1
  }
  return nearest
}

/** Some proxies write the port as well, and then IPv6 in brackets. */
function entryAddress(entry: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(entry) ?? []
  return plainAddress(bracketed ?? dotted ?? entry)
}

const WITH_PORT = /^(?:\[([\da-f:.]{2,45})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/i
