import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isKeyFile,
  isKeyFileType,
  isUnderKeyLocation,
  keyFileUrl,
  MAX_INDEXNOW_URLS,
  parseIndexNow,
  writeIndexNow,
} from './indexnow.ts'
import type { IndexNow } from './indexnow.ts'

const key = '73134416ae45434d98edc086e0bf6740'
const none = new Uint8Array(0)
const get = (values: Readonly<Record<string, string>>): ReturnType<typeof parseIndexNow> =>
  parseIndexNow('GET', new URLSearchParams(values).toString(), undefined, none)
const post = (json: unknown, type = 'application/json; charset=utf-8'): ReturnType<typeof parseIndexNow> =>
  parseIndexNow('POST', '', type, Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)))
const list = { host: 'www.example.com', key, urlList: ['https://www.example.com/url1', 'http://www.example.com/a/b'] }

const cases: [sentence: string, read: ReturnType<typeof parseIndexNow>, expected: IndexNow | number][] = [
  [
    'one address by GET',
    get({ url: 'https://www.example.com/product.html', key }),
    { host: 'www.example.com', key, urls: ['https://www.example.com/product.html'] },
  ],
  [
    'one address below the folder of its key',
    get({ url: 'https://a.example/catalog/1', key, keyLocation: 'https://a.example/catalog/key.txt' }),
    {
      host: 'a.example',
      key,
      keyLocation: 'https://a.example/catalog/key.txt',
      urls: ['https://a.example/catalog/1'],
    },
  ],
  ['several by POST, of both schemes', post(list), { host: 'www.example.com', key, urls: list.urlList }],
  ['an empty keyLocation is none', post({ ...list, keyLocation: '' }), { host: list.host, key, urls: list.urlList }],
  [
    'a host in capitals is the same host',
    post({ ...list, host: 'WWW.Example.com' }),
    { host: 'www.example.com', key, urls: list.urlList },
  ],
  ['an address beside the folder of its key', post({ ...list, keyLocation: 'https://www.example.com/a/k.txt' }), 422],
  ['a key file on another host', post({ ...list, keyLocation: 'https://evil.example/k.txt' }), 422],
  ['an address of another host', post({ ...list, urlList: ['https://evil.example/'] }), 422],
  ['an address on another port', post({ ...list, urlList: ['https://www.example.com:8443/'] }), 422],
  ['no address', get({ key }), 400],
  ['an address that is relative', get({ url: '/x', key }), 400],
  ['a key that is too short', get({ url: 'https://a.example/', key: 'abcdefg' }), 400],
  ['a key with a slash', get({ url: 'https://a.example/', key: '../../etc/passwd' }), 400],
  ['no key', post({ ...list, key: undefined }), 400],
  ['an empty list', post({ ...list, urlList: [] }), 400],
  ['a list with a number', post({ ...list, urlList: [1] }), 400],
  ['a host with a path', post({ ...list, host: 'www.example.com/x' }), 400],
  [
    'a body that a careless library sent',
    post(list, 'text/plain;charset=UTF-8'),
    { host: list.host, key, urls: list.urlList },
  ],
  ['another type of body', post(list, 'application/x-www-form-urlencoded'), 400],
  ['no JSON', post('{'), 400],
  ['a JSON list', post('[]'), 400],
  ['another method', parseIndexNow('PUT', '', undefined, none), 405],
]
for (const [sentence, read, expected] of cases) {
  test(`IndexNow: ${sentence}`, () => {
    if (typeof expected === 'number') assert.equal('status' in read ? read.status : 'taken', expected)
    else assert.deepEqual(read, { notice: expected })
  })
}

