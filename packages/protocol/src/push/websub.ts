/**
 * WebSub (W3C Recommendation, 23 January 2018): what publisher, hub and subscriber say to each other, written and read.
 *
 *   subscriber ──POST form──▶ hub                 hub.mode=subscribe, hub.callback, hub.topic …      202
 *   hub ──GET callback?hub.challenge=…──▶ subscriber                    the challenge as the body, or 404
 *   hub ──POST content, Link, X-Hub-Signature──▶ subscriber                                  2xx, or 410
 *   publisher ──POST form──▶ hub                  hub.mode=publish, hub.url (§6: not specified, but what all hubs take)
 *
 * URLs are handed on as they were written: the hub must call the exact callback (§8.3) and name the topic as the
 * subscriber did (§5.3). `sameUrl` tells whether two spellings are one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { HeaderList } from '../capture.ts'
import { linkTargets } from '../http/link-header.ts'

export const HUB_REL = 'hub'
export const SELF_REL = 'self'
export const FORM_TYPE = 'application/x-www-form-urlencoded'
/** Of a form: the parameters and room for some that we do not know. */
export const MAX_FORM_BYTES: number = 32 << 10
const MAX_URL_CHARS = 2_048
const MAX_REASON_CHARS = 500
/** hub.secret has fewer (§5.1). */
const SECRET_BYTES = 200
/** Topics in one form of a publisher. */
const MAX_TOPICS = 100

/** What a subscriber asks of a hub. */
export interface SubscribeRequest {
  readonly mode: 'subscribe' | 'unsubscribe'
  /** Absolute, http or https, as it was written. */
  readonly callback: string
  readonly topic: string
  /** What the subscriber would like; the hub decides. */
  readonly leaseSeconds?: number | undefined
  readonly secret?: string | undefined
}

export type ReadSubscribe = { readonly request: SubscribeRequest } | { readonly problem: string }

/** `hub.mode` of a form, whatever it is. */
export function hubMode(form: string): string | undefined {
  return parameter(new URLSearchParams(form), 'hub.mode')
}

export function writeSubscribeForm({ mode, callback, topic, leaseSeconds, secret }: SubscribeRequest): string {
  return new URLSearchParams({
    'hub.mode': mode,
    'hub.callback': callback,
    'hub.topic': topic,
    ...(leaseSeconds === undefined ? {} : { 'hub.lease_seconds': String(leaseSeconds) }),
    ...(secret === undefined ? {} : { 'hub.secret': secret }),
  }).toString()
}

/** Parameters that nobody knows are passed over (§5.1). An empty value is no value. */
export function parseSubscribeForm(form: string): ReadSubscribe {
  const parameters = new URLSearchParams(form)
  const mode = parameter(parameters, 'hub.mode')
  if (mode !== 'subscribe' && mode !== 'unsubscribe') return { problem: 'hub.mode is "subscribe" or "unsubscribe"' }
  const callback = webAddress(parameter(parameters, 'hub.callback'))
  if (callback === undefined) return { problem: `hub.callback is ${AN_ADDRESS}` }
  const topic = webAddress(parameter(parameters, 'hub.topic'))
  if (topic === undefined) return { problem: `hub.topic is ${AN_ADDRESS}` }
  if (mode === 'unsubscribe') return { request: { mode, callback, topic } }
  const lease = parameter(parameters, 'hub.lease_seconds')
  if (lease !== undefined && !LEASE.test(lease)) return { problem: 'hub.lease_seconds is a positive decimal integer' }
  const secret = parameter(parameters, 'hub.secret')
  if (secret !== undefined && Buffer.byteLength(secret) >= SECRET_BYTES)
    return { problem: `hub.secret has fewer than ${SECRET_BYTES} bytes` }
  const leaseSeconds = lease === undefined ? undefined : Number(lease)
  return { request: { mode, callback, topic, leaseSeconds, secret } }
}

/** What a hub asks or tells a subscriber by GET. */
export type Verification =
  | {
      readonly mode: 'subscribe' | 'unsubscribe'
      readonly topic: string
      readonly challenge: string
      /** From the moment it is asked on; always there with `subscribe`. */
      readonly leaseSeconds?: number | undefined
    }
  | { readonly mode: 'denied'; readonly topic: string; readonly reason?: string | undefined }

/** The callback's own query stays as it is, ours comes after it (§5.1.1). */
export function verificationUrl(callback: string, verification: Verification): string {
  const { mode, topic } = verification
  const parameters = new URLSearchParams({ 'hub.mode': mode, 'hub.topic': topic })
  if (verification.mode === 'denied') {
    if (verification.reason !== undefined) parameters.set('hub.reason', verification.reason)
  } else {
    parameters.set('hub.challenge', verification.challenge)
    if (verification.leaseSeconds !== undefined) parameters.set('hub.lease_seconds', String(verification.leaseSeconds))
  }
  const joint = callback.includes('?') ? (/[?&]$/.test(callback) ? '' : '&') : '?'
  return `${callback}${joint}${parameters.toString()}`
}

