/**
 * Revocation list: an engine takes back bundles or keys of its own. A text like a bundle's, signed by one key:
 *
 *   comity-agent-revocations 1\n
 *   issued 2026-11-15T12:00:00Z\n
 *   bundle sha-256:HEX why\n         for each bundle that must not run any more
 *   key KEYID why\n                  for each key that must not be believed any more
 *   signature KEYID BASE64URL\n
 *
 * It counts for bundles and keys of the engine whose key signed it, and for nobody else's (`store/agent-store.ts`). A list never
 * ends: what was taken back stays so, whatever later lists say.
 */
import { sign } from 'node:crypto'
import type { Instant, SigningKey } from '@comity/protocol'
import { isRight } from '../bundle/bundle-signature.ts'
import type { KeyOf } from '../bundle/bundle-signature.ts'

export interface Revocation {
  /** A bundle's digest, or a key's thumbprint. */
  readonly kind: 'bundle' | 'key'
  readonly id: string
  /** For the owner; may be ''. */
  readonly reason: string
}

export interface RevocationList {
  readonly issuedAt: Instant
  /** Who signed it. */
  readonly keyId: string
  readonly revocations: readonly Revocation[]
}

export type ReadRevocations =
  | { readonly kind: 'revocations'; readonly list: RevocationList }
  | { readonly kind: 'refused'; readonly problem: string }

const MAX_REVOCATION_BYTES: number = 1 << 20
const MAX_REASON = 200

const FIRST_LINE = 'comity-agent-revocations 1'
const ISSUED = /^issued (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/
const LINE = /^(?:(bundle) (sha-256:[0-9a-f]{64})|(key) ([\w-]{43}))(?: ([^\p{Cc}]{1,200}))?$/u
const SIGNATURE = /^signature ([\w-]{43}) ([\w-]{86})$/

export function writeRevocations(issuedAt: Instant, revocations: readonly Revocation[], key: SigningKey): string {
  const lines = revocations.map(({ kind, id, reason }) => `${kind} ${id} ${cleanReason(reason)}`.trimEnd())
  const issued = `issued ${new Date(issuedAt).toISOString().slice(0, 19)}Z`
  const head = `${[FIRST_LINE, issued, ...lines].join('\n')}\n`
  const signature = sign(null, Buffer.from(head, 'utf8'), key.privateKey).toString('base64url')
  return `${head}signature ${key.keyId} ${signature}\n`
}

/** Never throws. A list that nobody known has signed is refused. */
export function readRevocations(bytes: Uint8Array, keyOf: KeyOf): ReadRevocations {
  if (bytes.length > MAX_REVOCATION_BYTES) return refused(`it has more than ${MAX_REVOCATION_BYTES} bytes`)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const lines = text.split('\n')
  if (lines.at(-1) !== '' || lines[0] !== FIRST_LINE) return refused('it is no list of revocations, or cut')
  const [, issued] = ISSUED.exec(lines[1] ?? '') ?? []
  const [, keyId, signature] = SIGNATURE.exec(lines.at(-2) ?? '') ?? []
  if (issued === undefined) return refused('it does not say when it was issued')
  if (keyId === undefined || signature === undefined) return refused('it is not signed')
  const head = Buffer.from(`${lines.slice(0, -2).join('\n')}\n`, 'utf8')
  if (keyOf(keyId) === undefined) return refused(`it is signed by a key that is not trusted here: ${keyId}`)
  if (!isRight(head, signature, keyOf(keyId))) return refused('its signature is wrong')
  const revocations: Revocation[] = []
  for (const line of lines.slice(2, -2)) {
    const parts = LINE.exec(line)
    if (parts === null) return refused(`it has a line that is not known: ${JSON.stringify(line.slice(0, 80))}`)
    const kind = parts[1] === undefined ? 'key' : 'bundle'
    revocations.push({ kind, id: (parts[2] ?? parts[4])!, reason: parts[5] ?? '' })
  }
  return { kind: 'revocations', list: { issuedAt: Date.parse(issued), keyId, revocations } }
}

const refused = (problem: string): ReadRevocations => ({ kind: 'refused', problem })

const cleanReason = (reason: string): string =>
  reason
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON)
    .toWellFormed()
