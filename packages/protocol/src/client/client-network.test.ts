import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork } from './client-network.ts'

// oxfmt-ignore
const cases: [address: string, network: string][] = [
  ['192.0.2.1',               '192.0.2.1'],
  ['::ffff:192.0.2.1',        '192.0.2.1'],
  ['::FFFF:192.0.2.1',        '192.0.2.1'],
  ['2001:db8::1',             '2001:db8:0:0::/64'],
  ['2001:0DB8:0:0:1:2:3:4',   '2001:db8:0:0::/64'],
  ['2001:db8:0:1::',          '2001:db8:0:1::/64'],
  ['fe80::1%eth0',            'fe80:0:0:0::/64'],
  ['::1',                     '0:0:0:0::/64'],
  ['unknown',                 'unknown'],
]
for (const [address, network] of cases)
  test(`${address} counts as ${network}`, () => assert.equal(clientNetwork(address), network))
