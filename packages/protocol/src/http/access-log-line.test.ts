import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { processorMs } from '../testing/processor-time.ts'
import fc from 'fast-check'
import { MAX_ACCESS_LINE, readAccessLogLine } from './access-log-line.ts'
import { writeAccessLogLine } from '../testing/access-log-writer.ts'
import type { AccessLogFault, LoggedRequest } from './access-log-line.ts'
import { missing, sharedData } from '../testing/shared-data.ts'

const AT = Date.UTC(2015, 4, 17, 10, 5, 3)
const plain: LoggedRequest = {
  address: '83.149.9.216',
  at: AT,
  method: 'GET',
  target: '/a/b.png?x=1',
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 203_023,
}
const TIME = '[17/May/2015:10:05:03 +0000]'
const HEAD = `83.149.9.216 - - ${TIME} "GET /a/b.png?x=1 HTTP/1.1" 200 203023`

// oxfmt-ignore
const read: [sentence: string, line: string, request: LoggedRequest][] = [
  ['common format has neither referrer nor agent', HEAD, plain],
  ['combined format has both', `${HEAD} "http://r.example/" "Bot/1.0"`, { ...plain, referrer: 'http://r.example/', agent: 'Bot/1.0' }],
  ['a dash is nothing, and an agent that says nothing is empty', `${HEAD} "-" "-"`, { ...plain, agent: '' }],
  ['an agent that was not sent is empty', `${HEAD} "http://r.example/" "-"`, { ...plain, referrer: 'http://r.example/', agent: '' }],
  ['what stands behind is left alone', `${HEAD} "-" "Bot/1.0" "10.0.0.1" 0.003`, { ...plain, agent: 'Bot/1.0' }],
  ['quotes and backslashes are escaped by Apache', `${HEAD} "-" "a \\"b\\" \\\\c"`, { ...plain, agent: 'a "b" \\c' }],
  ['and by nginx as bytes', `${HEAD} "-" "a \\x22b\\x22 \\xC3\\xA9"`, { ...plain, agent: 'a "b" é' }],
  ['a virtual host may stand first', `www.a.example:443 ${HEAD}`, { ...plain, host: 'www.a.example:443' }],
  ['a host name may stand in place of an address', HEAD.replace('83.149.9.216', 'client.example'), { ...plain, address: 'client.example' }],
  ['a user may have a name with spaces', HEAD.replace('- -', '- Jane Roe'), { ...plain, user: 'Jane Roe' }],
  ['IPv6', HEAD.replace('83.149.9.216', '2001:db8::1'), { ...plain, address: '2001:db8::1' }],
  ['nothing was sent', HEAD.replace('203023', '-'), { ...plain, bytes: 0 }],
  ['a zone is taken off', HEAD.replace('10:05:03 +0000', '12:05:03 +0200'), plain],
  ['a zone to the west, too', HEAD.replace('10:05:03 +0000', '02:35:03 -0730'), plain],
  ['parts of a second are left out', HEAD.replace('10:05:03', '10:05:03.250'), plain],
  ['spaces in a target are part of it', HEAD.replace('/a/b.png?x=1', '/a b'), { ...plain, target: '/a b' }],
  ['the first HTTP had no version', HEAD.replace(' HTTP/1.1', ''), { ...plain, protocol: '' }],
  ['HTTP/2', HEAD.replace('HTTP/1.1', 'HTTP/2'), { ...plain, protocol: 'HTTP/2' }],
  ['an agent that was cut off with its line is none', `${HEAD} "-" "Moz`, plain],
]
for (const [sentence, line, request] of read)
  test(sentence, () => assert.deepEqual(readAccessLogLine(line), { kind: 'request', request }))

