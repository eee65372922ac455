/** Hostile connections: what goes wrong before HTTP begins, in the lookup, the handshake of TCP, or that of TLS. */
import { outcomesOf } from './case.ts'
import type { HostileCase, NameAnswers, Serve, VisitOutcome } from './case.ts'
import type { CertificateFault } from '../certificate.ts'
import { fineHtml, headOf, htmlType, sendForEver } from '../raw-response.ts'

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

const body = fineHtml('Early')

export const connectionCases: readonly HostileCase[] = [
  {
    name: 'refuses',
    sentence: 'has nobody listening',
    expect: 'connection-refused',
    place: 'nowhere',
    how: 'refuses',
  },
  {
    name: 'never-accepts',
    sentence: 'has a listener whose queue is full, so no connection comes about',
    expect: 'timeout-connect',
    place: 'nowhere',
    how: 'never-accepts',
  },
  accept('closes-at-accept', 'closes every connection at once', 'robots-unreachable', () => undefined),
  accept('resets-at-accept', 'resets every connection at once', 'robots-unreachable', (visit) => visit.reset()),
  accept('never-speaks', 'accepts every connection and never says a word', 'robots-unreachable', (visit) =>
    visit.hang(),
  ),
  accept('speaks-first', 'sends a page before it was asked', ['ok', 'robots-unreachable'], async (visit) => {
    await visit.send(
      headOf('200 OK', [htmlType, ['Content-Length', String(body.length)], ['Connection', 'close']]) + body,
    )
    await visit.wait(200)
  }),
  accept('floods-at-accept', 'floods every connection with noise at once', 'robots-unreachable', (visit) =>
    sendForEver(visit, '\x00\xff'.repeat(8_192)),
  ),
  secure('plain-on-tls-port', 'speaks plain HTTP where TLS belongs', 'tls-error', async (visit) => {
    await visit.send(headOf('400 Bad Request', [htmlType]) + body)
  }),
  secure('tls-silence', 'never answers the TLS handshake', 'timeout-connect', (visit) => visit.hang()),
  secure('tls-closes', 'closes in the TLS handshake', 'tls-error', () => undefined),
  secure(
    'tls-noise',
    'answers the TLS handshake with noise',
    'tls-error',
    async (visit) => void (await visit.send('\x16\x03\x03\xff\xff'.repeat(200))),
  ),
  secure(
    'tls-alert',
    'refuses the TLS handshake with an alert',
    'tls-error',
    async (visit) => void (await visit.send('\x15\x03\x03\x00\x02\x02\x28')),
  ),
  tls('tls-fine', 'has a certificate of an authority the test trusts', 'ok', 'none'),
  tls('tls-self-signed', 'signed its certificate itself', 'tls-error', 'self-signed'),
  tls('tls-expired', 'has a certificate that ran out yesterday', 'tls-error', 'expired'),
  tls('tls-not-yet-valid', 'has a certificate that begins tomorrow', 'tls-error', 'not-yet-valid'),
  tls('tls-wrong-name', 'has a certificate for somebody else', 'tls-error', 'wrong-name'),
  lookup('name-unknown', 'has a name that does not exist', 'dns-error', () => ({ code: 'ENOTFOUND' })),
  lookup('name-server-fails', 'has a name server that fails', 'dns-error', () => ({ code: 'EAI_AGAIN' })),
  lookup('name-empty', 'has a name without any address', 'dns-error', () => ({ addresses: [] })),
  lookup('name-silence', 'has a name server that never answers', 'dns-error', () => 'silence'),
  lookup('name-garbage', 'has a name server that answers with no address', 'dns-error', () => ({
    addresses: ['not-an-address'],
  })),
  lookup('name-private', 'has a name that leads to a private address', 'address-refused', () => ({
    addresses: ['10.0.0.1'],
  })),
  lookup('name-metadata', 'has a name that leads to the metadata service of a cloud', 'address-refused', () => ({
    addresses: ['169.254.169.254'],
  })),
  lookup('name-mapped', 'has a name that leads to a private address mapped into IPv6', 'address-refused', () => ({
    addresses: ['::ffff:10.0.0.1'],
  })),
  // Rebinding: an address that was checked and then looked up again is no longer the one that was checked.
  lookup('name-rebinds', 'has a name that turns private after the first lookup', 'ok', (n, site) => ({
    addresses: [n === 0 ? site : '10.0.0.1'],
  })),
  lookup('name-mixes', 'has a name with a public and a private address', 'ok', (_, site) => ({
    addresses: [site, '10.0.0.1'],
  })),
  lookup('name-flood', 'has a name with 5,000 addresses', 'ok', (_, site) => ({
    addresses: Array.from({ length: 5_000 }, () => site),
  })),
  lookup('name-fine', 'has a name like any other', 'ok', (_, site) => ({ addresses: [site] })),
]
