/**
 * ContentKey: the first half of the SHA-256 of a page's body without content coding. It tells whether a page is still
 * the same whatever coding it came in, and can be compared with the `sha-256` that sites publish.
 */
import { hash } from 'node:crypto'

const KEY_BYTES = 16

export function contentKey(body: Uint8Array): Uint8Array {
  return Uint8Array.from(hash('sha256', body, 'buffer').subarray(0, KEY_BYTES))
}

export function isSameKey(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0
}

/** Whether a `sha-256:…` that somebody told us is of the content with this key; undefined when nobody can tell. */
export function isDigestOf(digest: string | undefined, key: Uint8Array | undefined): boolean | undefined {
  const told = /^sha-256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]
  if (told === undefined || key === undefined) return undefined
  return told.toLowerCase().startsWith(Buffer.from(key).toString('hex'))
}

/** The key of content by its `sha-256:…`; undefined when that is none. */
export function keyOfDigest(digest: string): Uint8Array | undefined {
  const hex = /^sha-256:([0-9a-f]{64})$/i.exec(digest)?.[1]
  return hex === undefined ? undefined : Uint8Array.from(Buffer.from(hex, 'hex').subarray(0, KEY_BYTES))
}
