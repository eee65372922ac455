/**
 * What a gateway must not learn, told by whole captures: from packets of a server that has no say for a host, of readers whom the
 * server knew, by a credential or by their connection, to what is reported. Each row is one capture and how many pages of it may
 * be indexed.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { Dialogue } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import type { Wire } from '../../packages/gateway/src/testing/packet-sample.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const PAGE = '<title>A page</title><p>words that nobody else may read'
const get = (path: string, more = '', host = 'www.site.example'): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
const ok = (body = PAGE, more = ''): string => answer('200 OK', body, more)
const answer = (status: string, body = '', more = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
const denied = (challenge = 'Basic realm="a"'): string =>
  answer('401 Unauthorized', 'no', `WWW-Authenticate: ${challenge}\r\n`)

type Exchange = readonly [request: string, answer: string]
interface Talk {
  readonly server?: number
  readonly port?: number
  /** Its opening is not captured. */
  readonly isCut?: boolean
  readonly say: readonly Exchange[]
}

function packetsOf(talks: readonly Talk[]): Wire[] {
  return talks.flatMap(({ server = 80, port = 80, isCut = false, say }, each) => {
    const client = { address: [198, 51, 100, 7 + each], port: 40_000 + each }
    const startAt = 1_700_000_000_000 + each * 10_000
    const talk = new Dialogue({ client, server: { address: [192, 0, 2, server], port }, startAt }).open()
    if (isCut) talk.packets = []
    // Long enough for the beginning to be given up, and for the next request to be the only one that can be answered.
    if (isCut) talk.exchange(get('/before'), ok('x')).wait(5_000)
    for (const [request, said] of say) talk.exchange(request, said)
    return talk.close().packets
  })
}

const PART = 'ETag: "v1"\r\nContent-Range: bytes'
const half = (from: number, to: number, more = ''): string =>
  answer('206 Partial Content', PAGE.slice(from, to + 1), `${PART} ${from}-${to}/${PAGE.length}\r\n${more}`)
const first = (more = ''): string => half(0, 9, more)
const second = (more = ''): string => half(10, PAGE.length - 1, more)
const ranged = (range: string, more = ''): string => get('/doc', `Range: bytes=${range}\r\n${more}`)
const NTLM = 'Authorization: NTLM TlRMTVNTUAABAAAA\r\n'

