/**
 * Certificate: X.509 by hand, as little of it as TLS needs (RFC 5280 §4), so that wrong certificates can be made on any
 * machine without a tool: expired, for another name, signed by nobody. Test keys only; they never leave the process.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { Instant } from '@comity/protocol'

export type CertificateFault = 'none' | 'self-signed' | 'expired' | 'not-yet-valid' | 'wrong-name'

export interface Certificate {
  /** PEM, as node:tls takes it. */
  readonly cert: string
  readonly key: string
}

/** A small authority: trust `cert` and only the faults of what it issues are left to find. */
interface Authority {
  readonly cert: string
  issue(host: string, fault: CertificateFault, now: Instant): Certificate
}

const dayMs = 86_400_000

export function createAuthority(now: Instant): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = 'Comity test authority'
  const validity = { from: now - 30 * dayMs, until: now + 365 * dayMs }
  const cert = certificateOf(
    { subject: name, issuer: name, ...validity, key: own.publicKey, isAuthority: true },
    own.privateKey,
  )
  return {
    cert,
    issue: (host, fault, at) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
      const selfSigned = fault === 'self-signed'
      const subject = fault === 'wrong-name' ? 'somebody-else.test' : host
      const facts = {
        subject,
        issuer: selfSigned ? subject : name,
        ...validityOf(fault, at),
        key: pair.publicKey,
        isAuthority: false,
      }
      return {
        cert: certificateOf(facts, selfSigned ? pair.privateKey : own.privateKey),
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

function validityOf(fault: CertificateFault, now: Instant): { from: Instant; until: Instant } {
  if (fault === 'expired') return { from: now - 30 * dayMs, until: now - dayMs }
  if (fault === 'not-yet-valid') return { from: now + dayMs, until: now + 30 * dayMs }
  return { from: now - dayMs, until: now + 30 * dayMs }
}

interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  readonly from: Instant
  readonly until: Instant
  readonly key: KeyObject
  readonly isAuthority: boolean
}

function certificateOf(facts: CertificateFacts, signer: KeyObject): string {
  const algorithm = sequence(identifier('2a8648ce3d040302')) // ecdsa-with-SHA256
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)])), // serial: positive, hard to guess
    algorithm,
    nameOf(facts.issuer),
    sequence(time(facts.from), time(facts.until)),
    nameOf(facts.subject),
    facts.key.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensionsOf(facts))),
  )
  const whole = sequence(signed, algorithm, bitString(sign('sha256', signed, signer)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function extensionsOf({ subject, isAuthority }: CertificateFacts): Buffer[] {
  const yes = tagged(0x01, Buffer.from([0xff]))
  // basicConstraints is critical in an authority (§4.2.1.9).
  if (isAuthority) return [sequence(identifier('551d13'), yes, octets(sequence(yes)))]
  const address = tagged(0x87, Buffer.from(subject.split('.').map(Number)))
  const alternative = isIPv4(subject) ? address : tagged(0x82, Buffer.from(subject))
  return [sequence(identifier('551d11'), octets(sequence(alternative)))]
}

/** DER: tag, length, content. Lengths from 128 up are written as a count of bytes and the bytes. */
function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const hex = content.length.toString(16)
  const size = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const length =
    content.length < 128 ? Buffer.from([content.length]) : Buffer.concat([Buffer.from([0x80 | size.length]), size])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts)
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))
const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes)
const bitString = (bytes: Uint8Array): Buffer => tagged(0x03, Buffer.from([0]), bytes)

/** One common name (2.5.4.3). */
const nameOf = (text: string): Buffer =>
  sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(text)))))

/** UTCTime has two digits for the year and ends in 2049; GeneralizedTime follows (§4.1.2.5). */
function time(at: Instant): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return digits < '2050' ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits))
}
