/**
 * Repr-Digest (RFC 9530) and Unencoded-Digest (draft-ietf-httpbis-unencoded-digest): what a page's bytes must hash to.
 *
 * Both are written alike. The first is of the bytes in the content coding they are sent in, the second of the bytes
 * without it, so the second stays the same however a page travels and tells whether it changed. Only SHA-256 is written
 * and believed; other algorithms are passed over, as the RFC has it for those a reader does not know.
 */
import { hash } from 'node:crypto'
import { headerOf, type HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import type { DigestVerdict } from './digest.ts'
import { parseFieldDictionary, writeFieldBytes } from '../http/structured-field.ts'

/** The value of either field for these bytes. */
export function writeDigestField(bytes: Uint8Array): string {
  return `sha-256=${writeFieldBytes(hash('sha256', bytes, 'buffer'))}`
}

/** The SHA-256 a field gives; undefined when it has none or is malformed. */
export function parseDigestField(field: string): Uint8Array | undefined {
  const member = parseFieldDictionary(field)?.get('sha-256')
  return member?.kind === 'bytes' && member.value.length === 32 ? member.value : undefined
}

/** Does the field speak of these bytes? `unknown` when it says nothing we can read. */
export function checkDigestField(field: string | undefined, bytes: Uint8Array): DigestVerdict {
  const claimed = field === undefined ? undefined : parseDigestField(field)
  if (claimed === undefined) return 'unknown'
  return hash('sha256', bytes, 'buffer').equals(claimed) ? 'match' : 'differs'
}

/**
 * Are these, without any content coding, the bytes that the head speaks of? Repr-Digest counts where there is no coding,
 * as only then its bytes are these. `differs` as soon as one of the two does.
 */
export function checkUnencoded(headers: HeaderList, bytes: Uint8Array): DigestVerdict {
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  const repr = coding === 'identity' ? checkDigestField(combinedField(headers, 'repr-digest'), bytes) : 'unknown'
  const unencoded = checkDigestField(combinedField(headers, 'unencoded-digest'), bytes)
  if (repr === 'differs' || unencoded === 'differs') return 'differs'
  return repr === 'match' || unencoded === 'match' ? 'match' : 'unknown'
}