// What a stranger can make somebody's host answer with: pages that repeat what they are asked, and files that users may put there.
const keyLocations: [sentence: string, location: string, expected: number | 'taken'][] = [
  ['a text file at the root', `https://a.example/${key}.txt`, 'taken'],
  ['a text file of any name', 'https://a.example/keys/indexnow-key.txt', 'taken'],
  ['a folder in another script', 'https://a.example/caf%C3%A9/k.txt', 'taken'],
  ['a file without TLS, for addresses with it,', `http://a.example/${key}.txt`, 422],
  ['a page that repeats its query', `https://a.example/echo.txt?text=${key}`, 400],
  ['an empty query', `https://a.example/${key}.txt?`, 400],
  ['a fragment', `https://a.example/${key}.txt#x`, 400],
  ['a page that repeats the end of its path', `https://a.example/echo/${key}`, 400],
  ['a page', 'https://a.example/pages/indexnow', 400],
  ['a folder', 'https://a.example/keys/', 400],
  ['a page with a parameter of its path', `https://a.example/echo;text=${key}.txt`, 400],
  ['a query whose mark is hidden', 'https://a.example/echo%3f.txt', 400],
  ['a query whose mark is hidden twice', 'https://a.example/echo%253fx=.txt', 400],
  ['a fragment whose mark is hidden', 'https://a.example/echo%23.txt', 400],
  ['a parameter whose mark is hidden', 'https://a.example/echo%26k%3Dx.txt', 400],
  ['a line that ends early', 'https://a.example/echo%0d%0a.txt', 400],
  ['a tab', 'https://a.example/echo%09.txt', 400],
  ['a folder above that is hidden', 'https://a.example/uploads/..%2fk.txt', 400],
  ['a letter that is hidden', 'https://a.example/uploads/%6b.txt', 400],
  ['an ending whose dot is hidden', 'https://a.example/uploads/k%2etxt.txt', 400],
  ['a name with a blank', 'https://a.example/my%20files/k.txt', 'taken'],
  ['somebody’s own folder', 'https://a.example/%7Esomebody/k.txt', 'taken'],
  ['an upload whose slash is hidden', 'https://a.example/uploads%2Fk.txt', 400],
  ['an upload whose slash is hidden twice', 'https://a.example/uploads%252fk.txt', 400],
  ['an upload behind a backslash', 'https://a.example/uploads%5Ck.txt', 400],
  ['a name that ends before its ending', 'https://a.example/uploads/x.php%00.txt', 400],
  ['two slashes', 'https://a.example//k.txt', 400],
  ['a password', `https://u:p@a.example/${key}.txt`, 400],
  ['another port', `https://a.example:8443/${key}.txt`, 422],
  ['a subdomain', `https://www.a.example/${key}.txt`, 422],
  ['another scheme', `ftp://a.example/${key}.txt`, 400],
  ['the name of what every object has', 'constructor', 400],
]
for (const [sentence, keyLocation, expected] of keyLocations) {
  test(`keyLocation: ${sentence} is ${expected === 'taken' ? 'where a key may stand' : `refused with ${expected}`}`, () => {
    const url = keyLocation.startsWith('https://a.example/') ? new URL('.', keyLocation).href : 'https://a.example/'
    for (const read of [get({ url, key, keyLocation }), post({ host: 'a.example', key, keyLocation, urlList: [url] })])
      assert.equal('status' in read ? read.status : 'taken', expected)
  })
}

test('a key file without TLS speaks for addresses without TLS', () => {
  const keyLocation = `http://a.example/${key}.txt`
  assert.ok('notice' in get({ url: 'http://a.example/1', key, keyLocation }))
})

test('ten thousand addresses are the most, both ways', () => {
  const urls = Array.from({ length: MAX_INDEXNOW_URLS }, (_, i) => `https://a.example/${i}`)
  const notice = { host: 'a.example', key, urls }
  assert.deepEqual(post(writeIndexNow(notice)), { notice })
  assert.throws(() => writeIndexNow({ ...notice, urls: [...urls, 'https://a.example/one-more'] }), RangeError)
  const read = post({ host: 'a.example', key, urlList: [...urls, 'https://a.example/one-more'] })
  assert.equal('status' in read ? read.status : 0, 400)
})

test('a key file is looked for at the root, or where it is said to be', () => {
  const notice = { host: 'a.example:8080', key, urls: ['http://a.example:8080/x'] }
  assert.equal(keyFileUrl(notice), `http://a.example:8080/${key}.txt`)
  assert.equal(keyFileUrl({ ...notice, urls: ['https://a.example:8080/x'] }), `https://a.example:8080/${key}.txt`)
  const keyLocation = 'https://a.example/b/k.txt'
  assert.equal(keyFileUrl({ ...notice, keyLocation }), keyLocation)
})

