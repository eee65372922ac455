/** Hostile statuses: codes that do not exist, do not fit, or come with strange advice (RFC 9110 §15, §10.2.3). */
import { page } from './case.ts'
import type { HostileCase, HostileVisit } from './case.ts'
import { closing, fineHtml, headOf, htmlType, respond } from '../raw-response.ts'

const body = fineHtml('A page')
const status =
  (line: string, headers: readonly (readonly [string, string])[] = []) =>
  (visit: HostileVisit): Promise<void> =>
    respond(visit, line, body, [htmlType, ...headers])
const retryAfter = (value: string) => status('503 Service Unavailable', [['Retry-After', value]])
const bodyDespite =
  (line: string) =>
  async (visit: HostileVisit): Promise<void> =>
    void (await visit.send(headOf(line, [htmlType, ['Content-Length', String(body.length)], closing]) + body))

// oxfmt-ignore
export const statusCases: readonly HostileCase[] = [
  // RFC 9110 §15: a status outside 100–599 is to be taken as 5xx.
  page('status-999',        'answers 999',                                   'server-error', status('999 Request Denied')),
  page('status-600',        'answers 600',                                   'server-error', status('600 Beyond')),
  page('status-000',        'answers 000',                                   'bad-response', status('000 Nothing')),
  page('status-99999',      'answers with five digits',                      'bad-response', status('99999 Too Many')),
  page('status-word',       'answers with a word for a status',              'bad-response', status('OK fine')),
  page('status-418',        'answers that it is a teapot',                   'client-error', status('418 I’m a teapot')),
  page('status-451',        'answers 451 for legal reasons',                 'client-error', status('451 Unavailable For Legal Reasons')),
  page('status-299',        'answers with a success nobody knows',           'ok', status('299 Fine')),
  page('asks-password',     'asks for a password',                           'client-error', status('401 Unauthorized', [['WWW-Authenticate', 'Basic realm="x"']])),
  page('asks-proxy-password', 'asks for a proxy password',                   'client-error', status('407 Proxy Authentication Required', [['Proxy-Authenticate', 'Basic']])),
  page('unasked-304',       'answers 304 to an unconditional request',       'bad-response', (visit) => void visit.send(headOf('304 Not Modified', [['ETag', '"x"'], closing]))),
  page('unasked-206',       'answers a part of the page nobody asked for',   'truncated', status('206 Partial Content', [['Content-Range', 'bytes 0-9/1000']])),
  page('body-with-204',     'sends a body with 204',                         'ok', bodyDespite('204 No Content')),
  page('body-with-205',     'sends a body with 205',                         'ok', bodyDespite('205 Reset Content')),
  page('body-with-304',     'sends a body with 304',                         'bad-response', bodyDespite('304 Not Modified')),
  page('retry-in-ages',     'asks to come back in 30,000 years',             'busy', retryAfter('1000000000000')),
  page('retry-overflow',    'asks to come back after a number of 400 digits', 'busy', retryAfter('9'.repeat(400))),
  page('retry-negative',    'asks to come back a minute ago',                'busy', retryAfter('-60')),
  page('retry-garbage',     'asks to come back at a time that is none',      'busy', retryAfter('next Blursday')),
  page('retry-past-date',   'asks to come back in 1994',                     'busy', retryAfter('Sun, 06 Nov 1994 08:49:37 GMT')),
  page('retry-far-date',    'asks to come back in the year 9999',            'busy', retryAfter('Fri, 31 Dec 9999 23:59:59 GMT')),
  page('retry-with-429',    'has had too many requests, for two minutes',    'busy', status('429 Too Many Requests', [['Retry-After', '120']])),
  page('megabyte-error',    'answers 500 with a megabyte of apologies',      'server-error', (visit) => respond(visit, '500 Internal Server Error', 'sorry '.repeat(170_000))),
]
