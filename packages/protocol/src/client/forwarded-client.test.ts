import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clientIn, forwardedClient, plainAddress, proxySet } from './forwarded-client.ts'

// oxfmt-ignore
const addresses: [written: string, plain: string | undefined][] = [
  ['192.0.2.7',                '192.0.2.7'],
  ['::1',                      '::1'],
  ['0:0:0:0:0:0:0:1',          '::1'],
  ['0000:0000::0001',          '::1'],
  ['2001:DB8:0:0::9',          '2001:db8::9'],
  ['::ffff:192.0.2.7',         '192.0.2.7'],
  ['::FFFF:c000:207',          '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
  ['fe80::1%eth0',             'fe80::1'],
  ['unknown',                  undefined],
  ['192.0.2.07',               undefined],
  ['192.0.2.7:80',             undefined],
  ['',                         undefined],
]
for (const [written, plain] of addresses)
  test(`the address "${written}" is ${plain ?? 'none'}`, () => assert.equal(plainAddress(written), plain))

const OURS = ['10.0.0.1', '10.0.0.2', '0:0:0:0:0:0:0:1', '::ffff:10.0.0.3']
// oxfmt-ignore
const cases: [sentence: string, remote: string | undefined, forwarded: string | undefined, client: string][] = [
  ['an address is itself',                                   '192.0.2.7',          undefined,                            '192.0.2.7'],
  ['what a stranger says of others does not count',          '192.0.2.7',          '203.0.113.1',                        '192.0.2.7'],
  ['what a proxy of ours says does',                         '10.0.0.1',           '203.0.113.1',                        '203.0.113.1'],
  ['of several the last, which the proxy wrote',             '10.0.0.1',           '198.51.100.1, 203.0.113.1',          '203.0.113.1'],
  ['proxies of ours in a row are passed over',               '10.0.0.1',           '6.6.6.6, 203.0.113.1, 10.0.0.2',     '203.0.113.1'],
  ['also those that are written otherwise',                  '::ffff:10.0.0.1',    '203.0.113.1,::FFFF:a00:2,10.0.0.3',  '203.0.113.1'],
  ['a loopback in full is the one in short',                 '::1',                '203.0.113.1, 0::1',                  '203.0.113.1'],
  ['a client cannot hide behind a name of ours',             '10.0.0.1',           '10.0.0.2, 203.0.113.1',              '203.0.113.1'],
  ['where all are ours, it is the first of them',            '10.0.0.1',           '10.0.0.3, 10.0.0.2',                 '10.0.0.3'],
  ['a port is no part of it',                                '10.0.0.1',           '203.0.113.1:5678',                   '203.0.113.1'],
  ['nor one of IPv6',                                        '10.0.0.1',           '[2001:db8::9]:443',                  '2001:db8::9'],
  ['brackets alone are read, too',                           '10.0.0.1',           '6.6.6.6, [2001:DB8::9]',             '2001:db8::9'],
  ['a proxy with a port is passed over',                     '10.0.0.1',           '203.0.113.1, 10.0.0.2:4711',         '203.0.113.1'],
  ['a proxy that says nothing readable is the client',       '10.0.0.1',           'unknown',                            '10.0.0.1'],
  ['so is the last in a row whose word can be read',         '10.0.0.1',           '6.6.6.6, _hidden, 10.0.0.2',         '10.0.0.2'],
  ['an empty word is none',                                  '10.0.0.1',           '',                                   '10.0.0.1'],
  ['so is one behind a comma',                               '10.0.0.1',           '203.0.113.1,',                       '10.0.0.1'],
  ['a connection that has gone is nobody’s',                 undefined,            '203.0.113.1',                        ''],
]
for (const [sentence, remote, forwarded, client] of cases)
  test(sentence, () => assert.equal(forwardedClient(remote, forwarded, proxySet(OURS)), client))

test('whatever a client writes before, whom our proxies heard is who it is', () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6())
  const proxies = proxySet(OURS)
  fc.assert(
    fc.property(fc.string(), address, fc.array(fc.constantFrom(...OURS), { maxLength: 4 }), (said, heard, chain) => {
      const plain = plainAddress(heard)!
      fc.pre(!proxies.has(plain))
      assert.equal(clientIn([said, heard, ...chain].join(', '), proxies), plain)
      clientIn(said, proxies)
      forwardedClient(said, said, proxySet([said]))
    }),
  )
})
