import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callbackPolicy } from './callback-policy.ts'

const origin = 'https://a.example'
const cases: [callback: string, allowPrivate: boolean | string[], expected: RegExp | undefined][] = [
  ['https://crawler.example/x', false, undefined],
  ['http://8.8.8.8/x', false, undefined],
  ['http://127.0.0.1/x', false, /private/],
  ['http://[::1]/x', false, /private/],
  ['http://[::ffff:10.0.0.1]/x', false, /private/],
  ['http://169.254.169.254/latest/meta-data', false, /private/],
  ['http://0x7f000001/x', false, /private/],
  ['http://017700000001/', false, /private/],
  ['http://localhost:8080/', false, /local/],
  ['http://intranet/', false, /local/],
  ['http://printer.local/', false, /local/],
  ['http://db.internal./', false, /local/],
  ['http://127.0.0.1/x', true, undefined],
  ['http://localhost:8080/', true, undefined],
  ['http://127.0.0.1/x', ['127.0.0.0/8'], undefined],
  ['http://10.0.0.1/x', ['127.0.0.0/8'], /private/],
  ['https://a.example/anything', true, /itself/],
  ['no address', true, /no address/],
]
for (const [callback, allowPrivate, expected] of cases) {
  test(`${callback} ${expected === undefined ? 'is called' : 'is not called'} (${String(allowPrivate)})`, () => {
    const fault = callbackPolicy({ origin, allowPrivate }).fault(callback)
    if (expected === undefined) assert.equal(fault, undefined)
    else assert.match(fault ?? '', expected)
  })
}
