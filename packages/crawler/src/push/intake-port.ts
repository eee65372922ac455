/**
 * IntakePort: what a run that keeps a collection fresh needs of whoever listens for sites that push: the inbox, the store of
 * subscriptions, and somebody to tell what each site is worth. `repository` has the one with endpoints on the Internet.
 */
import type { Appended, InboxItem, NewInboxItem, Subscription, SubscriptionWish } from '@comity/collection'
import type { HeaderList } from '@comity/protocol'
import type { IntakeFigures } from '@comity/follow'
import type { AgentPort } from './agent-port.ts'
import type { GatewayPort } from '@comity/ingest'

/** What the run does for its receiver. */
export interface IntakeWorld {
  /** The last item whose consequences are durable. */
  readonly after: number
  /** Ask a site for a proof, politely: it waits for the site's turn. */
  readonly fetchFrom: (origin: string, path: string) => Promise<FetchedProof>
  /** Something waits in the inbox. */
  readonly ring: () => void
  /** Nobody is heard any more, for a fault of ours: that ends the run. */
  readonly failed: (error: Error) => void
}

export type FetchedProof =
  | { readonly status: number; readonly headers: HeaderList; readonly body: Uint8Array }
  | { readonly problem: string }

/** What was sent, kept until it is dealt with. */
export interface IntakeInbox {
  /** Number of the last item that was kept, as far as it is known. */
  readonly last: number
  /** Items behind a number, in order, with their bodies. */
  read(after: number, limit: number): Promise<readonly InboxItem[]>
  /** All up to this number are done with. */
  acknowledged(upTo: number): Promise<void>
  append(item: NewInboxItem): Promise<Appended>
}

/** Who is asked to call, and whom it is worth hearing. */
export interface IntakeSubscriptions {
  /** Where a hub reaches the callback of a subscription. */
  callbackOf(token: string): string
  subscribe(wish: SubscriptionWish): Promise<Subscription | undefined>
  leave(token: string): Promise<Subscription | undefined>
  subscriptions(): Promise<readonly Subscription[]>
  setPriorities(rows: readonly (readonly [origin: string, worth: number])[]): Promise<void>
}

/** Those who are heard besides sites. */
export interface IntakeSpeakers {
  /** The engine's own agents at sites; without them nothing that an agent says is heard. */
  readonly agents?: AgentPort | undefined
  /** Gateways that are heard; without them nothing that one says is taken. */
  readonly gateways?: GatewayPort | undefined
}

/** Whoever listens, from when the endpoints are opened until they are closed. */
export interface IntakePort extends IntakeInbox, IntakeSubscriptions, IntakeSpeakers {
  /** Open the endpoints. */
  begin(world: IntakeWorld): Promise<void>
  /** For whoever watches; undefined before the endpoints are open. */
  figures?(): Promise<IntakeFigures | undefined>
  /** Let what comes in finish, and close. */
  end(): Promise<void>
}