/** What a hub wants of a callback, out of its query string. The last of equal names counts: a hub's come last. */
export function parseVerification(
  query: string,
): { readonly verification: Verification } | { readonly problem: string } {
  const parameters = new URLSearchParams(query)
  const last = (name: string): string | undefined => parameters.getAll(name).at(-1)
  const mode = last('hub.mode')
  const topic = webAddress(last('hub.topic'))
  if (topic === undefined) return { problem: `hub.topic is ${AN_ADDRESS}` }
  if (mode === 'denied')
    return { verification: { mode, topic, reason: last('hub.reason')?.slice(0, MAX_REASON_CHARS) } }
  if (mode !== 'subscribe' && mode !== 'unsubscribe')
    return { problem: 'hub.mode is "subscribe", "unsubscribe" or "denied"' }
  const challenge = last('hub.challenge')
  if (challenge === undefined || challenge === '' || challenge.length > MAX_URL_CHARS)
    return { problem: 'hub.challenge is missing or too long' }
  if (mode === 'unsubscribe') return { verification: { mode, topic, challenge } }
  const lease = last('hub.lease_seconds')
  if (lease === undefined || !LEASE.test(lease)) return { problem: 'hub.lease_seconds is a positive decimal integer' }
  return { verification: { mode, topic, challenge, leaseSeconds: Number(lease) } }
}

/** SHA-1, which §7.1.1 still lists, is broken (§8.3 asks for SHA-256 at least): we neither write nor take it. */
const ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const
export type HubAlgorithm = (typeof ALGORITHMS)[number]

/** Value of `X-Hub-Signature` for a body (§7.1). */
export function hubSignature(secret: string, body: Uint8Array, algorithm: HubAlgorithm = 'sha256'): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`
}

export type HubSignatureVerdict = 'good' | 'absent' | 'malformed' | 'weak' | 'forged'

/** Takes the same time wherever the signature differs. */
export function checkHubSignature(secret: string, header: string | undefined, body: Uint8Array): HubSignatureVerdict {
  if (header === undefined || header === '') return 'absent'
  const [, name = '', hex = ''] = SIGNATURE.exec(header.trim()) ?? []
  if (name.toLowerCase() === 'sha1') return 'weak'
  const algorithm = ALGORITHMS.find((known) => known === name.toLowerCase())
  if (algorithm === undefined) return 'malformed'
  const [given, expected] = [Buffer.from(hex, 'hex'), createHmac(algorithm, secret).update(body).digest()]
  if (given.length !== expected.length) return 'malformed'
  return timingSafeEqual(given, expected) ? 'good' : 'forged'
}

/** Value of one `Link` field with both relations, as §7 prefers it. */
export function hubLinks(hubs: readonly string[], topic: string): string {
  return [...hubs.map((hub) => `<${hub}>; rel="${HUB_REL}"`), `<${topic}>; rel="${SELF_REL}"`].join(', ')
}

/** Hubs and topic as the fields of an answer or request name them; `url` is what was asked for. */
export function readHubLinks(
  headers: HeaderList,
  url: string,
): { readonly hubs: readonly string[]; readonly topic: string | undefined } {
  return { hubs: linkTargets(headers, HUB_REL, url), topic: linkTargets(headers, SELF_REL, url)[0] }
}

/**
 * What a publisher tells a hub: these topics have changed. How is nowhere specified; most hubs want `hub.url`, some
 * `hub.topic`, and none minds the other.
 */
export function writePublishForm(topics: readonly string[]): string {
  const named = topics.flatMap((topic): [string, string][] => [
    ['hub.url', topic],
    ['hub.topic', topic],
  ])
  return new URLSearchParams([['hub.mode', 'publish'], ...named]).toString()
}

/** By either name. */
export function parsePublishForm(form: string): { readonly topics: readonly string[] } | { readonly problem: string } {
  const parameters = new URLSearchParams(form)
  if (parameter(parameters, 'hub.mode') !== 'publish') return { problem: 'hub.mode is "publish"' }
  const given = [...new Set([...parameters.getAll('hub.url'), ...parameters.getAll('hub.topic')])]
  const topics = given.flatMap((url) => webAddress(url) ?? [])
  if (given.length === 0 || topics.length < given.length) return { problem: `hub.url is ${AN_ADDRESS}` }
  if (topics.length > MAX_TOPICS) return { problem: `name at most ${MAX_TOPICS} topics at a time` }
  return { topics }
}

/** Whether two spellings are one address: `%7E` is `~`, a default port is none (§5.1.1, URL Standard). */
export function sameUrl(one: string, other: string): boolean {
  return one === other || spelling(one) === spelling(other)
}

/** One spelling for all that are the same address. */
export function spelling(url: string): string {
  const href = URL.parse(url)?.href ?? url
  // Unreserved characters mean themselves, encoded or not (RFC 3986 §2.3).
  return href.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}

function parameter(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name)
  return value === null || value === '' ? undefined : value
}

function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_URL_CHARS || !WEB.test(text)) return undefined
  const url = URL.parse(text)
  // What is before an @ would be sent as a password, and what is behind a # not at all.
  return url === null || url.username !== '' || url.password !== '' || text.includes('#') ? undefined : text
}

const AN_ADDRESS = `an absolute http or https URL of at most ${MAX_URL_CHARS} characters, without user name and fragment`
/** No white space: it would be dropped from an address, and put into a header field it would end it. */
const WEB = /^https?:\/\/[^\s<>"\\]+$/i
const LEASE = /^[1-9]\d{0,9}$/
const SIGNATURE = /^([a-z0-9]{1,16})=((?:[0-9a-f]{2}){1,64})$/i
