import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { looksSecret } from './secret-address.ts'

// oxfmt-ignore
const plain = [
  '/', '/index.html', '/a/b/c', '/2024/11/16/how-to-make-bread-in-10-minutes', '/wiki/List_of_ISO_639-1_codes', '/20241116123456789012345678',
  '/docs/AbstractSingletonProxyFactoryBean.html', '/articles/the-quick-brown-fox-jumps-over-the-lazy-dog-again', '/p/12345678901234567890123456789012',
  '/rfc/rfc9110.html', '/watch/dQw4w9WgXcQ', '/commit/1a2b3c4', '/B%C3%BCcher/%C3%9Cbersicht/Stra%C3%9Fe', '/constructor/__proto__',
  '/news/covid-19-cases-in-2021-and-2022-by-country', '/deadbeefdeadbeefdeadbeefdeadbeef',
]
for (const path of plain) test(`${path} is no secret`, () => assert.equal(looksSecret(path), false))

// oxfmt-ignore
const secret = [
  '/reset/eyJhbGciOiJIUzI1NiJ9.eyJ1IjoxfQ.c2ln', '/share/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/s/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
  '/invite/k3j9x0f2m8q1z7w5t4y6.html', '/files/d41d8cd98f00b204e9800998ecf8427e.pdf', '/i/01ARZ3NDEKTSV4RRFFQ69G5FAV/view', '/x/D41D8CD98F00B204E9800998ECF8427E',
]
for (const path of secret) test(`${path} may be one`, () => assert.ok(looksSecret(path)))

test('what is made at random is found out, nearly always', () => {
  const makers = [
    (): string => randomUUID(),
    (): string => randomBytes(16).toString('hex'),
    (): string => randomBytes(16).toString('base64url'),
    (): string => randomBytes(32).toString('base64url'),
  ]
  for (const make of makers) {
    const found = Array.from({ length: 500 }, () => looksSecret(`/share/${make()}`)).filter(Boolean).length
    assert.ok(found > 450, `${found} of 500: ${make()}`)
  }
})
