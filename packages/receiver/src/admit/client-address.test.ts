import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { proxySet } from '@comity/protocol'
import { clientAddress } from './client-address.ts'

const cases: [sentence: string, remote: string | undefined, forwarded: string | undefined, expected: string][] = [
  ['an address is itself', '192.0.2.7', undefined, '192.0.2.7'],
  ['a mapped IPv4 address is an IPv4 address', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['of IPv6 the network counts', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['a short IPv6 address too', '2001:db8::9', undefined, '2001:db8:0:0::/64'],
  ['what a stranger says of others does not count', '192.0.2.7', '203.0.113.1', '192.0.2.7'],
  ['what a trusted proxy says does', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['of several the last, which the proxy wrote', '10.0.0.1', '198.51.100.1, 203.0.113.1', '203.0.113.1'],
  ['of proxies in a row who the first of them heard', '10.0.0.1', '203.0.113.1, 10.0.0.2', '203.0.113.1'],
  ['a proxy that says nothing readable is the client', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['a connection that has gone is nobody’s', undefined, undefined, ''],
]
for (const [sentence, remote, forwarded, expected] of cases) {
  test(sentence, () => assert.equal(clientAddress(remote, forwarded, proxySet(['10.0.0.1', '10.0.0.2'])), expected))
}

test('two addresses of one network are one client, and nothing makes it throw', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.string(), (address, text) => {
      assert.equal(
        clientAddress(address, undefined, proxySet()),
        clientAddress(address.toUpperCase(), text, proxySet()),
      )
      clientAddress(text, text, proxySet([text]))
    }),
  )
})
