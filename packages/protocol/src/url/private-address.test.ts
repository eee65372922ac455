import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPrivateAddress, mayVisit } from './private-address.ts'

// oxfmt-ignore
const cases: [address: string, isPrivate: boolean, what: string][] = [
  ['0.0.0.0',               true,  'this host'],
  ['0.255.255.255',         true,  'this network'],
  ['1.0.0.0',               false, 'the first after it'],
  ['9.255.255.255',         false, 'the last before 10/8'],
  ['10.0.0.0',              true,  'the first of 10/8'],
  ['10.255.255.255',        true,  'the last of 10/8'],
  ['11.0.0.0',              false, 'the first after 10/8'],
  ['100.63.255.255',        false, 'before shared address space'],
  ['100.64.0.1',            true,  'shared address space (RFC 6598)'],
  ['100.128.0.0',           false, 'after shared address space'],
  ['127.0.0.1',             true,  'loopback'],
  ['127.255.255.254',       true,  'loopback too'],
  ['169.254.169.254',       true,  'the metadata service of a cloud'],
  ['172.15.255.255',        false, 'before 172.16/12'],
  ['172.16.0.1',            true,  'a private network'],
  ['172.31.255.255',        true,  'the last of 172.16/12'],
  ['172.32.0.0',            false, 'after 172.16/12'],
  ['192.0.0.8',             true,  'protocol assignments'],
  ['192.0.2.1',             true,  'documentation'],
  ['192.88.99.1',           true,  'the old 6to4 relay'],
  ['192.168.1.1',           true,  'a home router'],
  ['192.169.0.0',           false, 'after 192.168/16'],
  ['198.18.0.1',            true,  'benchmarks'],
  ['198.51.100.7',          true,  'documentation'],
  ['203.0.113.7',           true,  'documentation'],
  ['223.255.255.255',       false, 'the last before multicast'],
  ['224.0.0.1',             true,  'multicast'],
  ['255.255.255.255',       true,  'broadcast'],
  ['8.8.8.8',               false, 'a public resolver'],
  ['93.184.216.34',         false, 'a public web server'],
  ['::',                    true,  'unspecified'],
  ['::1',                   true,  'loopback'],
  ['::10.0.0.1',            true,  'IPv4-compatible'],
  ['::ffff:10.0.0.1',       true,  'mapped, private'],
  ['::ffff:8.8.8.8',        true,  'mapped, public: no site is only there'],
  ['::ffff:a00:1',          true,  'mapped, in hexadecimal'],
  ['64:ff9b::808:808',      true,  'NAT64'],
  ['64:ff9b:1::1',          true,  'local NAT64'],
  ['100::1',                true,  'discard'],
  ['2001::1',               true,  'Teredo'],
  ['2001:db8::1',           true,  'documentation'],
  ['2001:4860:4860::8888',  false, 'a public resolver'],
  ['2002:a00:1::',          true,  '6to4 of a private address'],
  ['2606:4700::1111',       false, 'a public server'],
  ['3fff::1',               true,  'documentation (RFC 9637)'],
  ['5f00::1',               true,  'segment routing (RFC 9602)'],
  ['fc00::1',               true,  'unique local'],
  ['fd12:3456::1',          true,  'unique local'],
  ['fe80::1',               true,  'link-local'],
  ['fec0::1',               true,  'site-local'],
  ['ff02::1',               true,  'multicast'],
  ['fe80::1%eth0',          true,  'link-local, with its link'],
  ['2606:4700::1111%1',     true,  'of a link, whatever it looks like'],
  ['0:0:0:0:0:ffff:7f00:1', true,  'mapped, written out'],
  ['2130706433',            true,  'a number: no address, and a host only for the parser of URLs'],
  ['0x7f.1',                true,  'hexadecimal, the same'],
  ['010.0.0.1',             true,  'octal, the same'],
  ['not-an-address',        true,  'no address at all'],
  ['',                      true,  'nothing'],
]
for (const [address, expected, what] of cases) {
  test(`${address || '(empty)'} (${what}) is ${expected ? 'private' : 'public'}`, () => {
    assert.equal(isPrivateAddress(address), expected)
    assert.equal(mayVisit(false)(address), !expected)
  })
}

test('an IPv4 address is private exactly when all of its spellings in IPv6 may not be visited either', () => {
  fc.assert(fc.property(fc.ipV4(), (address) => isPrivateAddress(`::ffff:${address}`)))
})

test('all private addresses may be visited, or those of a list and no others', () => {
  const all = mayVisit(true)
  assert.ok(all('10.0.0.1') && all('::1') && all('8.8.8.8'))
  const some = mayVisit(['127.0.2.0/24', '10.1.2.3', 'fd00::/8'])
  const allowed = ['127.0.2.1', '127.0.2.255', '10.1.2.3', 'fd00::1', '8.8.8.8', '2606:4700::1111']
  const refused = ['127.0.3.1', '127.0.0.1', '10.1.2.4', '::1', '::ffff:10.1.2.3', 'fe80::1', '169.254.169.254']
  assert.deepEqual(
    allowed.filter((one) => !some(one)),
    [],
  )
  assert.deepEqual(refused.filter(some), [])
})

test('what an address of IPv4 is called in IPv6 is allowed by its own network alone', () => {
  for (const [network, inside] of [
    ['::ffff:10.0.0.0/104', '::ffff:10.1.2.3'],
    ['64:ff9b::/96', '64:ff9b::a00:1'],
    ['2002:a00::/24', '2002:a00:1::1'],
  ] as const) {
    assert.equal(mayVisit(['10.0.0.0/8'])(inside), false)
    assert.ok(mayVisit([network])(inside))
    assert.equal(mayVisit([network])('10.1.2.3'), false)
  }
})

const spelt = (low: number): string => `10.${low >>> 16}.${(low >>> 8) & 255}.${low & 255}`

test('every address of a network is inside it and no other is, however the network is written', () => {
  const networks = fc.record({
    address: fc.nat(0xff_ffff),
    prefix: fc.integer({ min: 8, max: 32 }),
    other: fc.nat(0xff_ffff),
  })
  const property = fc.property(networks, ({ address, prefix, other }) => {
    const isInside = (address ^ other) >>> (32 - prefix) === 0 || prefix === 8
    return mayVisit([`${spelt(address)}/${prefix}`])(spelt(other)) === isInside
  })
  fc.assert(property)
})

test('a list is wanted, not a text', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as somebody without types would call it.
  assert.throws(() => mayVisit('10.0.0.0/8' as unknown as string[]), /takes addresses and networks .* in a list/)
})

// oxfmt-ignore
for (const entry of ['10.0.0.0/33', '::/129', '10.0.0/8', 'localhost', '10.0.0.0/', '10.0.0.0/x', '', '10.0.0.0/8/9', '10.0.0.0/08',
  '10.0.0.0/+8', 'fe80::1%eth0', 'fe80::%eth0/10', ' 10.0.0.0/8', '010.0.0.0/8', '0x0a.0.0.0/8', '167772160/8', '[fd00::]/8', '10.0.0.0/8,::1']) {
  test(`"${entry}" is no network`, () => assert.throws(() => mayVisit([entry]), RangeError))
}
