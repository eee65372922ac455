import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkTable, parseNetwork } from './network.ts'

// oxfmt-ignore
const texts: [text: string, isOne: boolean][] = [
  ['10.1.2.3', true], ['10.1.0.0/16', true], ['::1', true], ['fd00::/8', true], ['0.0.0.0/0', true],
  ['10.1.0.0/33', false], ['fd00::/129', false], ['10.1.0.0/016', false], ['10.1.0.0/', false], ['fe80::1%eth0', false],
  ['example.org', false], ['', false], ['10.0.0.0/8/8', false],
]
for (const [text, isOne] of texts) {
  test(`"${text}" is ${isOne ? 'a network' : 'none'}`, () => assert.equal(parseNetwork(text) !== undefined, isOne))
}

const valueOf = networkTable([
  { network: '10.0.0.0/8', value: 'wide' },
  { network: '10.1.0.0/16', value: 'narrow' },
  { network: '2001:db8::/32', value: 'six' },
  { network: 'no network', value: 'never' },
])
// oxfmt-ignore
const addresses: [address: string, value: string | undefined][] = [
  ['10.1.2.3', 'narrow'], ['10.2.0.1', 'wide'], ['192.0.2.1', undefined], ['2001:db8::9', 'six'], ['::1', undefined],
  ['example.org', undefined],
]
for (const [address, value] of addresses) {
  test(`of ${address} ${value ?? 'nothing'} is said, by the narrowest network`, () =>
    assert.equal(valueOf(address), value))
}
