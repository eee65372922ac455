/**
 * Client address: who is at the other end, for counting. Behind a proxy all connections are the proxy's own, so what a trusted
 * proxy says (X-Forwarded-For) counts; what anybody else says there does not (`client/forwarded-client.ts` of the protocol). Of an address
 * counts what its holder cannot choose (`client/client-network.ts` there).
 */
import { clientNetwork, forwardedClient } from '@comity/protocol'
import type { Proxies } from '@comity/protocol'

/** `trusted`: proxies in front of us. */
export function clientAddress(remote: string | undefined, forwarded: string | undefined, trusted: Proxies): string {
  return clientNetwork(forwardedClient(remote, forwarded, trusted))
}
