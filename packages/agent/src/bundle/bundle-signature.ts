/**
 * Bundle signature: Ed25519 (RFC 8032) over the digest of a bundle, with a line before it that says what is signed, so that
 * a key which also signs requests can never be made to sign an agent by what looks like one.
 */
import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { SigningKey } from '@comity/protocol'
import type { AgentBundle } from './bundle.ts'

/** Keys by their thumbprint. */
export type KeyOf = (keyId: string) => KeyObject | undefined

const messageOf = (digest: string): Buffer => Buffer.from(`comity-agent-bundle 1\n${digest}\n`, 'latin1')

/** The bundle with one more signature; one of the same key is replaced. */
export function signBundle(bundle: AgentBundle, { keyId, privateKey }: SigningKey): AgentBundle {
  const signature = sign(null, messageOf(bundle.digest), privateKey).toString('base64url')
  const others = bundle.signatures.filter((one) => one.keyId !== keyId)
  return { ...bundle, signatures: [...others, { keyId, signature }] }
}

/** The keys, of those that `keyOf` knows, whose signature over this bundle is right. */
export function signersOf(bundle: AgentBundle, keyOf: KeyOf): string[] {
  return bundle.signatures
    .filter(({ keyId, signature }) => isRight(messageOf(bundle.digest), signature, keyOf(keyId)))
    .map(({ keyId }) => keyId)
}

/** Whether a signature in base64url is right; false without a key, or with one that is not Ed25519. */
export function isRight(message: Uint8Array, signature: string, key: KeyObject | undefined): boolean {
  if (key === undefined || key.asymmetricKeyType !== 'ed25519') return false
  return verify(null, message, key, Buffer.from(signature, 'base64url'))
}