// oxfmt-ignore
const rows: [sentence: string, pages: number, reason: string | undefined, talks: readonly Talk[]][] = [
  ['a page of a host at its server is learnt', 1, undefined, [{ say: [[get('/'), ok()]] }]],
  // Who may speak for a host.
  ['a server that is not listed does not speak for a host that is', 0, 'foreign-server', [{ server: 66, say: [[get('/'), ok()]] }]],
  ['a server that is listed does not speak for a host that is not', 0, 'foreign-server', [{ say: [[get('/', '', 'bank.example'), ok()]] }]],
  ['nor in the form for proxies', 0, 'foreign-server', [{ say: [['GET http://bank.example/ HTTP/1.1\r\nHost: bank.example\r\n\r\n', ok()]] }]],
  ['nor by a port that is another server', 0, 'foreign-server', [{ say: [[get('/', '', 'www.site.example:8443'), ok()]] }]],
  ['a port that is the server’s own is no lie', 1, undefined, [{ port: 8080, say: [[get('/', '', 'www.site.example:8080'), ok()]] }]],
  ['what was said in plain is no page of https', 0, 'unsure-url', [{ say: [['GET https://www.site.example/ HTTP/1.1\r\nHost: www.site.example\r\n\r\n', ok()]] }]],
  ['a request without a host names no page', 0, 'unsure-url', [{ say: [['GET / HTTP/1.0\r\n\r\n', ok()]] }]],
  ['nor one with two', 0, 'unsure-url', [{ say: [[get('/', 'Host: bank.example\r\n'), ok()]] }]],
  ['a robots.txt of somebody else forbids nothing', 1, 'foreign-server', [
    { server: 66, say: [[get('/robots.txt'), answer('200 OK', 'User-agent: *\nDisallow: /', '').replace('text/html', 'text/plain')]] },
    { say: [[get('/'), ok()]] }]],
  ['parts of two servers are no document', 0, 'foreign-server', [{ server: 66, say: [[ranged('0-9'), first()]] }, { say: [[ranged('10-'), second()]] }]],
  ['parts of one server are', 1, 'status', [{ say: [[ranged('0-9'), first()]] }, { say: [[ranged('10-'), second()]] }]],
  // Whom the server knew.
  ['parts of which one was asked for with a password are none', 0, 'status', [{ say: [[ranged('0-9', 'Authorization: Basic x\r\n'), first()]] }, { say: [[ranged('10-'), second()]] }]],
  ['nor where one is private', 0, 'status', [{ say: [[ranged('0-9'), first('Cache-Control: private\r\n')]] }, { say: [[ranged('10-'), second()]] }]],
  ['nor where one was asked for with a token', 0, 'status', [{ say: [[ranged('0-9', 'X-Api-Key: x\r\n'), first()]] }, { say: [[ranged('10-'), second()]] }]],
  ['nor where one went to somebody with a cookie', 0, 'status', [{ say: [[ranged('0-9', 'Cookie: a=1\r\n'), first()]] }, { say: [[ranged('10-'), second()]] }]],
  ['whoever asked with a token was known', 0, 'authorization', [{ say: [[get('/', 'X-Auth-Token: t\r\n'), ok()]] }]],
  ['with a key, too', 0, 'authorization', [{ say: [[get('/', 'x-api-key: t\r\n'), ok()]] }]],
  ['and by a proxy in front', 0, 'authorization', [{ say: [[get('/', 'REMOTE_USER: ann\r\n'), ok()]] }]],
  ['and by a certificate', 0, 'authorization', [{ say: [[get('/', 'X-SSL-Client-S-DN: CN=ann\r\n'), ok()]] }]],
  ['a name that the operator adds counts', 0, 'authorization', [{ say: [[get('/', 'X-Our-Reader: ann\r\n'), ok()]] }]],
  ['on a connection that was denied something, all is somebody’s', 0, 'authenticated', [{ say: [[get('/a'), denied()], [get('/b'), ok()]] }]],
  ['after a password on it', 0, 'authenticated', [{ say: [[get('/a', 'Authorization: Basic x\r\n'), answer('204 No Content')], [get('/b'), ok()]] }]],
  ['after NTLM', 0, 'authenticated', [{ say: [[get('/a'), denied('NTLM')], [get('/a', NTLM), denied('NTLM TlRM')], [get('/a', NTLM), ok()], [get('/b'), ok()]] }]],
  ['after Negotiate at once', 0, 'authenticated', [{ say: [[get('/a', 'Authorization: Negotiate YII\r\n'), ok('x')], [get('/b'), ok()]] }]],
  ['after a proxy asked', 0, 'authenticated', [{ say: [[get('/a'), answer('407 Proxy Authentication Required')], [get('/b'), ok()]] }]],
  ['what was read before is not touched by what came after', 1, 'status', [{ say: [[get('/b'), ok()], [get('/a'), denied()]] }]],
  ['another connection is another matter', 1, 'status', [{ say: [[get('/a'), denied()]] }, { say: [[get('/b'), ok()]] }]],
  ['a connection met in the middle may have been signed in', 0, 'unseen', [{ isCut: true, say: [[get('/b'), ok()]] }]],
  ['a session in the address is somebody’s', 0, 'session', [{ say: [[get('/a;jsessionid=12AB'), ok()]] }]],
  ['an answer that thanks for credentials is for one', 0, 'authorization', [{ say: [[get('/'), ok(PAGE, 'Authentication-Info: x=1\r\n')]] }]],
  // Written in any way.
  ['private, behind a semicolon', 0, 'private', [{ say: [[get('/'), ok(PAGE, 'Cache-Control: max-age=0;private\r\n')]] }]],
  ['private in a second field, in capitals', 0, 'private', [{ say: [[get('/'), ok(PAGE, 'CACHE-CONTROL: max-age=5\r\ncache-control: PRIVATE\r\n')]] }]],
  ['what no shared cache may keep, said to one kind of them', 0, 'no-store', [{ say: [[get('/'), ok(PAGE, 'CDN-Cache-Control: no-store\r\n')]] }]],
  ['a field that is folded is sure of nothing', 0, 'doubtful', [{ say: [[get('/'), ok(PAGE, 'Cache-Control: max-age=5,\r\n private\r\n')]] }]],
  ['a cookie in capitals', 0, 'set-cookie', [{ say: [[get('/'), ok(PAGE, 'SET-COOKIE: a=1\r\n')]] }]],
  ['what differs by a token', 0, 'varies', [{ say: [[get('/'), ok(PAGE, 'Vary: Accept-Encoding\r\nVARY: x-auth-TOKEN\r\n')]] }]],
  ['a password, written with references', 0, 'password', [{ say: [[get('/'), ok('<form><input title="a>b" type="p&#97;ssword">')]] }]],
  ['a host that is a name of every object', 0, 'foreign-server', [{ say: [[get('/', '', 'constructor'), ok()]] }, { say: [[get('/', '', '__proto__'), ok()]] }]],
]
for (const [sentence, pages, reason, talks] of rows) {
  test(sentence, async () => {
    const file = folder.at('row.pcap')
    writeFileSync(file, pcapFile(packetsOf(talks)))
    const ours = ['--hosts', 'www.site.example', '--servers', '192.0.2.80', '--credential-header', 'X-Our-Reader']
    const ended = await comityHere(['gateway', '--pcap', file, '--json', ...ours])
    assert.equal(ended.code, 0, ended.stderr)
    const { verdicts, skipped } = lastJson(ended) as Record<string, Record<string, number>>
    assert.equal(verdicts!['new'], pages, JSON.stringify(skipped))
    if (reason !== undefined) assert.ok((skipped![reason] ?? 0) > 0, JSON.stringify(skipped))
    else assert.deepEqual(skipped, {})
  })
}
