import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { isTorture, missing, sharedData } from '@comity/protocol/testing'
import { compareWithTshark, readCapture, tsharkObjects } from './tshark-check.ts'

const ZEEK = 'zeek+zeek/testing__btest__Traces__'
const ARKIME = 'arkime+arkime/tests__pcap__'

/** What TShark alone has of a capture, how many, and why we are right without. */
const THEIRS: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  [`${ARKIME}socks-http-example.pcap`]: [
    3,
    'goes through a SOCKS proxy: no HTTP from the first byte on, so left alone',
  ],
  [`${ARKIME}socks-http-pass.pcap`]: [1, 'goes through a SOCKS proxy'],
  [`${ARKIME}socks5-http-302.pcap`]: [1, 'goes through a SOCKS proxy'],
  [`${ARKIME}socks5-reverse.pcap`]: [1, 'goes through a SOCKS proxy'],
  [`${ZEEK}socks.pcap`]: [1, 'goes through a SOCKS proxy'],
  [`${ZEEK}tunnels__socks.pcap`]: [1, 'goes through a SOCKS proxy'],
  [`${ARKIME}tcp_handshake_synthetic.pcap`]: [1, 'is the greeting of SSH'],
  'simsong+tcpflow/samplePcaps__jpegs.cap': [
    6,
    'is what was left of answers whose heads are in fragments that are missing',
  ],
  'simsong+tcpflow/tests__bug3.pcap': [1, 'is the end of a body in pieces, out of order, taken for a body'],
  'suricata/byte-extract-01__input.pcap': [1, 'answers what is no request'],
  'suricata/http-not09-file__input.pcap': [1, 'answers what is no request'],
  [`${ZEEK}tls__ssl-to-http-server.pcap`]: [1, 'answers what is no request, but TLS'],
  [`${ZEEK}http__methods.pcap`]: [22, 'answers what is no request: lines without a blank, or with nothing but marks'],
  'suricata/detect-app-layer-protocol-03__input.pcap': [
    1,
    'is a request, of a method that nobody knows, in a connection met in the middle',
  ],
  'suricata/http-gap-beyond-body__input.pcap': [
    1,
    'has the head of the next answer in it: the hole before it was closed up',
  ],
  'suricata/security-4710-01__input.pcap': [
    1,
    'comes after a reset that the server did not take: which of two readers saw what is not sure',
  ],
  'suricata/security-4710-02__input.pcap': [1, 'comes after a reset that the server did not take'],
  [`${ZEEK}http__http-09-content-length-confusion.pcap`]: [
    2,
    'is one answer in two: sent before the request, longer than its length',
  ],
  [`${ZEEK}http__http-lower-case.pcap`]: [1, 'is the head of an answer, in small letters, taken for a body'],
  [`${ZEEK}http__http-lower-case-nonstandard-port.pcap`]: [
    1,
    'is the head of an answer, in small letters, taken for a body',
  ],
  [`${ZEEK}tcp__qi_internet_SYNACK_curl_jsonip.pcap`]: [
    1,
    'is one of two answers under the same numbers: somebody forged the other',
  ],
  [`${ZEEK}http__1000-requests-one-dropped-response.pcap.gz`]: [1, 'is one of 999 answers, exported twice'],
}

/** What we alone have and call whole. */
const OURS: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'suricata/bug-2511__response_identity_identity_gzip_identity_gzip_gzip.pcap': [1, 'has several codings in a row'],
  'suricata/http-pipeline-files-with-gap__input.pcap': [1, 'follows on an answer with a hole'],
  [`${ZEEK}postgresql__http-on-port-5432.pcap`]: [1, 'goes over the port of a database'],
  [`${ZEEK}vlan-collisions.pcap`]: [2, 'are connections with the same numbers in two virtual networks'],
}

/** TShark takes a third of a second and more for each: a few by default, `npm run torture:gateway` for all of them. */
const SOME = [
  ...Object.keys(OURS),
  `${ZEEK}http__pipelined-requests.pcap`,
  `${ZEEK}http__206_example_c.pcap`,
  `${ZEEK}http__http-lower-case.pcap`,
  'suricata/http-gap-beyond-body__input.pcap',
]

function captures(folder: string): string[] {
  if (!isTorture) return SOME
  const lines = readFileSync(join(folder, 'index.tsv'), 'utf8').trim().split('\n').slice(1)
  return lines.map((line) => line.split('\t')[0]!).filter((path) => !path.includes('http-evader'))
}

test('object by object, TShark has what we have, and each difference has its reason', (t) => {
  const folder = sharedData('captures')
  if (folder === undefined) return missing(t, 'packet captures')
  if (!hasTshark()) return missing(t, 'TShark', 'apt-get install tshark')
  const sums: Record<string, number> = {}
  const count = (name: string, by = 1): void => void (sums[name] = (sums[name] ?? 0) + by)
  for (const path of captures(folder)) {
    const full = join(folder, path)
    const { agreed, agreedWhole, theirs, ours } = compareWithTshark(readCapture(full), tsharkObjects(full))
    count('agreed', agreed)
    count('agreed and whole', agreedWhole)
    for (const { kind } of theirs) count(`theirs: ${kind}`)
    for (const { observed } of ours) count(`ours: ${observed.verdict}`)
    const others = theirs.filter(({ kind }) => kind === 'other').length
    assert.equal(others, THEIRS[path]?.[0] ?? 0, `${path}: TShark alone has ${others}`)
    const wholes = ours.filter(({ observed }) => observed.verdict === 'whole').length
    assert.equal(wholes, OURS[path]?.[0] ?? 0, `${path}: we alone have ${wholes}`)
  }
  t.diagnostic(JSON.stringify(sums))
  assert.ok(sums['agreed']! > 30)
})

function hasTshark(): boolean {
  try {
    execFileSync('tshark', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    // Not installed, or not to be run: the test says how to get it.
    return false
  }
}
