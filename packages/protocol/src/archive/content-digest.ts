/**
 * Content-Digest (RFC 9530 §2): what the bytes of a message hash to, as they are sent. A signature covers no body by itself;
 * it covers this field, and the field covers the body (RFC 9421 §7.2.8).
 *
 * Written like Repr-Digest. Others may write SHA-512 instead, as the examples of RFC 9421 do; it is believed too.
 */
import { hash } from 'node:crypto'
import type { HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import type { DigestVerdict } from './digest.ts'
import { checkDigestField, writeDigestField } from './repr-digest.ts'
import { parseFieldDictionary } from '../http/structured-field.ts'

export function contentDigest(body: Uint8Array): string {
  return writeDigestField(body)
}

/** Are these the bytes of the message? `unknown` when it does not say, or not in a way that can be checked. */
export function checkContentDigest(headers: HeaderList, body: Uint8Array): DigestVerdict {
  const field = combinedField(headers, 'content-digest')
  const verdict = checkDigestField(field, body)
  if (verdict !== 'unknown' || field === undefined) return verdict
  const claimed = parseFieldDictionary(field)?.get('sha-512')
  if (claimed?.kind !== 'bytes' || claimed.value.length !== 64) return 'unknown'
  return hash('sha512', body, 'buffer').equals(claimed.value) ? 'match' : 'differs'
}
