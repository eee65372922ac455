/**
 * Web Bot Auth (draft-ietf-webbotauth-httpsig-protocol): how a crawler says who it is so that nobody else can.
 *
 *   Signature-Agent: sig1="https://crawler.example/keys.json"          where its keys are published: this URL is its name
 *   Signature-Input: sig1=("@method" "@authority" "@path" "@query" "signature-agent";key="sig1")
 *     ;created=…;expires=…;keyid="<thumbprint>";nonce="…";tag="web-bot-auth"
 *
 * What a stranger writes there is a claim until somebody has fetched the URL and found the key in it. So reading has two
 * steps: `botClaims` says which URLs to look at, `verifyBot` judges a claim with the keys that were found there.
 *
 * Members with parameters are passed over, as the newest draft wants. Earlier ones gave the bare origin and meant the keys
 * at its well-known place; a URL without a path is read like that. Bare strings, from before dictionaries, are read too.
 */
import { parseDictionary, parseItem } from 'structured-headers'
import type { HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import { contentDigest } from '../archive/content-digest.ts'
import { isCovered, signMessage, verifyMessage } from './http-signature.ts'
import type { SignatureVerdict, SigningKey, VerifyOptions } from './http-signature.ts'
import type { Instant } from '../instant.ts'
import { KEY_DIRECTORY_PATH } from './key-set.ts'
import { MAX_SIGNATURE_FIELD_CHARS } from './signature-component.ts'
import type { Component, SignedMessage } from './signature-component.ts'
import { readSignatures } from './signature-fields.ts'
import type { ReadSignature } from './signature-fields.ts'
import { writeFieldString } from '../http/structured-field.ts'

export const WEB_BOT_AUTH_TAG = 'web-bot-auth'
/** §5.2: no signature should be good for longer. */
const MAX_BOT_LIFE_MS = 86_400_000

/** What a refusal asks for (RFC 9421 §5.1). */
export const ACCEPT_BOT_SIGNATURE: string =
  'sig1=("@method" "@authority" "@path" "@query" "signature-agent";key="sig1");created;expires;tag="web-bot-auth"'

export interface BotSignOptions {
  readonly key: SigningKey
  /** Where the keys are published, as it is sent. */
  readonly agent: string
  readonly at: Instant
  readonly lifeMs: number
  readonly nonce: string
  /** Covered by way of Content-Digest, which is added. */
  readonly body?: Uint8Array | undefined
}

const LABEL = 'sig1'
const COVERED: readonly string[] = ['@method', '@authority', '@path', '@query', `signature-agent;key="${LABEL}"`]

/** The fields to add to a request. */
export function signBotRequest(message: SignedMessage, options: BotSignOptions): HeaderList {
  const { key, agent, at, lifeMs, nonce, body } = options
  const url = writeFieldString(agent)
  if (url === undefined) throw new Error('the URL of a signature agent must be plain ASCII')
  const own: [string, string][] = [['Signature-Agent', `${LABEL}=${url}`]]
  if (body !== undefined) own.push(['Content-Digest', contentDigest(body)])
  const headers = [...message.headers, ...own]
  const covered = body === undefined ? COVERED : [...COVERED, 'content-digest']
  const tag = WEB_BOT_AUTH_TAG
  return [...own, ...signMessage({ ...message, headers }, { key, at, lifeMs, covered, tag, nonce, label: LABEL })]
}

/** Who somebody says to be. */
export interface BotClaim {
  readonly label: string
  readonly keyId: string
  /** Where the keys are to be found. */
  readonly url: string
  /** What the crawler is known by: that URL without its query, so that nobody has more than one name there. */
  readonly agent: string
}

export type BotClaims =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly message: string }
  | { readonly kind: 'claimed'; readonly claims: readonly BotClaim[] }

/** Each may make the reader fetch something. */
const MAX_CLAIMS = 2

