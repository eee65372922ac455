/** Hostile connections: what goes wrong before HTTP begins, in the lookup, the handshake of TCP, or that of TLS. */
import { outcomesOf } from './hostile-case.ts'
import type { HostileCase, NameAnswers, Serve, VisitOutcome } from './hostile-case.ts'
import type { CertificateFault } from './certificate.ts'
import { fineHtml, headOf, htmlType, sendForEver } from './raw-response.ts'

type Expect = VisitOutcome | readonly [VisitOutcome, ...VisitOutcome[]]

const accept = (name: string, sentence: string, expect: Expect, serve: Serve): HostileCase => ({
  name,
  sentence,
  ...outcomesOf(expect),
  place: 'accept',
  serve,
})
const secure = (name: string, sentence: string, expect: Expect, serve: Serve): HostileCase => ({
  name,
  sentence,
  ...outcomesOf(expect),
  place: 'accept',
  scheme: 'https',
  serve,
})
const tls = (name: string, sentence: string, expect: Expect, fault: CertificateFault): HostileCase => ({
  name,
  sentence,
  ...outcomesOf(expect),
  place: 'tls',
  scheme: 'https',
  fault,
})
const lookup = (name: string, sentence: string, expect: Expect, answers: NameAnswers): HostileCase => ({
  name,
  sentence,
  ...outcomesOf(expect),
  place: 'name',
  hostname: `${name}.test`,
  answers,
})

const unreachable: Expect = ['connection-reset', 'robots-unreachable']
const untrusted: Expect = ['tls-error', 'robots-unreachable']
const refused: Expect = ['address-refused', 'robots-unreachable', 'dns-error']
const unknown: Expect = ['dns-error', 'robots-unreachable']
const body = fineHtml('Early')

export const connectionCases: readonly HostileCase[] = [
  {
    name: 'refuses',
    sentence: 'has nobody listening',
    ...outcomesOf(['connection-refused', 'robots-unreachable']),
    place: 'nowhere',
    how: 'refuses',
  },
  {
    name: 'never-accepts',
    sentence: 'has a listener whose queue is full, so no connection comes about',
    ...outcomesOf(['timeout-connect', 'robots-unreachable']),
    place: 'nowhere',
    how: 'never-accepts',
  },
  accept('closes-at-accept', 'closes every connection at once', unreachable, () => undefined),
  accept('resets-at-accept', 'resets every connection at once', unreachable, (visit) => visit.reset()),
  accept(
    'never-speaks',
    'accepts every connection and never says a word',
    ['timeout-headers', 'robots-unreachable'],
    (visit) => visit.hang(),
  ),
  accept(
    'speaks-first',
    'sends a page before it was asked',
    ['ok', 'bad-response', 'connection-reset', 'robots-unreachable'],
    async (visit) => {
      await visit.send(
        headOf('200 OK', [htmlType, ['Content-Length', String(body.length)], ['Connection', 'close']]) + body,
      )
      await visit.wait(200)
    },
  ),
  accept(
    'floods-at-accept',
    'floods every connection with noise at once',
    ['bad-response', 'robots-unreachable', 'connection-reset'],
    (visit) => sendForEver(visit, '\x00\xff'.repeat(8_192)),
  ),
  secure('plain-on-tls-port', 'speaks plain HTTP where TLS belongs', untrusted, async (visit) => {
    await visit.send(headOf('400 Bad Request', [htmlType]) + body)
  }),
  secure(
    'tls-silence',
    'never answers the TLS handshake',
    ['timeout-connect', 'tls-error', 'robots-unreachable', 'timeout-headers'],
    (visit) => visit.hang(),
  ),
  secure(
    'tls-closes',
    'closes in the TLS handshake',
    ['tls-error', 'connection-reset', 'robots-unreachable'],
    () => undefined,
  ),
  secure(
    'tls-noise',
    'answers the TLS handshake with noise',
    untrusted,
    async (visit) => void (await visit.send('\x16\x03\x03\xff\xff'.repeat(200))),
  ),
  secure(
    'tls-alert',
    'refuses the TLS handshake with an alert',
    untrusted,
    async (visit) => void (await visit.send('\x15\x03\x03\x00\x02\x02\x28')),
  ),
  tls(
    'tls-fine',
    'has a certificate of an authority the test trusts',
    ['ok', 'tls-error', 'robots-unreachable'],
    'none',
  ),
  tls('tls-self-signed', 'signed its certificate itself', untrusted, 'self-signed'),
  tls('tls-expired', 'has a certificate that ran out yesterday', untrusted, 'expired'),
  tls('tls-not-yet-valid', 'has a certificate that begins tomorrow', untrusted, 'not-yet-valid'),
  tls('tls-wrong-name', 'has a certificate for somebody else', untrusted, 'wrong-name'),
  lookup('name-unknown', 'has a name that does not exist', unknown, () => ({ code: 'ENOTFOUND' })),
  lookup('name-server-fails', 'has a name server that fails', unknown, () => ({ code: 'EAI_AGAIN' })),
  lookup('name-empty', 'has a name without any address', unknown, () => ({ addresses: [] })),
  lookup(
    'name-silence',
    'has a name server that never answers',
    ['dns-error', 'timeout-connect', 'robots-unreachable'],
    () => 'silence',
  ),
  lookup(
    'name-garbage',
    'has a name server that answers with no address',
    ['dns-error', 'address-refused', 'robots-unreachable', 'connection-refused'],
    () => ({ addresses: ['not-an-address'] }),
  ),
  lookup('name-private', 'has a name that leads to a private address', refused, () => ({ addresses: ['10.0.0.1'] })),
  lookup('name-metadata', 'has a name that leads to the metadata service of a cloud', refused, () => ({
    addresses: ['169.254.169.254'],
  })),
  lookup('name-mapped', 'has a name that leads to a private address mapped into IPv6', refused, () => ({
    addresses: ['::ffff:10.0.0.1'],
  })),
  // Rebinding: an address that was checked and then looked up again is no longer the one that was checked.
  lookup(
    'name-rebinds',
    'has a name that turns private after the first lookup',
    ['address-refused', 'ok', 'robots-unreachable', 'dns-error'],
    (n, site) => ({ addresses: [n === 0 ? site : '10.0.0.1'] }),
  ),
  lookup(
    'name-mixes',
    'has a name with a public and a private address',
    ['ok', 'address-refused', 'robots-unreachable'],
    (_, site) => ({ addresses: [site, '10.0.0.1'] }),
  ),
  lookup(
    'name-flood',
    'has a name with 5,000 addresses',
    ['ok', 'dns-error', 'address-refused', 'robots-unreachable'],
    (_, site) => ({ addresses: Array.from({ length: 5_000 }, () => site) }),
  ),
  lookup('name-fine', 'has a name like any other', 'ok', (_, site) => ({ addresses: [site] })),
]
