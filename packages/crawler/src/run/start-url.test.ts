import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules } from '@comity/protocol'
import { startUrl } from './start-url.ts'

test('an address is canonical, also with an @ behind its host', () => {
  assert.equal(
    startUrl(' HTTP://A.example/@me?to=b@c.example#x', defaultUrlRules),
    'http://a.example/@me?to=b@c.example',
  )
})

const passwords = [
  'http://user:TOPSECRET@a.example/',
  'https://TOPSECRET@a.example',
  'http:\\\\u:TOPSECRET@a.example',
  '  http://u:TOPSECRET@a.example/',
  'ftp://u:TOPSECRET@a.example/',
  'http://u:TOPSECRET@',
  '//u:TOPSECRET@a.example/',
  'u:TOPSECRET@a.example',
]
for (const text of passwords) {
  test(`refused without being quoted: ${text}`, () => {
    assert.throws(
      () => startUrl(text, defaultUrlRules),
      (error: Error & { code?: string }) => error.code === 'SEED_INVALID' && !error.message.includes('TOPSECRET'),
    )
  })
}

test('what is no address is quoted, as far as it is of use', () => {
  assert.throws(
    () => startUrl(`hello${'o'.repeat(1_000)}`, defaultUrlRules),
    /^CrawlError: "hello{1,200}" is not a URL/,
  )
})
