/**
 * Key set: public keys as JSON Web Keys (RFC 7517 §5), as sites and crawlers publish them. Ed25519 only (RFC 8037).
 *
 * A key is known by its thumbprint (RFC 7638), which follows from the key itself: whatever label somebody gives it, nobody
 * can pass one key off as another. Keys of other kinds are passed over, for a set may serve others too.
 */
import { createPublicKey, hash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Instant } from '../instant.ts'
import { parsedJson } from '../http/json-field.ts'
import type { JsonObject } from '../http/json-field.ts'

/** Where a host publishes the keys that speak for it (draft-ietf-webbotauth-httpsig-protocol §8.1). */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'
export const KEY_DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** From when on and until when a key may have signed; either may be open. */
export interface KeyLife {
  readonly from?: Instant | undefined
  readonly until?: Instant | undefined
}

export interface PublishedKey extends KeyLife {
  readonly publicKey: KeyObject
}

export interface KeySet {
  /** By thumbprint. */
  readonly keys: ReadonlyMap<string, KeyObject>
  readonly lives: ReadonlyMap<string, KeyLife>
}

const MAX_BYTES = 65_536
/** A set with more is meant to make its readers work. */
const MAX_KEYS = 64

/** The keys that can be used, or why there is none. Never throws. */
export function readKeySet(bytes: Uint8Array): KeySet | { readonly problem: string } {
  if (bytes.length > MAX_BYTES) return { problem: `a key set may have ${MAX_BYTES} bytes` }
  const list = parsedJson(Buffer.from(bytes).toString('utf8'))?.['keys']
  if (!Array.isArray(list)) return { problem: 'it is no JSON object with a list of "keys" (RFC 7517 §5)' }
  if (list.length > MAX_KEYS) return { problem: `a key set may have ${MAX_KEYS} keys` }
  const keys = new Map<string, KeyObject>()
  const lives = new Map<string, KeyLife>()
  for (const entry of list as unknown[]) {
    const json = typeof entry === 'object' && entry !== null ? (entry as JsonObject) : {}
    const key = publicKeyOf(json)
    if (key === undefined) continue
    const keyId = thumbprint(key)
    keys.set(keyId, key)
    lives.set(keyId, { from: instantOf(json['nbf']), until: instantOf(json['exp']) })
  }
  return { keys, lives }
}

/** The set as JSON; `kid` is the thumbprint, as the draft wants it where a host's keys stand. */
export function writeKeySet(keys: Iterable<KeyObject | PublishedKey>): string {
  const written = Array.from(keys, (given) => {
    const one = 'publicKey' in given ? given : { publicKey: given }
    const { x } = one.publicKey.export({ format: 'jwk' })
    const life = { ...secondsField('nbf', one.from), ...secondsField('exp', one.until) }
    return { kty: 'OKP', crv: 'Ed25519', kid: thumbprint(one.publicKey), x, use: 'sig', ...life }
  })
  return JSON.stringify({ keys: written })
}

/** SHA-256 over the members that make the key, in the order of the alphabet (RFC 7638 §3.2, RFC 8037 §2). */
export function thumbprint(publicKey: KeyObject): string {
  const { crv, kty, x } = publicKey.export({ format: 'jwk' })
  return hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url')
}

/** Whether a key may have signed something at a moment. */
export function isAlive({ from, until }: KeyLife, at: Instant): boolean {
  return (from === undefined || from <= at) && (until === undefined || at < until)
}

/** One that comes with its private half proves nothing: everybody can sign with it. */
function publicKeyOf({ kty, crv, x, d, use }: JsonObject): KeyObject | undefined {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || d !== undefined) return undefined
  if (!/^[A-Za-z0-9_-]{43}$/.test(x) || (use !== undefined && use !== 'sig')) return undefined
  try {
    return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  } catch {
    // Not a point of the curve: there is no such key.
    return undefined
  }
}

const instantOf = (value: unknown): Instant | undefined =>
  Number.isSafeInteger(value) ? (value as number) * 1_000 : undefined

const secondsField = (name: string, at: Instant | undefined): Record<string, number> =>
  at === undefined || !Number.isFinite(at) ? {} : { [name]: Math.floor(at / 1_000) }
