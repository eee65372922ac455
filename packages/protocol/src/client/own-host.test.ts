import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAskedFromElsewhere, ownHost } from './own-host.ts'

const asked = (headers: Readonly<Record<string, string>>, method = 'GET'): Parameters<typeof ownHost>[0] => ({
  method,
  header: (name) => new Map(Object.entries(headers)).get(name),
})

// oxfmt-ignore
const hosts: [host: string, own: string | undefined][] = [
  ['127.0.0.1:8080', '127.0.0.1:8080'], ['[::1]:80', '[::1]'], ['LOCALHOST', 'localhost'], ['0x7f.1', '127.0.0.1'],
  ['search.intranet', 'search.intranet'], ['192.0.2.7', '192.0.2.7'],
  ['evil.example', undefined], ['127.0.0.1.evil.example', undefined], ['localhost.evil.example', undefined],
  ['a@127.0.0.1', undefined], ['127.0.0.1/x', undefined], ['', undefined], ['localhost.', undefined],
  ['constructor', undefined], ['__proto__', undefined], ['a'.repeat(300), undefined],
]
for (const [host, own] of hosts)
  test(`the host ${JSON.stringify(host.slice(0, 40))} is ${own === undefined ? 'not ' : ''}ours`, () =>
    assert.equal(ownHost(asked({ host }), ['search.intranet']), own))

test('no host at all is not ours', () => assert.equal(ownHost(asked({}), []), undefined))

// oxfmt-ignore
const pages: [sentence: string, headers: Record<string, string>, isElsewhere: boolean][] = [
  ['no browser',                   {},                                                                      false],
  ['our own page',                 { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1' },         false],
  ['a link from elsewhere',        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },        false],
  ['a script elsewhere',           { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },            true],
  ['another port of this machine', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },          true],
  ['an origin that is none',       { origin: 'null' },                                                      true],
]
for (const [sentence, headers, isElsewhere] of pages)
  test(`asked by ${sentence}`, () => assert.equal(isAskedFromElsewhere(asked(headers), '127.0.0.1'), isElsewhere))
