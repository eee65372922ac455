import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { componentLine, parseComponent } from './signature-component.ts'
import type { SignedAnswer, SignedMessage } from './signature-component.ts'

const lineOf = (message: SignedMessage | SignedAnswer, text: string): string | undefined => {
  const component = parseComponent(text)
  return component === undefined ? undefined : componentLine(message, component)
}

const request = (url: string, headers: SignedMessage['headers'] = []): SignedMessage => ({
  method: 'POST',
  url,
  headers,
})

// Values as RFC 9421 §2.2 gives them for its examples.
const example = request('https://www.example.com/path?param=value')
const derived: [component: string, message: SignedMessage, line: string][] = [
  ['@method', example, '"@method": POST\n'],
  ['@target-uri', example, '"@target-uri": https://www.example.com/path?param=value\n'],
  ['@authority', example, '"@authority": www.example.com\n'],
  ['@scheme', example, '"@scheme": https\n'],
  ['@request-target', example, '"@request-target": /path?param=value\n'],
  ['@path', example, '"@path": /path\n'],
  ['@query', example, '"@query": ?param=value\n'],
  ['@query', request('https://a.example/x'), '"@query": ?\n'],
  ['@query', request('https://a.example/x?'), '"@query": ?\n'],
  ['@path', request('https://a.example?q'), '"@path": /\n'],
  ['@authority', request('https://A.Example:443/'), '"@authority": a.example\n'],
  ['@authority', request('http://a.example:8080/'), '"@authority": a.example:8080\n'],
  ['@target-uri', request('HTTP://A.example:80/A%2fb?C#d'), '"@target-uri": http://a.example/A%2fb?C\n'],
  [
    '@query-param;name="baz"',
    request('https://a.example/path?param=value&foo=bar&baz=batman&qux='),
    '"@query-param";name="baz": batman\n',
  ],
  [
    '@query-param;name="qux"',
    request('https://a.example/path?param=value&foo=bar&baz=batman&qux='),
    '"@query-param";name="qux": \n',
  ],
  [
    '@query-param;name="fa%C3%A7ade%22%3A%20"',
    request('https://a.example/parameters?bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something'),
    '"@query-param";name="fa%C3%A7ade%22%3A%20": something\n',
  ],
  [
    '@query-param;name="bar"',
    request('https://a.example/parameters?bar=with+plus+whitespace'),
    '"@query-param";name="bar": with%20plus%20whitespace\n',
  ],
]
for (const [component, message, line] of derived) {
  test(`${component} of ${message.url}`, () => assert.equal(lineOf(message, component), line))
}

// §2.1 and §2.1.2.
const fields = request('https://a.example/', [
  ['Cache-Control', 'max-age=60'],
  ['X-Empty', ''],
  ['cache-control', '    must-revalidate'],
  ['Example-Dict', ' a=1,    b=2;x=1;y=2,   c=(a   b   c), d'],
])
const fieldCases: [component: string, line: string | undefined][] = [
  ['cache-control', '"cache-control": max-age=60, must-revalidate\n'],
  ['x-empty', '"x-empty": \n'],
  ['example-dict;key="a"', '"example-dict";key="a": 1\n'],
  ['example-dict;key="b"', '"example-dict";key="b": 2;x=1;y=2\n'],
  ['example-dict;key="c"', '"example-dict";key="c": (a b c)\n'],
  ['example-dict;key="d"', '"example-dict";key="d": ?1\n'],
  ['example-dict;key="e"', undefined],
  ['cache-control;key="max-age"', '"cache-control";key="max-age": 60\n'],
  ['x-not-there', undefined],
  ['cache-control;sf', undefined],
  ['cache-control;bs', undefined],
  ['cache-control;key="a";tr', undefined],
  ['cache-control;req', undefined],
  ['Cache-Control', undefined],
]
for (const [component, line] of fieldCases) {
  test(`the field ${component}`, () => assert.equal(lineOf(fields, component), line))
}

const impossible: [sentence: string, component: string, message: SignedMessage | SignedAnswer][] = [
  ['a status of a request', '@status', example],
  ['a name that is none', '@nothing', example],
  ['a parameter that belongs to fields', '@method;key="a"', example],
  ['a parameter of the query that comes twice', '@query-param;name="a"', request('https://a.example/?a=1&a=2')],
  ['a URL that is none', '@path', request('a.example/x')],
  ['a URL with a password', '@authority', request('https://u:p@a.example/')],
  ['a method with a line feed', '@method', { ...example, method: 'GET\nx: y' }],
  ['a field with a line feed', 'x', request('https://a.example/', [['x', 'a\nb']])],
]
for (const [sentence, component, message] of impossible) {
  test(`${sentence} has no value`, () => assert.equal(lineOf(message, component), undefined))
}

test('an answer has its own fields and its status, and those of the request where that is said', () => {
  const answer = { status: 200, headers: [['x', 'a']] as const, request: request('https://a.example/p', [['x', 'b']]) }
  assert.equal(lineOf(answer, '@status'), '"@status": 200\n')
  assert.equal(lineOf(answer, 'x'), '"x": a\n')
  assert.equal(lineOf(answer, 'x;req'), '"x";req: b\n')
  assert.equal(lineOf(answer, '@path;req'), '"@path";req: /p\n')
  assert.equal(lineOf(answer, '@path'), undefined)
})

test('whatever is asked for of whatever message, nothing is thrown and no value ends its line', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('@query-param;name="a"', 'x;key="a"', '@target-uri', 'x;req'))
  const headers = fc.array(fc.tuple(fc.constantFrom('x', 'X', 'y'), fc.string()))
  const url = fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true }))
  fc.assert(
    fc.property(text, url, headers, (component, target, given) => {
      const line = lineOf(request(target, given), component)
      assert.ok(line === undefined || line.indexOf('\n') === line.length - 1)
    }),
  )
})
