/**
 * Digest: what bytes are known by, written as WARC files write it: `sha1:` and base 32 in capitals (RFC 4648 §6).
 *
 * SHA-1 because every archive's index is keyed by it: a digest in another algorithm would never meet its twin there.
 * It names content here and protects nothing.
 */
import { hash } from 'node:crypto'
import { tableOf } from '../lookup.ts'

/** The digest of bytes, as WARC-Payload-Digest and WARC-Block-Digest write it. */
export function payloadDigest(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}

export type DigestVerdict = 'match' | 'differs' | 'unknown'

/** Does a claimed digest belong to these bytes? `unknown` when we cannot read the claim. */
export function checkDigest(claim: string, bytes: Uint8Array): DigestVerdict {
  const [, label, value] = /^([A-Za-z0-9-]{1,12}):([A-Za-z0-9+/=]{1,128})$/.exec(claim.trim()) ?? []
  const algorithm = ALGORITHMS.get((label ?? '').toLowerCase().replace('-', ''))
  if (algorithm === undefined || value === undefined) return 'unknown'
  const digest = hash(algorithm, bytes, 'buffer')
  const bare = value.replace(/=+$/, '')
  // Writers disagree on base 32 or 16 and on letter case; the length tells the bases apart.
  if (bare.length === digest.length * 2) return bare.toLowerCase() === digest.toString('hex') ? 'match' : 'differs'
  if (bare.length === Math.ceil((digest.length * 8) / 5)) {
    return bare.toUpperCase() === base32(digest) ? 'match' : 'differs'
  }
  return 'unknown'
}

const ALGORITHMS: ReadonlyMap<string, string> = tableOf({
  md5: 'md5',
  sha1: 'sha1',
  sha256: 'sha256',
  sha512: 'sha512',
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base 32 without padding; SHA-1's 160 bits need none. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >>> bits) & 31]
    }
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31]
}
