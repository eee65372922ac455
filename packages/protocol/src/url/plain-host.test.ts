import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl } from './canonical-url.ts'
import { plainHost } from './plain-host.ts'

// oxfmt-ignore
const cases: [host: string, scheme: 'http' | 'https', plain: string | undefined][] = [
  ['a.example',           'http',  'a.example'],
  ['WWW.Uni.EXAMPLE',     'http',  'www.uni.example'],
  ['a.example:80',        'http',  'a.example'],
  ['a.example:80',        'https', 'a.example:80'],
  ['a.example:443',       'https', 'a.example'],
  ['a.example:0080',      'http',  'a.example'],
  ['A.example:8080',      'http',  'a.example:8080'],
  ['a.example.',          'http',  'a.example'],
  ['a.example..:80',      'http',  'a.example'],
  ['localhost',           'http',  'localhost'],
  ['my_host',             'http',  'my_host'],
  ['[2001:DB8:0::1]:80',  'http',  '[2001:db8::1]'],
  ['127.1',               'http',  '127.0.0.1'],
  ['0x7f.1',              'http',  '127.0.0.1'],
  ['xn--bcher-kva.de',    'http',  'xn--bcher-kva.de'],
  ['a.example:99999',     'http',  undefined],
  ['.',                   'http',  undefined],
  ['999.999.999.999',     'http',  undefined],
]
for (const [host, scheme, plain] of cases)
  test(`${scheme}: ${host} is ${plain ?? 'no host'}`, () => assert.equal(plainHost(host, scheme), plain))

test('whatever a host is written like, it is the one that a page of it is filed under', () => {
  const label = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/)
  const hosts = fc.tuple(
    fc.array(label, { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '.', ':80', ':443', ':81'),
  )
  fc.assert(
    fc.property(hosts, fc.constantFrom('http' as const, 'https' as const), ([labels, end], scheme) => {
      const plain = plainHost(labels.join('.') + end, scheme)
      const filed = canonicalUrl(`${scheme}://${labels.join('.')}${end}/`)
      assert.equal(plain === undefined ? undefined : `${scheme}://${plain}/`, filed)
    }),
    { numRuns: 2_000 },
  )
})
