import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { headEnd, isSimpleRequest, oddHeadEnd, readRequestHead, readResponseHead } from './head.ts'

const requests: [sentence: string, text: string, method: string, target: string, version: string, doubts: string[]][] =
  [
    ['a request is read', 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n', 'GET', '/a', '1.1', []],
    ['48: the form for proxies is read', 'GET http://a/b HTTP/1.1\r\n\r\n', 'GET', 'http://a/b', '1.1', []],
    ['48: the form of a tunnel is read', 'CONNECT a:443 HTTP/1.1\r\n\r\n', 'CONNECT', 'a:443', '1.1', []],
    ['48: the asterisk is read', 'OPTIONS * HTTP/1.1\r\n\r\n', 'OPTIONS', '*', '1.1', []],
    ['49: any method is read', 'BREW /pot HTTP/1.0\r\n\r\n', 'BREW', '/pot', '1.0', []],
    ['49: a keyword in small letters is doubted', 'get / http/1.1\r\n\r\n', 'get', '/', '1.1', ['odd-start-line']],
    ['49: a request without a target is doubted', 'GET HTTP/1.1\r\n\r\n', 'GET', '', '1.1', ['odd-start-line']],
    ['49: one without a version is doubted', 'GET /\r\nHost: a\r\n\r\n', 'GET', '/', '0.9', ['odd-version']],
    ['55: blanks in the target are doubted', 'GET /a b HTTP/1.1\r\n\r\n', 'GET', '/a b', '1.1', ['odd-start-line']],
    ['55: two blanks are doubted', 'GET  /a HTTP/1.1\r\n\r\n', 'GET', '/a', '1.1', ['odd-start-line']],
    [
      '55: lines that end with a feed alone are doubted',
      'GET / HTTP/1.1\nHost: a\n\n',
      'GET',
      '/',
      '1.1',
      ['lone-line-feed'],
    ],
    ['55: a lone return is doubted', 'GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n', 'GET', '/', '1.1', ['lone-return']],
    ['55: a folded field is doubted', 'GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n', 'GET', '/', '1.1', ['folded-field']],
    ['55: a blank before the colon is doubted', 'GET / HTTP/1.1\r\nA : b\r\n\r\n', 'GET', '/', '1.1', ['odd-field']],
    ['55: a zero in a value is doubted', 'GET / HTTP/1.1\r\nA: b\0c\r\n\r\n', 'GET', '/', '1.1', ['odd-character']],
    [
      '55: letters of no alphabet we know are left as they are',
      'GET /\xe9 HTTP/1.1\r\nA: \xe9\r\n\r\n',
      'GET',
      '/\xe9',
      '1.1',
      [],
    ],
  ]
for (const [sentence, text, method, target, version, doubts] of requests) {
  test(sentence, () => {
    const head = readRequestHead(text)!
    assert.deepEqual([head.method, head.target, head.version, head.doubts], [method, target, version, doubts])
  })
}

const answers: [sentence: string, text: string, status: number, version: string, doubts: string[]][] = [
  ['an answer is read', 'HTTP/1.1 200 OK\r\nA: b\r\n\r\n', 200, '1.1', []],
  ['56: an answer without a reason is read', 'HTTP/1.1 404\r\n\r\n', 404, '1.1', []],
  ['56: one of HTTP/1.0 is read', 'HTTP/1.0 200 OK\r\n\r\n', 200, '1.0', []],
  ['56: HTTP/1.2 is doubted', 'HTTP/1.2 200 OK\r\n\r\n', 200, '1.2', ['odd-start-line']],
  ['56: a radio is doubted', 'ICY 200 OK\r\n\r\n', 200, '200', ['odd-status']],
  [
    '56: a status that is none is taken for a good one, and doubted',
    'HTTP/1.1 abc OK\r\n\r\n',
    200,
    '1.1',
    ['odd-status'],
  ],
  ['56: blanks before an answer are doubted', '\r\n HTTP/1.1 200 OK\r\n\r\n', 200, '1.1', ['leading-bytes']],
]
for (const [sentence, text, status, version, doubts] of answers) {
  test(sentence, () => {
    const head = readResponseHead(text)!
    assert.deepEqual([head.status, head.version, head.doubts], [status, version, doubts])
  })
}

test('what begins like nothing of HTTP is no head', () => {
  assert.equal(readResponseHead('SSH-2.0\r\n\r\n'), undefined)
  assert.equal(readRequestHead('\x16\x03\x01\r\n\r\n'), undefined)
})

const odd = (fields: string): boolean | undefined =>
  readResponseHead(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n`)?.isFramingOdd
test('55: fields that tell of framing where they should not are told', () => {
  assert.equal(odd('Content-Length: 5'), false)
  assert.equal(odd('X-Odd : 1\r\nContent-Length: 5'), false)
  assert.equal(odd('Content-Length : 5'), true)
  assert.equal(odd('Transfer-Encoding:\r\n chunked'), true)
  assert.equal(odd('X: y\rTransfer-Encoding: chunked'), true, 'where that line begins differs between readers')
  assert.equal(odd('Content-Length: 5\rX: y'), true)
  assert.equal(odd('Content-Length: 5\nX: y'), false)
})

test('55: blanks around a value are spaces and tabs, and nothing else', () => {
  const { headers } = readResponseHead('HTTP/1.1 200 OK\r\nContent-Length: \t 5\xa0 \r\nX:\xa0y\r\n\r\n')!
  assert.deepEqual(headers, [
    ['Content-Length', '5\xa0'],
    ['X', '\xa0y'],
  ])
})

test('55: more fields than anybody sends are not read, and doubted', () => {
  const head = readRequestHead(`GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(600)}\r\n`)!
  assert.equal(head.headers.length, 500)
  assert.deepEqual(head.doubts, ['too-many-fields'])
})

const ends = (text: string): number => headEnd(Buffer.from(text), 0)
test('a head ends with an empty line, whatever ends its lines', () => {
  assert.equal(ends('GET / HTTP/1.1\r\n\r\nrest'), 18)
  assert.equal(ends('GET / HTTP/1.1\n\nrest'), 16)
  assert.equal(ends('GET / HTTP/1.1\n\r\nrest'), 17)
  assert.equal(ends('GET / HTTP/1.1\r\nA: b\r\n'), -1)
  assert.equal(oddHeadEnd(Buffer.from('HTTP/1.1 200 OK\r\n \t\r\nrest')), 21)
  assert.equal(oddHeadEnd(Buffer.from('HTTP/1.1 200 OK\r\nA: b')), -1)
})

test('56: a request of the first HTTP is a line and no more', () => {
  assert.ok(isSimpleRequest('GET /a\r\n'))
  assert.ok(!isSimpleRequest('GET /a HTTP/1.1\r\n'))
  assert.ok(!isSimpleRequest('POST /a\r\n'))
})

test('what is written as it should be is read as it was written, without a doubt', () => {
  const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/)
  const value = fc.stringMatching(/^(?:[!-~]|[!-~][ -~]{0,30}[!-~])?$/)
  const fields = fc.array(fc.tuple(token, value), { maxLength: 20 })
  fc.assert(
    fc.property(token, fc.webPath(), fields, (method, path, headers) => {
      const target = `/${path}`
      const lines = headers.map(([name, text]) => `${name}: ${text}\r\n`).join('')
      const head = readRequestHead(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`)!
      assert.deepEqual([head.method, head.target, head.headers, head.doubts], [method, target, headers, []])
      const answer = readResponseHead(`HTTP/1.1 200 OK\r\n${lines}\r\n`)!
      assert.deepEqual([answer.headers, answer.doubts], [headers, []])
    }),
  )
})

test('no bytes break the reading of heads', () => {
  const words = fc.constantFrom(
    'GET',
    ' ',
    '/',
    'HTTP/1.1',
    '\r\n',
    '\n',
    '\r',
    ':',
    '200',
    'Content-Length',
    '\0',
    '\t',
    'x',
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
      const text = parts.join('')
      readRequestHead(text)
      readResponseHead(text)
      isSimpleRequest(text)
      const bytes = Buffer.from(text, 'latin1')
      assert.ok(headEnd(bytes, 0) <= bytes.length)
      assert.ok(oddHeadEnd(bytes) <= bytes.length)
    }),
  )
})
