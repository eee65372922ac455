/**
 * Client address: who is at the other end, for counting. Behind a proxy all connections are the proxy's own, so what a trusted
 * proxy says (X-Forwarded-For) counts; what anybody else says there does not. Of an address
 * counts what its holder cannot choose (`client-network.ts` of the protocol).
 */
import { isIP } from 'node:net'
import { clientNetwork } from '@comity/protocol'

/** `trusted`: addresses of proxies in front of us. */
export function clientAddress(
  remote: string | undefined,
  forwarded: string | undefined,
  trusted: readonly string[],
): string {
  const peer = (remote ?? '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (!trusted.includes(peer) || forwarded === undefined) return clientNetwork(peer)
  // The last entry is the proxy's own word; those before it are whatever the client sent.
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
  return clientNetwork(isIP(last) === 0 ? peer : last)
}