const types: [type: string | undefined, expected: boolean][] = [
  [undefined, true],
  ['text/plain', true],
  ['Text/Plain; charset=utf-8', true],
  ['application/octet-stream', true],
  ['binary/octet-stream', true],
  ['text/html', false],
  ['application/json', false],
  ['text/javascript', false],
  ['image/svg+xml', false],
  ['constructor', false],
]
for (const [type, expected] of types) {
  test(`a key that comes as ${type} ${expected ? 'may be' : 'is no'} key file`, () => {
    assert.equal(isKeyFileType(type), expected)
  })
}

const files: [content: string, expected: boolean][] = [
  [key, true],
  [`${key}\r\n`, true],
  [`\uFEFF${key}`, true],
  [`<html>${key}</html>`, false],
  [`${key} ${key}`, false],
  ['', false],
  [' '.repeat(2_000) + key, false],
]
for (const [content, expected] of files) {
  test(`a file of ${JSON.stringify(content.slice(0, 50))} is ${expected ? 'the' : 'no'} key file`, () => {
    assert.equal(isKeyFile(Buffer.from(content), key), expected)
  })
}

const under: [url: string, location: string, expected: boolean][] = [
  ['https://a.example/catalog/1', 'https://a.example/catalog/k.txt', true],
  ['http://a.example/catalog/1', 'https://a.example/catalog/k.txt', true],
  ['https://a.example/catalogue', 'https://a.example/catalog/k.txt', false],
  ['https://a.example/help/1', 'https://a.example/catalog/k.txt', false],
  ['https://a.example/catalog/../help', 'https://a.example/catalog/k.txt', false],
  ['https://b.example/catalog/1', 'https://a.example/catalog/k.txt', false],
  ['https://a.example/catalog/..%2Fhelp', 'https://a.example/catalog/k.txt', false],
  ['https://a.example/catalog/%2e%2E%5chelp', 'https://a.example/catalog/k.txt', false],
  ['https://a.example/catalog/..;/help', 'https://a.example/catalog/k.txt', false],
  ['https://a.example/catalog/a%2Fb', 'https://a.example/catalog/k.txt', true],
  ['https://a.example/..%2Fhelp', 'https://a.example/k.txt', true],
  ['https://a.example/catalog/1', 'http://a.example/catalog/k.txt', false],
  ['http://a.example/catalog/1', 'http://a.example/catalog/k.txt', true],
  ['https://a.example/', 'https://a.example/k.txt', true],
  ['none', 'https://a.example/k.txt', false],
]
for (const [url, location, expected] of under) {
  test(`${location} ${expected ? 'speaks' : 'does not speak'} for ${url}`, () => {
    assert.equal(isUnderKeyLocation(url, location), expected)
  })
}

const keys = fc.stringMatching(/^[A-Za-z0-9-]{8,128}$/)

test('a notice is read as it was written, by POST and by GET', () => {
  const paths = fc.array(fc.webPath(), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.webAuthority(), paths, keys, (authority, pathnames, ownKey) => {
      const { host } = new URL(`https://${authority}/`)
      const urls = pathnames.map((path) => new URL(`https://${host}/x${path}`).href)
      fc.pre(host.length <= 253)
      const notice = { host, key: ownKey, urls }
      assert.deepEqual(post(writeIndexNow(notice)), { notice })
      const form = new URLSearchParams({ url: urls[0]!, key: ownKey })
      assert.deepEqual(parseIndexNow('GET', form.toString(), undefined, none), {
        notice: { host, key: ownKey, urls: urls.slice(0, 1) },
      })
    }),
  )
})

test('nothing that a stranger sends makes the reader throw, and no address of another host passes', () => {
  const values = fc.oneof(
    fc.string(),
    fc.webUrl(),
    keys,
    fc.constant(null),
    fc.array(fc.oneof(fc.webUrl(), fc.string())),
  )
  const jsons = fc.dictionary(fc.constantFrom('host', 'key', 'keyLocation', 'urlList', 'x'), values)
  fc.assert(
    fc.property(
      fc.oneof(
        jsons.map((json) => JSON.stringify(json)),
        fc.string(),
      ),
      fc.string(),
      (text, query) => {
        for (const read of [post(text), parseIndexNow('GET', query, undefined, none)]) {
          if ('problem' in read) continue
          for (const url of read.notice.urls) assert.equal(new URL(url).host, read.notice.host)
        }
      },
    ),
    { numRuns: 500 },
  )
})
