/**
 * Key ring: the private keys of a site or a crawler, and when each of them signs and is published. Rotation is a new ring.
 *
 *   now             leadMs            overlapMs
 *    │ old key signs   │ new key signs ───────────────────────▶
 *    │ both are published ─────────────────────│ the old one is dropped
 *
 * The lead lets those who keep a copy of the published keys see the new one before it is used; the overlap lets signatures
 * that are on their way still be verified (draft-ietf-webbotauth-httpsig-protocol §5.5.2).
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { SigningKey } from './http-signature.ts'
import type { Instant } from '../instant.ts'
import { parsedJson } from '../http/json-field.ts'
import type { JsonObject } from '../http/json-field.ts'
import { thumbprint } from './key-set.ts'
import type { PublishedKey } from './key-set.ts'

export interface RingKey extends SigningKey {
  readonly publicKey: KeyObject
  readonly from: Instant
  /** Undefined: until it is replaced. */
  readonly until?: Instant | undefined
}

/** At least one; the newest last. */
export type KeyRing = readonly [RingKey, ...RingKey[]]

export interface RotationOptions {
  /** Published so long before it signs. */
  readonly leadMs: number
  /** The old ones stay published so long after they signed last. */
  readonly overlapMs: number
}

/** An hour is how long our directories may be kept by others; a day is the longest that a signature may be good for. */
export const rotationDefaults: RotationOptions = { leadMs: 3_600_000, overlapMs: 86_400_000 }

/** Published keys are looked at again after this long at the latest. */
export const DIRECTORY_MAX_AGE_SECONDS = 3_600

/** `seed`: 32 bytes from a source that nobody can guess. */
export function newKeyRing(seed: Uint8Array, at: Instant): KeyRing {
  return [ringKey(seed, at)]
}

export function rotateKeyRing(ring: KeyRing, seed: Uint8Array, at: Instant, options: RotationOptions): KeyRing {
  const next = ringKey(seed, at + options.leadMs)
  const end = next.from + options.overlapMs
  const kept = publishedKeys(ring, at)
    .map((key) => retired(key, end))
    .filter((key) => isPublished(key, at))
  const [first, ...others] = [...kept, next]
  return [first ?? next, ...others]
}

const retired = (key: RingKey, end: Instant): RingKey => ({ ...key, until: Math.min(key.until ?? Infinity, end) })

/** The newest that may sign at this moment. */
export function signingKeyOf(ring: KeyRing, at: Instant): RingKey {
  return ring.findLast(({ from }) => from <= at) ?? ring[0]
}

/** All that should be known to others now. */
export function publishedKeys(ring: KeyRing, at: Instant): readonly (RingKey & PublishedKey)[] {
  return ring.filter((key) => isPublished(key, at))
}

const isPublished = ({ until }: RingKey, at: Instant): boolean => until === undefined || at < until

/** The ring as a key set that has the private halves too (RFC 8037 §2): to be kept from everybody. */
export function writeKeyRing(ring: KeyRing): string {
  const keys = ring.map(({ privateKey, keyId, from, until }) => {
    const { kty, crv, x, d } = privateKey.export({ format: 'jwk' })
    const life = { nbf: Math.floor(from / 1_000), ...(until === undefined ? {} : { exp: Math.floor(until / 1_000) }) }
    return { kty, crv, x, d, kid: keyId, use: 'sig', ...life }
  })
  return `${JSON.stringify({ keys }, undefined, 2)}\n`
}

const MAX_KEYS = 64

/** The problem never quotes the text: it may hold a key. */
export function readKeyRing(text: string): KeyRing | { readonly problem: string } {
  const list = parsedJson(text)?.['keys']
  if (!Array.isArray(list) || list.length > MAX_KEYS)
    return { problem: `it is no JSON object with a list of up to ${MAX_KEYS} "keys"` }
  const keys = (list as unknown[]).map((entry) => readKey((entry ?? {}) as JsonObject))
  const [first, ...others] = keys.filter((key) => key !== undefined)
  if (keys.includes(undefined))
    return { problem: 'one of its keys is no Ed25519 key with its private half (RFC 8037 §2)' }
  return first === undefined ? { problem: 'there is no key in it' } : [first, ...others]
}

function readKey({ kty, crv, x, d, nbf, exp }: JsonObject): RingKey | undefined {
  const isKey = kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && typeof d === 'string'
  if (!isKey || !isSeconds(nbf) || !(exp === undefined || isSeconds(exp))) return undefined
  try {
    const privateKey = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
    return { ...ownKey(privateKey), from: nbf * 1_000, ...(exp === undefined ? {} : { until: exp * 1_000 }) }
  } catch {
    // Bytes that make no key.
    return undefined
  }
}

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** A private key as PKCS #8 has it (RFC 8410 §7): these bytes, and the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

function ringKey(seed: Uint8Array, from: Instant): RingKey {
  if (seed.length !== 32) throw new Error(`an Ed25519 key is made of 32 bytes, not ${seed.length}`)
  const der = Buffer.concat([PKCS8_PREFIX, seed])
  return { ...ownKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })), from }
}

function ownKey(privateKey: KeyObject): Omit<RingKey, 'from'> {
  const publicKey = createPublicKey(privateKey)
  return { keyId: thumbprint(publicKey), privateKey, publicKey }
}
