/**
 * Sent content: what somebody sent, as it came: an item of the inbox, or a dead letter that holds what we failed on. It may hold
 * several pages. What is in it is known by whoever takes it in (`@comity/crawler`); what becomes of it when pages are forgotten
 * is decided here and in `forget/sent.ts`.
 */
import type { InboxEndpoint, InboxItem, InboxScheme } from './inbox.ts'

export interface SentContent {
  /** Undefined where nobody wrote it down: then it is told by how it begins. */
  readonly origin?: string | undefined
  readonly door?: InboxEndpoint | undefined
  readonly scheme?: InboxScheme | undefined
  readonly type?: string | undefined
  readonly body: Uint8Array
}

/** An item that stands for what was sent, without some of it. */
export type RedactedItem = Pick<InboxItem, 'scheme' | 'type' | 'body'>

/** What is left of it: all, as nothing in it leaves; the rest; nothing. Or nobody can tell, as it cannot be read to its end. */
export type RedactedRemainder = 'all' | 'nothing' | 'unreadable' | RedactedItem

/** Reads what was sent, and takes out the pages that leave, by their addresses as they are written there. */
export type SentRedactor = (content: SentContent, leaves: (url: string) => boolean) => Promise<RedactedRemainder>
