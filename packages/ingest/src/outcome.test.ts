import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOMES, isRedirect, outcomeOfError, outcomeOfStatus } from './outcome.ts'
import type { Outcome } from './outcome.ts'

// oxfmt-ignore
const statuses: [status: number, outcome: Outcome][] = [
  [200, 'ok'], [203, 'ok'], [204, 'ok'], [299, 'ok'],
  [206, 'truncated'],
  [301, 'redirect'], [303, 'redirect'], [308, 'redirect'],
  [304, 'bad-response'], [305, 'bad-response'], [399, 'bad-response'], [0, 'bad-response'], [199, 'bad-response'],
  [400, 'client-error'], [404, 'client-error'], [499, 'client-error'],
  [429, 'busy'], [503, 'busy'],
  [500, 'server-error'], [599, 'server-error'], [600, 'server-error'], [999, 'server-error'],
]
for (const [status, outcome] of statuses) {
  test(`status ${status} is ${outcome}`, () => {
    assert.equal(outcomeOfStatus(status), outcome)
    assert.equal(isRedirect(status), outcome === 'redirect')
  })
}

const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code })
// oxfmt-ignore
const errors: [error: Error, outcome: Outcome][] = [
  [coded('UND_ERR_CONNECT_TIMEOUT'),                'timeout-connect'],
  [coded('UND_ERR_HEADERS_TIMEOUT'),                'timeout-headers'],
  [coded('UND_ERR_BODY_TIMEOUT'),                   'timeout-body'],
  [coded('UND_ERR_HEADERS_OVERFLOW'),               'headers-too-large'],
  [coded('UND_ERR_SOCKET', 'other side closed'),    'connection-reset'],
  [coded('UND_ERR_SOCKET', 'bad upgrade'),          'bad-response'],
  [coded('UND_ERR_SOCKET', 'bad response'),         'bad-response'],
  [coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),    'bad-response'],
  [coded('HPE_INVALID_CONSTANT'),                   'bad-response'],
  [coded('ERR_ASSERTION'),                          'bad-response'],
  [coded('ERR_HTTP2_PROTOCOL_ERROR'),               'bad-response'],
  [Object.assign(new Error('?'), { name: 'HTTPParserError' }), 'bad-response'],
  [coded('ECONNRESET'),                             'connection-reset'],
  [coded('EPIPE'),                                  'connection-reset'],
  [coded('ECONNREFUSED'),                           'connection-refused'],
  [coded('EHOSTUNREACH'),                           'unreachable'],
  [coded('ENETUNREACH'),                            'unreachable'],
  [coded('CERT_HAS_EXPIRED'),                       'tls-error'],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'),           'tls-error'],
  [coded('ERR_SSL_WRONG_VERSION_NUMBER'),           'tls-error'],
  [coded('SELF_SIGNED_CERT_IN_CHAIN'),              'tls-error'],
  [coded('PROXY_REFUSED'),                          'proxy-error'],
  [new Error('wrapped', { cause: coded('ECONNREFUSED') }), 'connection-refused'],
  [new Error('nobody knows'),                       'connection-reset'],
]
for (const [error, outcome] of errors) {
  const { code = error.name } = error as { code?: string }
  test(`${code} (${error.message}) is ${outcome}`, () => assert.equal(outcomeOfError(error), outcome))
}

test('every outcome has a sentence, and only those that may come back are troubles of the site', () => {
  for (const [name, { sentence, disposition, siteTrouble }] of Object.entries(OUTCOMES)) {
    assert.match(sentence, /^\S.*[^.]$/, name)
    assert.ok(!siteTrouble || disposition === 'retry', name)
  }
})
