/** Why something that went by is not indexed. Each has a counter; the share that was skipped is shown with them. */
export const PRIVACY_REASONS = [
  /** Not rebuilt in every respect: a verdict other than `whole`. */
  'not-whole',
  /** A server that is none of the network's. */
  'foreign-server',
  /** Readers that do not count here: inside, or outside. */
  'other-readers',
  'not-get',
  'status',
  /** Neither a page nor a text. */
  'media-type',
  /** The request proved who asked, or the answer says so (stricter than RFC 9111 §3.5). */
  'authorization',
  /** On its connection somebody was asked for a password before, or gave one. */
  'authenticated',
  /** Not all of its connection was seen: somebody may have signed in there. */
  'unseen',
  /** A field of the request has it answered for another address, method or host. */
  'steered',
  /** Its address carries somebody's session. */
  'session',
  'no-store',
  'private',
  'set-cookie',
  /** The answer depends on who asks: Vary on cookies, credentials or anything. */
  'varies',
  /** Asked with a cookie, and not yet seen the same by enough readers. */
  'cookie',
  /** Its address looks like a key, and not enough readers got the same by it. */
  'secret-address',
  'query',
  'robots',
  'noindex',
  /** A form that asks for a password. */
  'password',
  'private-path',
  /** Its content coding cannot be undone, or makes too much of it. */
  'coding',
] as const
export type PrivacyReason = (typeof PRIVACY_REASONS)[number]
