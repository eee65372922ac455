import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { createAuthority } from './certificate.ts'

const now = Date.UTC(2026, 5, 1)
const authority = createAuthority(now)
const issued = (host: string, fault: Parameters<typeof authority.issue>[1]): X509Certificate =>
  new X509Certificate(authority.issue(host, fault, now).cert)

test('an authority signs what it issues and itself', () => {
  const root = new X509Certificate(authority.cert)
  assert.ok(root.ca && root.verify(root.publicKey))
  const leaf = issued('127.0.2.1', 'none')
  assert.ok(leaf.verify(root.publicKey) && leaf.checkIssued(root) && !leaf.ca)
})

test('a certificate is for its address or its name', () => {
  assert.equal(issued('127.0.2.1', 'none').checkIP('127.0.2.1'), '127.0.2.1')
  assert.equal(issued('shop.test', 'none').checkHost('shop.test'), 'shop.test')
  assert.equal(issued('127.0.2.1', 'wrong-name').checkIP('127.0.2.1'), undefined)
})

test('the faults are in the dates and the signature', () => {
  assert.ok(Date.parse(issued('a.test', 'expired').validTo) < now)
  assert.ok(Date.parse(issued('a.test', 'not-yet-valid').validFrom) > now)
  const alone = issued('a.test', 'self-signed')
  assert.ok(alone.verify(alone.publicKey))
  assert.equal(alone.issuer, alone.subject)
})

test('dates past 2049 take the longer form', () => {
  const late = Date.UTC(2060, 0, 1)
  assert.equal(new Date(new X509Certificate(createAuthority(late).cert).validFrom).getUTCFullYear(), 2059)
})
