/**
 * Key directory answer: the public halves of a key ring, as a host publishes them, each key signing the answer that holds it.
 *
 * The signatures prove that whoever answers has the keys, and for which host: without them a stranger could publish
 * somebody else's keys as their own (draft-ietf-webbotauth-httpsig-protocol §B.1).
 */
import type { HeaderList } from '../capture.ts'
import { contentDigest } from '../archive/content-digest.ts'
import { signMessage } from './http-signature.ts'
import type { Instant } from '../instant.ts'
import { DIRECTORY_MAX_AGE_SECONDS, publishedKeys } from './key-ring.ts'
import type { KeyRing } from './key-ring.ts'
import { KEY_DIRECTORY_TYPE, writeKeySet } from './key-set.ts'

export const KEY_DIRECTORY_TAG = 'http-message-signatures-directory'

/** §C.8: lists that pass keys on must not outlive it, so it is much longer than the answer may be kept. */
const PROOF_LIFE_MS = 7 * 86_400_000

/** `url`: where it stands, as others ask for it. */
export function keyDirectoryAnswer(
  ring: KeyRing,
  url: string,
  at: Instant,
): { readonly headers: HeaderList; readonly body: Uint8Array } {
  const keys = publishedKeys(ring, at)
  const body = Buffer.from(writeKeySet(keys))
  const headers: HeaderList = [
    ['Content-Type', KEY_DIRECTORY_TYPE],
    ['Cache-Control', `max-age=${DIRECTORY_MAX_AGE_SECONDS}`],
    ['Content-Length', String(body.length)],
    ['Content-Digest', contentDigest(body)],
  ]
  const answer = { status: 200, headers, request: { method: 'GET', url, headers: [] } }
  const proofs = keys.flatMap((key, i) =>
    signMessage(answer, {
      key,
      at,
      lifeMs: PROOF_LIFE_MS,
      covered: ['@authority;req', 'content-digest'],
      tag: KEY_DIRECTORY_TAG,
      label: `key${i + 1}`,
    }),
  )
  return { headers: [...headers, ...proofs], body }
}
