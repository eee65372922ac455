import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { readRequestHead } from './head.ts'
import { urlOf } from './observed-exchange.ts'

const cases: [sentence: string, line: string, fields: string, url: string | undefined][] = [
  ['48: a path with a host makes a URL', 'GET /a?b HTTP/1.1', 'Host: a.example', 'http://a.example/a?b'],
  ['a host in capitals may be another one to its server', 'GET /a?b HTTP/1.1', 'Host: A.example', undefined],
  ['so may one with a dot at its end', 'GET / HTTP/1.1', 'Host: a.example.', undefined],
  ['and one with a port that goes without saying', 'GET / HTTP/1.1', 'Host: a.example:80', undefined],
  ['48: with a port', 'GET / HTTP/1.1', 'Host: a.example:8080', 'http://a.example:8080/'],
  ['48: with an address of IPv6', 'GET / HTTP/1.1', 'Host: [2001:db8::1]:81', 'http://[2001:db8::1]:81/'],
  ['48: without a host there is none', 'GET / HTTP/1.0', 'A: b', undefined],
  ['48: nor with two of them', 'GET / HTTP/1.1', 'Host: a.example\r\nHost: b.example', undefined],
  ['48: nor with one that is none', 'GET / HTTP/1.1', 'Host: a example', undefined],
  ['48: nor with user information in it', 'GET / HTTP/1.1', 'Host: me@a.example', undefined],
  ['48: nor for an asterisk', 'OPTIONS * HTTP/1.1', 'Host: a.example', undefined],
  ['48: nor for a tunnel', 'CONNECT a.example:443 HTTP/1.1', 'Host: a.example', undefined],
  ['48: the form for proxies is one', 'GET HTTP://a.example/b HTTP/1.1', 'Host: a.example', 'http://a.example/b'],
  ['48: even without a path', 'GET http://a.example HTTP/1.1', 'Host: a.example', 'http://a.example/'],
  ['48: or without a host field', 'GET http://a.example/ HTTP/1.0', 'A: b', 'http://a.example/'],
  ['48: what is said in plain is no page of https', 'GET https://a.example/ HTTP/1.1', 'Host: a.example', undefined],
  ['48: two hosts that differ are none', 'GET http://a.example/ HTTP/1.1', 'Host: b.example', undefined],
  ['48: who asks is never a part of it', 'GET http://me:secret@a.example/ HTTP/1.1', 'Host: a.example', undefined],
  ['48: what is doubted has none', 'get / HTTP/1.1', 'Host : a.example', undefined],
]
for (const [sentence, line, fields, url] of cases) {
  test(sentence, () => assert.equal(urlOf(readRequestHead(`${line}\r\n${fields}\r\n\r\n`)!), url))
}

test('whatever is asked, a URL that comes out can be read by others, and has no user in it', () => {
  const part = fc.stringMatching(/^[!-~]{1,20}$/)
  fc.assert(
    fc.property(part, part, (target, host) => {
      const url = urlOf(readRequestHead(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)!)
      if (url === undefined || !URL.canParse(url)) return
      assert.equal(new URL(url).username, '')
    }),
  )
})
