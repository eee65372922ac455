/**
 * HTTP signature (RFC 9421): who sent a message, and that what they signed of it is as they sent it. Ed25519 only.
 *
 *   "@method": POST                                               the signature base: a line for each part that is
 *   "@authority": example.com                                     covered, and last what is said of the signature;
 *   "@signature-params": ("@method" "@authority");created=…       these bytes are signed
 *
 * A signature proves nothing about what it does not cover, so whoever verifies says what must be covered. One without a
 * beginning and an end would be good for ever: such are refused.
 */
import { sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { serializeDictionary, serializeInnerList } from 'structured-headers'
import type { Parameters } from 'structured-headers'
import type { HeaderList } from '../capture.ts'
import { checkContentDigest } from '../archive/content-digest.ts'
import type { Instant } from '../instant.ts'
import { componentItem, componentLine, parseComponent } from './signature-component.ts'
import type { Component, SignedAnswer, SignedMessage } from './signature-component.ts'
import { readSignatures } from './signature-fields.ts'
import type { ReadSignature } from './signature-fields.ts'

/** What sites sign pushes with; they cover `@method`, `@target-uri`, `content-digest` and `content-type`. */
export const PUSH_TAG = 'comity-push'

export interface SigningKey {
  /** JWK thumbprint, base64url. */
  readonly keyId: string
  readonly privateKey: KeyObject
}

export interface SignOptions {
  readonly key: SigningKey
  readonly at: Instant
  readonly lifeMs: number
  /** Identifiers, as `identity/signature-component.ts` writes them. */
  readonly covered: readonly string[]
  readonly tag: string
  /** Makes it good for one use: whoever verifies may refuse a second. */
  readonly nonce?: string | undefined
  /** Names the signature among others of the message; `sig1` unless given. */
  readonly label?: string | undefined
}

/** The fields to add. Throws when the message lacks what is to be covered: whoever signs it has written it. */
export function signMessage(message: SignedMessage | SignedAnswer, options: SignOptions): HeaderList {
  const { key, at, lifeMs, covered, tag, nonce, label = 'sig1' } = options
  const components = covered.map((text) => {
    const component = parseComponent(text)
    if (component === undefined) throw new Error(`"${text}" is no component of a message`)
    return component
  })
  const created = Math.floor(at / 1_000)
  const parameters = new Map<string, string | number>([
    ['created', created],
    ['expires', created + Math.max(1, Math.floor(lifeMs / 1_000))],
    ['keyid', key.keyId],
  ])
  if (nonce !== undefined) parameters.set('nonce', nonce)
  parameters.set('tag', tag)
  const base = signatureBase(message, components, parameters)
  if (typeof base !== 'string') throw new Error(`the message to sign has no ${base.lacks}`)
  const signature = sign(null, Buffer.from(base, 'latin1'), key.privateKey)
  return [
    ['Signature-Input', serializeDictionary(new Map([[label, [components.map(componentItem), parameters]]]))],
    ['Signature', `${label}=:${signature.toString('base64')}:`],
  ]
}

/** The text that is signed (§2.5), or the first part that the message lacks. */
export function signatureBase(
  message: SignedMessage | SignedAnswer,
  components: readonly Component[],
  parameters: Parameters,
): string | { readonly lacks: string } {
  let base = ''
  for (const component of components) {
    const line = componentLine(message, component)
    if (line === undefined) return { lacks: component.text }
    base += line
  }
  return `${base}"@signature-params": ${serializeInnerList([components.map(componentItem), parameters])}`
}

export interface ValidSignature {
  readonly kind: 'valid'
  readonly label: string
  readonly keyId: string
  readonly created: Instant
  readonly expires: Instant
  readonly covered: readonly string[]
  readonly tag: string | undefined
  readonly nonce: string | undefined
  /** No other message has the same. */
  readonly signature: Uint8Array
}

export interface RefusedSignature {
  readonly kind: 'refused'
  readonly reason: 'malformed' | 'unknown-key' | 'forged' | 'stale' | 'covers-too-little' | 'wrong-digest'
  readonly message: string
}

export type SignatureVerdict = ValidSignature | { readonly kind: 'absent' } | RefusedSignature

export interface VerifyOptions {
  readonly keyOf: (keyId: string) => KeyObject | undefined
  readonly at: Instant
  /** How far two clocks may be apart. */
  readonly skewMs: number
  /** All of them; `@target-uri` stands for the parts of a URL as well. */
  readonly mustCover: readonly string[]
  /** Only signatures that are meant for this. */
  readonly tag?: string | undefined
  /** Only this one. */
  readonly label?: string | undefined
  /** As it arrived: compared with Content-Digest where that is covered. */
  readonly body?: Uint8Array | undefined
}

/** Never throws, whatever the message. Of several signatures one that is valid is enough. */
export function verifyMessage(message: SignedMessage | SignedAnswer, options: VerifyOptions): SignatureVerdict {
  const found = readSignatures(message.headers)
  if (found.kind === 'absent') return found
  if (found.kind === 'malformed') return refuse('malformed', found.message)
  let refused: RefusedSignature | undefined
  for (const one of found.signatures) {
    if (options.label !== undefined && one.label !== options.label) continue
    if (options.tag !== undefined && one.parameters.get('tag') !== options.tag) continue
    const verdict = judge(message, one, options)
    if (verdict.kind === 'valid') return verdict
    refused ??= verdict
  }
  return refused ?? { kind: 'absent' }
}

/** What is cheap to see comes first: nobody should be made to reckon for a signature that is void anyway. */
function judge(
  message: SignedMessage | SignedAnswer,
  { label, components, parameters, signature }: ReadSignature,
  options: VerifyOptions,
): ValidSignature | RefusedSignature {
  const keyId = parameters.get('keyid')
  const [created, expires] = [secondsOf(parameters.get('created')), secondsOf(parameters.get('expires'))]
  if (typeof keyId !== 'string' || created === undefined || expires === undefined)
    return refuse('malformed', 'a signature must have the parameters created, expires and keyid')
  if (parameters.has('alg') && parameters.get('alg') !== 'ed25519')
    return refuse('malformed', 'only signatures by ed25519 are read here')
  const covered = components.map(({ text }) => text)
  const missing = options.mustCover.find((part) => !isCovered(part, covered))
  if (missing !== undefined) return refuse('covers-too-little', `the signature does not cover "${missing}"`)
  const stale = staleness(created, expires, options)
  if (stale !== undefined) return refuse('stale', stale)
  const key = options.keyOf(keyId)
  if (key?.asymmetricKeyType !== 'ed25519')
    return refuse('unknown-key', `there is no key ${keyId.slice(0, 64)} to verify it`)
  const base = signatureBase(message, components, parameters)
  if (typeof base !== 'string')
    return refuse('malformed', `the message has no ${base.lacks}, which the signature covers`)
  if (!verify(null, Buffer.from(base, 'latin1'), key, signature))
    return refuse('forged', 'the signature is not of this message, or not by this key')
  if (options.body !== undefined && covered.includes('content-digest')) {
    const digest = checkContentDigest(message.headers, options.body)
    if (digest === 'unknown') return refuse('wrong-digest', 'Content-Digest has neither a sha-256 nor a sha-512')
    if (digest === 'differs') return refuse('wrong-digest', 'the body is not the one that Content-Digest speaks of')
  }
  const [tag, nonce] = [textOf(parameters.get('tag')), textOf(parameters.get('nonce'))]
  return { kind: 'valid', label, keyId, created, expires, covered, tag, nonce, signature }
}

/** What else is known once the whole target is. */
const PARTS_OF_TARGET: ReadonlySet<string> = new Set(['@authority', '@scheme', '@request-target', '@path', '@query'])

export function isCovered(part: string, covered: readonly string[]): boolean {
  return covered.includes(part) || (PARTS_OF_TARGET.has(part) && covered.includes('@target-uri'))
}

function staleness(created: Instant, expires: Instant, { at, skewMs }: VerifyOptions): string | undefined {
  if (expires <= created) return 'the signature ends before it begins'
  if (created > at + skewMs) return 'the signature is from the future: set the clock right'
  return expires < at - skewMs ? 'the signature has expired: sign each request when it is sent' : undefined
}

/** Seconds since the epoch, as a whole number (§2.3). */
function secondsOf(value: unknown): Instant | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value * 1_000 : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const refuse = (reason: RefusedSignature['reason'], message: string): RefusedSignature => ({
  kind: 'refused',
  reason,
  message,
})
