/** Fuzz targets: what comes through the endpoints of a crawler, a receiver, a server and a proxy. */
import assert from 'node:assert/strict'
import { ControlError, readPushedParts } from '@comity/crawler'
import { unpackedBatchLimits, unpackGatewayBatch, urlsOfNews } from '@comity/ingest'
import { INBOX_SCHEMES } from '@comity/collection'
import {
  WARC_TYPE,
  defaultUrlRules,
  gzipRecord,
  parseHttpBlock,
  responseHead,
  responseRecord,
  writeGatewayBatch,
  ZipWriter,
  proxySet,
  ChunkReader,
  readAnswerHead,
  readWireHead,
  wireHeadEnd,
} from '@comity/protocol'
import type { AnswerHead } from '@comity/protocol'
import { parseLine, readBudget, readRequest } from '../../packages/crawler/src/control/wire.ts'
import { readStretch } from '../../packages/ingest/src/documents/archive-stretch.ts'
import { dumpLimits, readDumpPackage } from '../../packages/follow/src/bulk/dump-package.ts'
import { readFields } from '../../packages/gateway/src/http/fields.ts'
import { readRequestHead, readResponseHead } from '../../packages/gateway/src/http/head.ts'
import { readProxyRequest } from '../../packages/site/src/proxy/proxy-request.ts'
import { readProxyResponse } from '../../packages/site/src/proxy/proxy-response.ts'
import { matchesHost } from '../../packages/gateway/src/privacy/host-pattern.ts'
import { readableUrl } from '../../packages/repository/src/html/foreign-text.ts'
import { readGateways } from '../../packages/receiver/src/proof/gateway-trust.ts'
import { readNotice } from '../../packages/receiver/src/body/notice-signals.ts'
import { readParameters } from '../../packages/repository/src/http/parameter.ts'
import { Problem } from '../../packages/receiver/src/http/problem.ts'
import { contentKind, schemeOf } from '../../packages/receiver/src/body/pushed-content.ts'
import { PushRefusal } from '../../packages/receiver/src/admit/push-refusal.ts'
import {
  DIFFERENCE_PARAMETERS,
  PAGE_PARAMETERS,
  SEARCH_PARAMETERS,
  VIEW_PARAMETERS,
  searchQuestion,
} from '../../packages/repository/src/http/route-parameters.ts'
import { copiedHtml } from '../../packages/repository/src/copy/copied-html.ts'
import { copyFaults } from '../../packages/repository/src/testing/copy-check.ts'
import { get, ok } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { unlessRefused } from './fuzz-target.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const SITE = 'http://a.example'
const AT = Date.UTC(2026, 0, 2)
const MOST = 100_000

const notice = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="changelist"/><url><loc>${SITE}/1</loc><rs:md change="updated"/></url></urlset>`
const manifest = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcedump-manifest"/><url><loc>${SITE}/1</loc><rs:md type="text/html" path="/p/1"/></url></urlset>`
const head = responseHead({ status: 200, statusText: 'OK', headers: [['Content-Type', 'text/html']] })
const warc = gzipRecord(responseRecord({ url: `${SITE}/1`, at: AT, httpHead: head, body: Buffer.from('<p>one</p>') }))

function dump(): Uint8Array {
  const zip = new ZipWriter(new Date(AT))
  const parts = [['manifest.xml', manifest] as const, ['p/1', '<p>one</p>'] as const].flatMap(([name, text]) => {
    const [begin, body] = [zip.begin(name, text.length), Buffer.from(text)]
    zip.add(body)
    return [begin, body, zip.end()]
  })
  return Buffer.concat([...parts, zip.finish()])
}

async function checkPushed(bytes: Buffer): Promise<void> {
  const item = {
    number: 1,
    origin: SITE,
    scheme: 'pages',
    door: 'push',
    proof: 'signature',
    at: AT,
    body: bytes,
  } as const
  for (const type of [WARC_TYPE, 'application/zip']) {
    let pages = 0
    for await (const pushed of readPushedParts({ ...item, type }, MOST)) {
      if (pushed.kind === 'page') assert.ok(pushed.page.body.length <= 16 << 20)
      if (++pages > 1_000) break
    }
  }
  const limits = { ...dumpLimits, maxPageBytes: MOST }
  for await (const page of readDumpPackage(bytes, `${SITE}/`, () => true, limits)) assert.ok(page.body.length <= MOST)
  const terms = { start: 0, at: AT, urlRules: defaultUrlRules, maxRecordBytes: MOST, units: 10_000 }
  for (const page of readStretch({ body: bytes, ...terms }).pages) assert.ok(page.body.length <= MOST)
  const text = unlessRefused(PushRefusal, () =>
    readNotice(bytes, { origin: SITE, door: 'push', topic: `${SITE}/list.xml` }),
  )
  for (const line of (text ?? '').split('\n').filter((one) => one !== ''))
    assert.equal(new URL((JSON.parse(line) as { url: string }).url).origin, SITE, 'a site tells of its own pages')
  const news = unpackGatewayBatch(bytes, { ...unpackedBatchLimits, maxUnpackedBytes: 1 << 20 })
  if (news.kind === 'news') for (const url of urlsOfNews(news.news)) assert.equal(typeof url, 'string')
}

