/** GatewayOutcome: what came of one row of a gateway's batch, by name and in words. */

export type GatewayOutcome =
  | 'taken'
  | 'confirmed'
  | 'late'
  | 'gone'
  | 'visited'
  | 'missing'
  | 'foreign'
  | 'outside'
  | 'forgotten'
  | 'unreadable'
  | 'fault'

/** In the order in which they are told. */
export const GATEWAY_OUTCOMES: readonly (readonly [name: GatewayOutcome, words: string])[] = [
  ['taken', 'a page that was new or another one: taken without a request'],
  ['confirmed', 'seen again as it is held: known to be fresh without a request'],
  ['late', 'it passed before what is held'],
  ['gone', 'the page is gone'],
  ['visited', 'it is being visited, or is visited instead: what was seen again is not what is held'],
  ['missing', 'seen again, but what it was never came, and it is not to be visited'],
  ['foreign', 'of a host that the gateway may not speak of'],
  ['outside', 'a page that we may not or need not hold'],
  ['forgotten', 'of a page or a site that was forgotten'],
  ['unreadable', 'it could not be read'],
  ['fault', 'a fault of ours: it is kept aside as a dead letter'],
]
