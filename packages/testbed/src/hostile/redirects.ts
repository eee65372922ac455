/** Hostile redirects: round in circles, on for ever, or to where a crawler has no business (RFC 9110 §15.4). */
import { page } from './case.ts'
import type { HostileCase, HostileVisit, VisitOutcome } from './case.ts'
import { finePage, fineHtml, htmlType, respond } from '../raw-response.ts'

const redirect = (visit: HostileVisit, location: string, status = '302 Found'): Promise<void> =>
  respond(visit, status, fineHtml('Moved'), [htmlType, ['Location', location]])

type Row = readonly [name: string, location: string, what: string]

/** To an address nobody outside may reach through a crawler, in the many ways to write one (RFC 1918, RFC 4291). */
// oxfmt-ignore
const privateTargets: readonly Row[] = [
  ['redirect-to-private',         'http://10.0.0.1/',                     'a private address'],
  ['redirect-to-private-172',     'http://172.16.0.1/',                   'another private address'],
  ['redirect-to-private-192',     'http://192.168.1.1/admin',             'a home router'],
  ['redirect-to-metadata',        'http://169.254.169.254/latest/',       'the metadata service of a cloud'],
  ['redirect-to-ipv6-loopback',   'http://[::1]/',                        'the IPv6 loopback'],
  ['redirect-to-mapped-private',  'http://[::ffff:10.0.0.1]/',            'a private address mapped into IPv6'],
  ['redirect-to-unique-local',    'http://[fd00::1]/',                    'a unique local IPv6 address'],
  ['redirect-to-link-local',      'http://[fe80::1]/',                    'a link-local IPv6 address'],
  ['redirect-to-decimal-private', 'http://167772161/',                    'a private address as one decimal number'],
  ['redirect-to-octal-private',   'http://012.0.0.01/',                   'a private address in octal'],
  ['redirect-to-hex-metadata',    'http://0xa9fea9fe/',                   'the metadata service in hexadecimal'],
  ['redirect-to-short-private',   'http://10.1/',                         'a private address in two parts'],
  ['redirect-to-wide-digits',     'http://１０.0.0.1/',                    'a private address in full-width digits'],
  ['redirect-to-nobody',          'http://0.0.0.0/',                      'the unspecified address'],
  ['redirect-to-broadcast',       'http://255.255.255.255/',              'the broadcast address'],
]

/** To what is no page of the Web. */
// oxfmt-ignore
const strangeTargets: readonly Row[] = [
  ['redirect-to-file',       'file:///etc/passwd',                'a file'],
  ['redirect-to-javascript', 'javascript:alert(1)',               'a script'],
  ['redirect-to-data',       'data:text/html,<p>hello',           'a data URL'],
  ['redirect-to-mail',       'mailto:someone@example.org',        'a mail address'],
  ['redirect-to-ftp',        'ftp://example.org/',                'an FTP server'],
  ['redirect-to-gopher',     'gopher://127.0.0.1:25/_HELO',       'a gopher URL that speaks to a mail server'],
  ['redirect-to-blob',       'blob:https://example.org/1',        'a blob URL'],
]

const to =
  (expect: VisitOutcome) =>
  ([name, location, what]: Row): HostileCase =>
    page(name, `redirects to ${what}`, expect, (visit) => redirect(visit, Buffer.from(location).toString('latin1')))

export const redirectCases: readonly HostileCase[] = [
  page('redirect-to-itself', 'redirects to itself', 'redirect-loop', (visit) => redirect(visit, `${visit.base}/`)),
  page('redirect-to-here', 'redirects with an empty reference, which means itself', 'redirect-loop', (visit) =>
    redirect(visit, ''),
  ),
  page('redirect-to-fragment', 'redirects to a fragment of itself', 'redirect-loop', (visit) =>
    redirect(visit, `${visit.base}/#again`),
  ),
  page('redirect-cycle', 'redirects from one page to another and back', 'redirect-loop', (visit) =>
    redirect(visit, `${visit.base}${visit.path === '/other' ? '/' : '/other'}`),
  ),
  page('endless-redirects', 'redirects to a new URL each time', 'redirect-too-long', (visit) =>
    redirect(visit, `${visit.base}/${(Number(visit.path.slice(1)) || 0) + 1}`),
  ),
  page('growing-redirects', 'redirects to a longer URL each time', 'redirect-out-of-scope', (visit) =>
    redirect(visit, `${visit.base}${visit.path}${'longer/'.repeat(100)}`),
  ),
  page('ten-redirects', 'reaches its page after ten redirects', 'ok', (visit) => {
    const hop = Number(visit.path.slice(1)) || 0
    return hop === 10 ? finePage(visit) : redirect(visit, `${visit.base}/${hop + 1}`)
  }),
  page('one-redirect', 'reaches its page after one redirect', 'ok', (visit) =>
    visit.path === '/there' ? finePage(visit) : redirect(visit, `${visit.base}/there`, '308 Permanent Redirect'),
  ),
  ...privateTargets.map(to('address-refused')),
  ...strangeTargets.map(to('redirect-nowhere')),
  page('redirect-to-mail-port', 'redirects to port 25 of its own address', 'connection-refused', (visit) =>
    redirect(visit, `http://${new URL(visit.origin).hostname}:25/`),
  ),
  page('redirect-to-credentials', 'redirects to itself with a user name and password', 'redirect-loop', (visit) =>
    redirect(visit, `${visit.origin.replace('://', '://user:secret@')}${visit.base}/`),
  ),
  page('redirect-without-location', 'redirects and does not say where', 'redirect-nowhere', (visit) =>
    respond(visit, '302 Found', fineHtml('Moved')),
  ),
  page('redirect-to-broken-url', 'redirects to something that is no URL', 'redirect-nowhere', (visit) =>
    redirect(visit, 'http://[broken'),
  ),
  page('redirect-to-megabyte', 'redirects to a URL of a megabyte', 'headers-too-large', (visit) =>
    redirect(visit, `/${'x'.repeat(1_000_000)}`),
  ),
  page('redirect-to-long-url', 'redirects to a URL of 12 kilobytes', 'redirect-nowhere', (visit) =>
    visit.path === '/'
      ? redirect(visit, `${visit.base}/${'x'.repeat(12_000)}`)
      : respond(visit, '414 URI Too Long', fineHtml('Too long')),
  ),
  page('redirect-with-crlf', 'redirects to a URL that tries to smuggle a header', 'client-error', (visit) =>
    visit.path === '/'
      ? redirect(visit, `${visit.base}/%0d%0aX-Smuggled:%20yes`)
      : respond(visit, '404 Not Found', fineHtml('Not found')),
  ),
  page('two-locations', 'names two places to redirect to', 'ok', (visit) =>
    visit.path === '/'
      ? respond(visit, '302 Found', '', [
          ['Location', `${visit.base}/a`],
          ['Location', `${visit.base}/b`],
        ])
      : finePage(visit),
  ),
  page('multiple-choices', 'offers choices with 300 and prefers none', 'redirect-nowhere', (visit) =>
    respond(visit, '300 Multiple Choices', fineHtml('Choose')),
  ),
]