export const pushedTarget: FuzzTarget = {
  name: 'pushed',
  samples: [
    warc,
    dump(),
    notice,
    writeGatewayBatch({
      run: 'r'.repeat(16),
      number: 1,
      from: AT,
      to: AT,
      postings: new Uint8Array(0),
      pages: new Uint8Array(0),
      hits: [{ url: `${SITE}/1`, readers: 1, robots: 0 }],
      seen: [],
      gone: [],
      figures: { pages: 1, htmlBytes: 9, skipped: {} },
    }),
  ],
  words: [
    'PK\x03\x04',
    'PK\x01\x02',
    '<rs:md ',
    'path="/',
    '<loc>',
    '\x1f\x8b\x08',
    'WARC-Target-URI: ',
    '\x28\xb5\x2f\xfd',
  ],
  check: checkPushed,
}

const TABLES = [SEARCH_PARAMETERS, PAGE_PARAMETERS, DIFFERENCE_PARAMETERS, VIEW_PARAMETERS]

function checkAsked(bytes: Buffer): void {
  const text = bytes.toString()
  for (const table of TABLES)
    for (const isStrict of [true, false]) {
      const given = unlessRefused(Problem, () => readParameters(table, new URLSearchParams(text), isStrict))
      if (given !== undefined && table === SEARCH_PARAMETERS) assert.ok(searchQuestion(given).offset <= 1_000)
    }
  const message = parseLine(text)
  unlessRefused(ControlError, () => readRequest(message))
  if (message !== undefined) readBudget(message)
  readGateways(bytes)
  readableUrl(text)
  const type = text.slice(0, 200)
  for (const scheme of INBOX_SCHEMES) unlessRefused(PushRefusal, () => contentKind(type, scheme, type))
  assert.ok(INBOX_SCHEMES.includes(schemeOf(type, text)))
  const pieces = copiedHtml(text, { url: `${SITE}/1`, linkTo: (url) => `/page/copy?url=${encodeURIComponent(url)}` })
  const copy = pieces.map((piece) => (typeof piece === 'string' ? piece : piece.otherwise)).join('')
  assert.deepEqual(copyFaults(copy), [], 'a copy holds nothing that is not on the lists')
}

export const askedTarget: FuzzTarget = {
  name: 'asked',
  samples: [
    'q=two+words&rank=default&limit=10&offset=0&unfolded=1',
    'key=1&from=0&to=5',
    '{"id":1,"do":"budget","budget":{"maxPages":null}}',
    '{"id":2,"do":"seed","url":"https://example.org/"}',
    `{"gateways":[{"name":"g","key":{"kty":"OKP","crv":"Ed25519","x":"${'A'.repeat(43)}"},"hosts":["*.a.example"]}]}`,
    'application/warc',
    '<p onclick="x()">one<script src=/s.js></script><img src=x onerror=y><a href="javascript:z">a</a><form action=/f><iframe src=/i></iframe><meta http-equiv=refresh content="0;url=/r"><base href=/b>',
  ],
  words: [
    '&q=',
    '&limit=',
    '&rank=',
    '"do":"',
    '"budget":{',
    '"hosts":[',
    '<script',
    ' on',
    '=javascript:',
    '<base ',
    '<meta ',
    '<svg ',
    '<!--',
    '<style>',
    '&colon;',
  ],
  check: checkAsked,
}

function checkWire(bytes: Buffer): void {
  const text = bytes.toString('latin1')
  const end = wireHeadEnd(bytes, 0)
  if (end !== -1) {
    const read = readWireHead(bytes, 0, end, 100)
    if (typeof read !== 'string') {
      assert.ok(read.names.length <= 100)
      const knownAs = { host: 'a.example', scheme: 'http' } as const
      const [from, behind] = [{ address: '10.0.0.1', scheme: 'http' } as const, proxySet(['10.0.0.1'])]
      for (const rules of [{ isBehindProxy: true }, { isBehindProxy: false }, { isBehindProxy: false, knownAs }])
        for (const proxies of [behind, proxySet()]) readProxyRequest(read, { ...rules, behind: proxies }, from)
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer = readAnswerHead(read, method)
        const response = readProxyResponse(read, method)
        // What is passed on is cut as it is read.
        if (typeof response !== 'string') assert.equal((answer as AnswerHead).framing, response.framing)
      }
    }
  }
  readRequestHead(text)
  readResponseHead(text)
  readFields(text, new Set())
  for (const [, value] of parseHttpBlock(bytes).headers) matchesHost(['*.a.example', value.slice(0, 100)], value)
  const [whole, pieces] = [new ChunkReader(), new ChunkReader()]
  const taken = whole.take(bytes, 0)
  let sum = 0
  for (let at = 0; at < bytes.length && !pieces.isEnded && pieces.problem === undefined; at += 9)
    sum += pieces.take(bytes.subarray(at, at + 9), 0)
  assert.equal(whole.isEnded, pieces.isEnded, 'a body ends where it ends, in any pieces')
  if (whole.isEnded) assert.deepEqual([sum, pieces.trailers], [taken, whole.trailers])
}

export const wireTarget: FuzzTarget = {
  name: 'wire',
  samples: [
    get('/1'),
    get('/', 'Range: bytes=0-1\r\nConnection: close, x\r\nX: 1\r\nTransfer-Encoding: chunked\r\n'),
    ok('one'),
    'POST http://a.example/x HTTP/1.1\r\nHost: a.example\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nTrailer: X\r\n\r\n',
    '3;a=b\r\none\r\n0\r\nX: 1\r\n\r\n',
  ],
  words: [
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: ',
    'Host: ',
    'Connection: ',
    ' HTTP/1.1\r\n',
    'HTTP/1.0 ',
    '\r\n ',
    '\r\n\t',
    ' :',
    '0\r\n\r\n',
    'ffffffffffffff\r\n',
    '; \r\n',
  ],
  check: checkWire,
}
