import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { newKeyRing, signingKeyOf } from '@comity/protocol'
import { GatewayTrust, readGateways } from './gateway-trust.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-gateway-trust-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const keyOf = (seed: number): ReturnType<typeof signingKeyOf> => signingKeyOf(newKeyRing(Buffer.alloc(32, seed), 0), 1)
const jwkOf = (seed: number): object => {
  const { kty, crv, x } = keyOf(seed).publicKey.export({ format: 'jwk' })
  return { kty, crv, x }
}
const north = { name: 'north', key: jwkOf(1), hosts: ['*.uni.example', 'lab.example:8080', 'one.example'] }
const fileOf = (gateways: unknown): Buffer => Buffer.from(JSON.stringify({ gateways }))
const problemOf = (bytes: Uint8Array): string => {
  const read = readGateways(bytes)
  return typeof read === 'string' ? read : ''
}

let clock = 0
let files = 0
const opened = (gateways: unknown, errors: unknown[] = []): { trust: GatewayTrust; path: string } => {
  const path = join(scratch, `${++files}.json`)
  writeFileSync(path, fileOf(gateways))
  return { trust: new GatewayTrust(path, { now: () => clock, onError: (error) => errors.push(error) }), path }
}

const hosts: [url: string, may: boolean][] = [
  ['http://www.uni.example/a', true],
  ['https://a.b.uni.example:8443/', true],
  ['http://uni.example/', false],
  ['http://evil-uni.example/', false],
  ['http://www.uni.example.evil.test/', false],
  ['http://lab.example:8080/x', true],
  ['http://lab.example/x', false],
  ['http://ONE.example:99/', true],
  ['http://user@one.example/', true],
  ['http://two.example/?one.example', false],
  ['no address', false],
]
for (const [url, may] of hosts) {
  test(`${url} is ${may ? '' : 'not '}for the gateway to speak of`, () => {
    const { trust } = opened([north])
    assert.equal(trust.mayName('north', url), may)
    assert.equal(trust.mayName('south', url), false, 'nor for a gateway that is not listed')
  })
}

test('a key leads to its gateway, each of two while it is changed, and no other', () => {
  const { trust } = opened([{ ...north, key: [jwkOf(1), jwkOf(2)] }])
  assert.deepEqual(
    [1, 2, 3].map((seed) => trust.keyOf(keyOf(seed).keyId)?.name),
    ['north', 'north', undefined],
  )
  assert.deepEqual(trust.names, ['north'])
})

const wrong: [sentence: string, bytes: Buffer, words: RegExp][] = [
  ['no JSON', Buffer.from('gateways:'), /no JSON object with a list of "gateways"/],
  ['no list', fileOf({}), /no JSON object with a list/],
  ['an entry that is none', fileOf(['north']), /gateway 1: it is no JSON object/],
  ['a name with odd letters', fileOf([{ ...north, name: 'a b' }]), /gateway 1: its "name"/],
  ['one name twice', fileOf([north, { ...north, key: jwkOf(2) }]), /north is named twice: list its keys in one entry/],
  ['one key twice', fileOf([north, { ...north, name: 'south' }]), /south has a key that another gateway has/],
  [
    'a private key',
    fileOf([{ ...north, key: { ...jwkOf(1), d: 'x' } }]),
    /"key" of north has to be a public Ed25519 key/,
  ],
  ['no key', fileOf([{ ...north, key: undefined }]), /"key" of north/],
  ['no hosts', fileOf([{ ...north, hosts: [] }]), /"hosts" of north has to list/],
  ['a pattern for everything', fileOf([{ ...north, hosts: ['*'] }]), /"\*" in "hosts" of north is no host/],
  [
    'a URL for a host',
    fileOf([{ ...north, hosts: ['https://a.example/'] }]),
    /is no host: write intranet\.uni\.example/,
  ],
]
for (const [sentence, bytes, words] of wrong) test(`${sentence} is said`, () => assert.match(problemOf(bytes), words))

test('whatever the file holds, reading it gives gateways or a sentence', () => {
  const json = fc.record({ gateways: fc.jsonValue() }).map((value) => Buffer.from(JSON.stringify(value)))
  fc.assert(
    fc.property(fc.oneof(json, fc.uint8Array()), (bytes) => {
      const read = readGateways(bytes)
      assert.ok(typeof read === 'string' ? read.length > 0 : Array.isArray(read))
    }),
  )
})

test('a file that is not there is said when it is opened', () => {
  assert.throws(() => new GatewayTrust(join(scratch, 'none.json'), { now: () => 0 }), {
    code: 'GATEWAYS_INVALID',
    message: /none\.json.+it is not there/,
  })
})

test('a file that changes is read again, and a spoiled one is told once and changes nothing', () => {
  const errors: unknown[] = []
  const { trust, path } = opened([north], errors)
  writeFileSync(path, fileOf([{ ...north, name: 'renamed' }]))
  assert.deepEqual(trust.names, ['north'], 'not at every look')
  clock += 10_000
  assert.deepEqual(trust.names, ['renamed'])
  writeFileSync(path, '{')
  for (let look = 0; look < 3; look++) {
    clock += 10_000
    assert.deepEqual(trust.names, ['renamed'])
  }
  assert.equal(errors.length, 1)
})