/** `mayBeHttp`: for networks of one's own; on the Web a key that came without TLS speaks for nobody. */
export function botClaims(headers: HeaderList, mayBeHttp = false): BotClaims {
  const found = readSignatures(headers)
  if (found.kind !== 'read') return found
  const tagged = found.signatures.filter(({ parameters }) => parameters.get('tag') === WEB_BOT_AUTH_TAG)
  if (tagged.length === 0) return { kind: 'absent' }
  const agents = readSignatureAgent(combinedField(headers, 'signature-agent'))
  if (agents === undefined)
    return { kind: 'malformed', message: 'Signature-Agent must say where the keys are: sig1="https://…"' }
  const claims = tagged.slice(0, MAX_CLAIMS).flatMap((signature) => claimOf(signature, agents, mayBeHttp))
  if (claims.length > 0) return { kind: 'claimed', claims }
  return {
    kind: 'malformed',
    message: 'the signature must have a keyid and cover "signature-agent", whose value must be an https URL',
  }
}

/** Judges one claim. `keyOf` must know only the keys at the claim's own URL. */
export function verifyBot(
  message: SignedMessage,
  claim: BotClaim,
  options: Omit<VerifyOptions, 'tag' | 'label' | 'mustCover'>,
): SignatureVerdict {
  const { label } = claim
  const verdict = verifyMessage(message, { ...options, tag: WEB_BOT_AUTH_TAG, label, mustCover: [] })
  if (verdict.kind !== 'valid') return verdict
  if (!isCovered('@authority', verdict.covered))
    return { kind: 'refused', reason: 'covers-too-little', message: 'the signature does not cover "@authority"' }
  if (verdict.expires - verdict.created > MAX_BOT_LIFE_MS)
    return { kind: 'refused', reason: 'stale', message: 'the signature is good for more than a day' }
  return verdict
}

/** By the key of their member; the bare string of earlier drafts has none and stands alone. */
type Agents = { readonly one: string } | { readonly members: ReadonlyMap<string, string> }

function readSignatureAgent(field: string | undefined): Agents | undefined {
  if (field === undefined || field.length > MAX_SIGNATURE_FIELD_CHARS) return undefined
  try {
    if (field.trimStart().startsWith('"')) {
      const [one] = parseItem(field)
      return typeof one === 'string' ? { one } : undefined
    }
    const members = [...parseDictionary(field)].flatMap(([key, [value, parameters]]): [string, string][] =>
      typeof value === 'string' && parameters.size === 0 ? [[key, value]] : [],
    )
    return { members: new Map(members) }
  } catch {
    // Neither form: the field says nothing.
    return undefined
  }
}

/** A signature speaks for the member that it covers and for no other; its label is signed by nobody (§5.2.2). */
function claimOf({ label, components, parameters }: ReadSignature, agents: Agents, mayBeHttp: boolean): BotClaim[] {
  const keyId = parameters.get('keyid')
  const value = coveredAgent(label, components, agents)
  const place = value === undefined ? undefined : placeOf(value, mayBeHttp)
  if (place === undefined || typeof keyId !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(keyId)) return []
  return [{ label, keyId, ...place }]
}

function coveredAgent(label: string, components: readonly Component[], agents: Agents): string | undefined {
  const covered = components.filter(({ name }) => name === 'signature-agent').map(({ parameters }) => parameters)
  const isWhole = covered.some(({ size }) => size === 0)
  if ('one' in agents) return isWhole ? agents.one : undefined
  const keys = isWhole ? [...agents.members.keys()] : covered.map((parameters) => parameters.get('key'))
  // Where more than one is covered, a signer names its own by its label.
  const key = keys.includes(label) ? label : keys.length === 1 ? keys[0] : undefined
  return typeof key === 'string' ? agents.members.get(key) : undefined
}

const MAX_AGENT_CHARS = 2_048

function placeOf(value: string, mayBeHttp: boolean): Pick<BotClaim, 'url' | 'agent'> | undefined {
  const given = value.length > MAX_AGENT_CHARS ? null : URL.parse(value)
  if (given === null || given.username !== '' || given.password !== '') return undefined
  if (given.protocol !== 'https:' && !(mayBeHttp && given.protocol === 'http:')) return undefined
  const isOrigin = given.pathname === '/' && given.search === ''
  const url = new URL(isOrigin ? KEY_DIRECTORY_PATH : given.href, given.origin)
  url.hash = ''
  return { url: url.href, agent: `${url.origin}${url.pathname}` }
}
