/** GatewayPort: which pages a gateway may speak of; `repository` has the one with the operator's file (`proof/gateway-trust.ts` of receiver). */
export interface GatewayPort {
  mayName(gateway: string, url: string): boolean
}

/** Who sent an item of the inbox that came by a gateway. */
export const GATEWAY_ORIGIN = 'gateway:'