// oxfmt-ignore
const faults: [fault: AccessLogFault, line: string][] = [
  ['empty', ''],
  ['empty', '   '],
  ['too-long', `${HEAD} "${'x'.repeat(MAX_ACCESS_LINE)}"`],
  ['no-address', TIME],
  ['no-time', '83.149.9.216 - - GET /'],
  ['no-time', HEAD.replace('17/May', '31/Jun')],
  ['no-time', HEAD.replace('17/May', '17/Mai')],
  ['no-time', HEAD.replace('10:05:03', '25:05:03')],
  ['no-time', HEAD.replace(']', '')],
  ['no-request', HEAD.replace('GET /a/b.png?x=1 HTTP/1.1', '-')],
  ['bad-request', HEAD.replace('GET /a/b.png?x=1 HTTP/1.1', '\\x16\\x03\\x01')],
  ['bad-request', HEAD.replace('/a/b.png?x=1 ', '')],
  ['bad-request', `83.149.9.216 - - ${TIME} "GET /a`],
  ['no-status', HEAD.replace(' 200 203023', '')],
  ['no-status', HEAD.replace('200', 'OK')],
  ['no-bytes', HEAD.replace(' 203023', '')],
  ['no-bytes', HEAD.replace('203023', 'many')],
]
for (const [fault, line] of faults)
  test(`${line.slice(0, 90)} is malformed: ${fault}`, () =>
    assert.deepEqual(readAccessLogLine(line), { kind: 'malformed', fault }))

const words = (pattern: RegExp): fc.Arbitrary<string> => fc.stringMatching(pattern)
/** What clients send: anything, as long as it is text. */
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text !== '-')
const requests: fc.Arbitrary<LoggedRequest> = fc.record(
  {
    host: words(/^[a-z]{1,9}\.example:[1-9]\d{0,3}$/),
    address: fc.oneof(
      fc.ipV4(),
      fc.ipV6().filter((text) => !text.includes('/')),
    ),
    user: words(/^[a-z]{1,9}$/),
    at: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
    method: fc.constantFrom('GET', 'HEAD', 'POST', 'QUERY'),
    target: anyText.map((text) => `/${text}x`),
    protocol: fc.constantFrom('HTTP/1.0', 'HTTP/1.1', 'HTTP/2', 'HTTP/2.0'),
    status: fc.integer({ min: 100, max: 599 }),
    bytes: fc.nat(),
    referrer: anyText,
    agent: anyText,
  },
  { requiredKeys: ['address', 'at', 'method', 'target', 'protocol', 'status', 'bytes'], noNullPrototype: true },
)

test('what is written is read again as it was', () => {
  fc.assert(
    fc.property(requests, (request) => {
      const isCommon = request.referrer === undefined && request.agent === undefined
      const written = isCommon ? request : { ...request, agent: request.agent ?? '' }
      assert.deepEqual(readAccessLogLine(writeAccessLogLine(request)), { kind: 'request', request: written })
    }),
  )
})

test('no line, however odd, throws or takes long', () => {
  const pieces = fc.constantFrom('"', '\\', '[', ']', ' ', '-', HEAD, TIME, '\\x', '\\x2', '200', 'é', '\n', '\0')
  const lines = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(lines, (line) => void readAccessLogLine(line)),
    { numRuns: 2_000 },
  )
  const began = processorMs()
  for (const long of ['"', '\\', ' ', '[', 'a', '\\"', '\\x41', '" "', ': ', '[ ]', 'a:1 '])
    for (const start of ['', HEAD, HEAD.slice(0, 40), `${HEAD} "`])
      readAccessLogLine(`${start}${long.repeat(60_000 / long.length)}`)
  assert.ok(processorMs() - began < 2_000)
})

test('all lines of a real log are read', (t) => {
  const path = sharedData('logs/elastic-apache_logs.log')
  if (path === undefined) return missing(t, 'logs/elastic-apache_logs.log')
  const kinds = readFileSync(path, 'utf8').trimEnd().split('\n').map(readAccessLogLine)
  assert.equal(kinds.filter(({ kind }) => kind === 'request').length, 10_000)
  const again = kinds.flatMap((line) => (line.kind === 'request' ? [line.request] : []))
  for (const request of again.slice(0, 500))
    assert.deepEqual(readAccessLogLine(writeAccessLogLine(request)), { kind: 'request', request })
})
