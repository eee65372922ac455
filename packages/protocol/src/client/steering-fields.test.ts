import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOST_FIELDS, isSteered, STEERING_FIELDS } from './steering-fields.ts'

test('whatever has a request answered for something else steers it, in any case', () => {
  for (const name of STEERING_FIELDS) {
    assert.ok(isSteered([[name, '/']], 'a.example'))
    assert.ok(isSteered([[name.toUpperCase(), '']], 'a.example'))
    assert.ok(isSteered([[name.replaceAll('-', '_'), '']], 'a.example'))
  }
})

// oxfmt-ignore
const hosts: [steers: boolean, name: string, value: string][] = [
  [true,  'X-Forwarded-Host', 'b.example'],
  [true,  'x-host',           'b.example'],
  [true,  'X-Forwarded-Host', 'a.example, b.example'],
  [false, 'X-Forwarded-Host', 'A.example'],
  [false, 'X-Forwarded-For',  '192.0.2.1'],
  [false, 'constructor',      'b.example'],
  [true,  'X-Original-Host',  'b.example'],
  [true,  'X_Forwarded_Host', 'b.example'],
  [true,  'X-Requested-With', 'XMLHttpRequest'],
  [true,  'HX-Request',       'true'],
  [true,  'Content-Length',   '5'],
  [true,  'Transfer-Encoding', 'chunked'],
  [false, 'Content-Length',   '0'],
  [false, 'X-Forwarded-Proto', 'https'],
  [false, 'X-Forwarded-Prefix', '/a'],
]
for (const name of HOST_FIELDS) hosts.push([true, name, 'b.example'], [false, name, 'a.example'])

for (const [steers, name, value] of hosts) {
  test(`${name}: ${value} ${steers ? 'steers' : 'does not steer'} a request for a.example`, () =>
    assert.equal(isSteered([[name, value]], 'a.example'), steers))
}
