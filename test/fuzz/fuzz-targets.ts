/** Fuzz targets: everything that reads what a stranger sends, with good samples and what must hold for any bytes. */
import assert from 'node:assert/strict'
import { readJsonFeed } from '../../packages/protocol/src/feeds/json-feed.ts'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import {
  botClaims,
  canonicalUrl,
  createHtmlReader,
  createLinkResolver,
  createSitemapReader,
  decodeBody,
  decodeText,
  encodeRecord,
  entityBody,
  gzipRecord,
  isAllowedIn,
  likelyKindOf,
  mediaKindOf,
  newKeyRing,
  parseHttpBlock,
  parseRobots,
  parseRobotsDirectives,
  readAnchors,
  readHtml,
  readKeyRing,
  readKeySet,
  readWarc,
  registrableDomain,
  hostOf,
  responseHead,
  responseRecord,
  retryAfter,
  sideEffectOf,
  signBotRequest,
  simhash,
  siteOf,
  trapOf,
  unpackedPieces,
  verifyBot,
  verifyMessage,
  warcinfoRecord,
  writeKeyRing,
  writeKeySet,
} from '@comity/protocol'
import { agentsTarget } from './fuzz-agents.ts'
import { browserTarget } from './fuzz-browser.ts'
import { callsTarget } from './fuzz-calls.ts'
import {
  archivesTarget,
  batchesTarget,
  differencesTarget,
  linesTarget,
  metadataTarget,
  packagesTarget,
  syncTarget,
} from './fuzz-documents.ts'
import { fieldsTarget } from './fuzz-fields.ts'
import { searchMessageTarget } from './fuzz-cluster.ts'
import { askedTarget, pushedTarget, wireTarget } from './fuzz-intake.ts'
import { packetsTarget, talkTarget } from './fuzz-packets.ts'
import { pathsTarget } from './fuzz-paths.ts'
import { hintsTarget, pdfTarget, queryTarget, segmentTarget } from './fuzz-search.ts'
import { settingsTarget } from './fuzz-settings.ts'
import { recordsTarget, rowsTarget } from './fuzz-storage.ts'
import type { FuzzTarget } from './fuzz-target.ts'
import { PageReader } from '../../packages/gateway/src/node/page-reading.ts'

const base = 'http://a.example/x/y'

function checkUrl(text: string): void {
  const url = canonicalUrl(text, base)
  if (url === undefined) return
  assert.equal(canonicalUrl(url), url, 'a canonical URL is its own canonical form')
  assert.equal(createLinkResolver(base)(text), url, 'both ways to resolve agree')
  assert.ok(url.startsWith(siteOf(url)))
  registrableDomain(hostOf(url))
  trapOf(url)
  sideEffectOf(url, 2026)
  likelyKindOf(url)
}

function checkRobots(bytes: Buffer): void {
  const robots = parseRobots(bytes)
  const rules = robots.rulesFor('comity')
  for (const path of ['/', '/a/b?c=d', '/%41', `/${'a'.repeat(500)}`]) isAllowedIn(rules, `http://a.example${path}`)
  assert.ok((rules.crawlDelaySeconds ?? 0) >= 0)
}

function checkHtml(bytes: Buffer): void {
  const { text } = decodeText(bytes, 'text/html')
  const page = readHtml(text)
  const pieces = createHtmlReader()
  for (let at = 0; at < text.length; at += 97) pieces.write(text.slice(at, at + 97))
  assert.deepEqual(pieces.end(), page, 'pieces do not matter')
  for (const { href } of page.links) checkUrl(href)
  const metas = page.robots.map(({ content }) => content)
  parseRobotsDirectives(metas, 'comity')
  simhash(page.text)
  for (const name of readAnchors(text).names) assert.notEqual(name, '')
  assert.deepEqual(readHtml(text), page, 'reading is a function of the text')
  const source = { url: 'http://a.example/', at: 0, type: 'text/html', coding: undefined, body: Buffer.from(text) }
  const seen = new PageReader().read({ ...source, maxBytes: Infinity })
  assert.ok(seen.kind === 'ok' && seen.document !== undefined && !('error' in seen.document), 'a page has words')
}

function checkSitemap(bytes: Buffer): void {
  const entriesOf = (size: number): string[] => {
    const found: string[] = []
    const reader = createSitemapReader({
      url: `${base}.xml`,
      onEntry: (entry) => found.push(`${entry.kind} ${entry.loc}`),
    })
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
    reader.end()
    return found
  }
  assert.deepEqual(entriesOf(7), entriesOf(bytes.length + 1), 'chunks do not matter')
}

function checkJsonFeed(bytes: Buffer): void {
  let offered = 0
  const problems: string[] = []
  const isFeed = readJsonFeed(bytes.toString('utf8'), {
    offer: (kind, loc, { lastmod }) => {
      offered++
      assert.equal(kind, 'page')
      assert.ok(loc.trim() !== '' && (lastmod === undefined || Number.isFinite(lastmod)))
    },
    report: (problem) => problems.push(problem),
  })
  assert.ok(isFeed || (offered === 0 && problems.length === 1), 'what is no feed names no page, and says why')
}

function checkWarc(bytes: Buffer): void {
  for (const item of readWarc(bytes, 0, { verify: true })) {
    if (item.kind === 'record') entityBody(parseHttpBlock(item.record.block))
  }
}

function checkHead(bytes: Buffer): void {
  const { headers, body } = parseHttpBlock(bytes)
  for (const [name, value] of headers) {
    retryAfter(value, 0)
    mediaKindOf(value, base)
    parseRobotsDirectives([value], 'comity')
    decodeText(body, value)
    const decoded = decodeBody(body, `${name}, ${value}`, { maxBytes: 100_000 })
    if ('body' in decoded) assert.ok(decoded.body.length <= 100_000)
  }
}

async function checkCodings(bytes: Buffer): Promise<void> {
  for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br']) {
    const decoded = decodeBody(bytes, coding, { maxBytes: 100_000 })
    if ('body' in decoded) assert.ok(decoded.body.length <= 100_000)
    const pieces: Uint8Array[] = []
    for await (const piece of unpackedPieces(bytes, coding, { maxBytes: 100_000 })) pieces.push(piece)
    const body = Buffer.concat(pieces)
    assert.ok(body.length <= 100_000)
    if (decoded.kind === 'ok') assert.ok(body.equals(decoded.body), 'whole or in pieces, it is the same')
  }
}

const html = `<!doctype html><html lang=en><head><base href="/b/"><meta charset=utf-8><title>A &amp; B</title>
<meta name=robots content="noindex, nofollow"><link rel=canonical href=/c><meta http-equiv=refresh content="0;url=/r"></head>
<body><h1>Head</h1><a href="one?x=1&amp;y=2#z" rel="nofollow ugc">One</a><img src='p.png' srcset="q.png 2x, r.png 3x">
<script>if (a < b) "</scr" + "ipt>"</script><style>p > a {}</style><!-- c --><svg><a xlink:href=/s>s</a></svg>
<iframe src=f></iframe><textarea><a href=no></textarea><template><a href=t></template><p>text</body></html>`
const jsonFeed = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'News',
  items: [
    { id: '1', url: 'http://a.example/1', date_published: '2026-01-02T03:04:05Z' },
    { id: 'http://a.example/2', date_modified: '2026-01-02T03:04:05+01:00', external_url: 'http://b.example/' },
  ],
})

const sitemap = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://a.example/1?a=1&amp;b=2</loc><lastmod>2026-01-02T03:04:05Z</lastmod><priority>0.5</priority></url>
<url><loc><![CDATA[http://a.example/2]]></loc><changefreq>daily</changefreq></url></urlset>`
const feed = `<rss version="2.0"><channel><item><link>http://a.example/3</link><pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate></item></channel></rss>`
const at = Date.UTC(2026, 0, 2)
const httpHead = responseHead({
  status: 200,
  statusText: 'OK',
  headers: [
    ['Content-Type', 'text/html'],
    ['Content-Encoding', 'gzip'],
  ],
})
const response = responseRecord({ url: base, at, httpHead, body: gzipSync(html), ip: '93.184.216.34' })
const info = warcinfoRecord({ at, filename: 'a.warc.gz', software: 'x', fields: [['format', 'WARC File Format 1.1']] })
const xmlWords = [
  '<',
  '>',
  '&',
  '&#x41;',
  '&#0;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<!DOCTYPE x [',
  '<?',
  '?>',
  '"',
  "'",
  '=',
  '/',
  '\0',
  '\ufeff',
]

const ring = newKeyRing(Buffer.alloc(32, 1), 0)
const signedRequest = { method: 'GET', url: 'https://a.example/p?q=1', headers: [['X', 'y']] as const }
const signing = { key: ring[0], agent: 'https://b.example/k', at: 1e12, lifeMs: 60_000, nonce: 'n' }
const signedFields = signBotRequest(signedRequest, signing).map(([name, value]) => `${name}: ${value}\r\n`)

/** Whoever is verified by what is left of a signature has changed nothing that it says. */
function checkSignature(bytes: Buffer): void {
  readKeySet(bytes)
  readKeyRing(bytes.toString('utf8'))
  const { headers } = parseHttpBlock(Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n'), bytes]))
  const message = { ...signedRequest, headers: [...signedRequest.headers, ...headers] }
  const options = { keyOf: () => ring[0].publicKey, at: 1e12, skewMs: 0 }
  verifyMessage(message, { ...options, mustCover: [], body: bytes })
  const claims = botClaims(headers)
  for (const claim of claims.kind === 'claimed' ? claims.claims : []) {
    const verdict = verifyBot(message, claim, options)
    if (verdict.kind !== 'valid') continue
    assert.equal(claim.agent, signing.agent)
    assert.deepEqual([verdict.keyId, verdict.nonce, verdict.created], [ring[0].keyId, 'n', 1e12])
  }
}

export const fuzzTargets: readonly FuzzTarget[] = [
  {
    name: 'url',
    samples: [
      base,
      'HTTPS://ü.example:443/a/../b/./%7e?utm_source=x&b=%C3%BC#f',
      '//b.example/?a=1;b=2',
      '?q',
      'http://[::1]:80/',
      'http://0x7f.1/',
    ],
    words: [
      '/',
      '..',
      '%',
      '%2f',
      '%00',
      '?',
      '#',
      '&',
      ';jsessionid=1',
      '@',
      ':',
      ':99999',
      '\\',
      '\t',
      '\n',
      'xn--',
      '。',
      '[',
      ']',
      'ß',
    ],
    check: (bytes) => checkUrl(bytes.toString()),
  },
  {
    name: 'robots',
    samples: [
      'User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 2.5\nSitemap: /s.xml\n\nUser-agent: comity\r\nDisallow:\r',
      '\ufeff# c\rUser-Agent : b\rDisallow: /%E3%81%82',
    ],
    words: [
      'User-agent:',
      'Disallow:',
      'Allow:',
      '*',
      '$',
      '/',
      '\n',
      '\r',
      '\0',
      '%',
      '#',
      ':',
      ' ',
      'Crawl-delay: 1e309',
      '\ufeff',
    ],
    check: checkRobots,
  },
  {
    name: 'html',
    samples: [html, '<a href=x>y', '<title>t</title>'],
    words: [
      ...xmlWords,
      '</',
      '<a ',
      'href=',
      '<base href=',
      '<script>',
      '</script',
      '<title>',
      '<svg>',
      '<math>',
      '<template>',
      '<plaintext>',
    ],
    check: checkHtml,
  },
  {
    name: 'sitemap',
    samples: [sitemap, gzipSync(sitemap), feed, jsonFeed, 'http://a.example/1\nhttp://a.example/2\n'],
    words: [...xmlWords, '<url>', '<loc>', '</loc>', '<sitemap>', '<sitemapindex>', '<urlset>', 'http://'],
    check: checkSitemap,
  },
  {
    name: 'json-feed',
    samples: [jsonFeed, jsonFeed.replace('1.1', '1')],
    words: [
      '{',
      '}',
      '[',
      ']',
      '"items":',
      '"url":',
      '"id":',
      '"__proto__":',
      '"date_modified":',
      'null',
      '1e999',
      '\\ud800',
    ],
    check: checkJsonFeed,
  },
  {
    name: 'warc',
    samples: [
      Buffer.concat([gzipRecord(info), gzipRecord(response)]),
      Buffer.concat([encodeRecord(info), encodeRecord(response)]),
    ],
    words: [
      'WARC/1.1\r\n',
      'Content-Length: ',
      '\r\n\r\n',
      '0',
      '999999999999',
      '\x1f\x8b\x08',
      'WARC-Type: response\r\n',
    ],
    check: checkWarc,
  },
  {
    name: 'headers',
    samples: [
      'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset="utf-8"\r\nRetry-After: 120\r\nX-Robots-Tag: comity: noindex\r\n\r\nbody',
    ],
    words: [
      '\r\n',
      '\n',
      ':',
      ' ',
      '\t',
      ';',
      '"',
      ',',
      '\0',
      'gzip',
      'Content-Length: -1',
      'HTTP/1.1',
      'Sun, 06 Nov 1994 08:49:37 GMT',
      '9'.repeat(40),
    ],
    check: checkHead,
  },
  {
    name: 'codings',
    samples: [
      gzipSync(html),
      deflateSync(html),
      brotliCompressSync(html),
      zstdCompressSync(html),
      gzipSync(Buffer.alloc(1 << 20)),
    ],
    words: ['\x1f\x8b', '\x78\x9c', '\x28\xb5\x2f\xfd', '\0\0\xff\xff'],
    check: checkCodings,
  },
  {
    name: 'signature',
    samples: [`${signedFields.join('')}\r\n`, writeKeySet([ring[0].publicKey]), writeKeyRing(ring)],
    words: [
      'sig1=',
      'sig2=',
      '("@method" "@authority")',
      ';key="sig1"',
      ';req',
      ';created=1000000000',
      ';expires=9999999999',
      ';tag="web-bot-auth"',
      ':AAAA:',
      '"https://c.example/"',
      'Signature: ',
      'Signature-Input: ',
      'Signature-Agent: ',
      '"d":"AAAA"',
    ],
    check: checkSignature,
  },
  fieldsTarget,
  callsTarget,
  syncTarget,
  metadataTarget,
  linesTarget,
  differencesTarget,
  archivesTarget,
  packagesTarget,
  batchesTarget,
  pushedTarget,
  askedTarget,
  wireTarget,
  recordsTarget,
  rowsTarget,
  settingsTarget,
  queryTarget,
  hintsTarget,
  segmentTarget,
  pdfTarget,
  agentsTarget,
  packetsTarget,
  pathsTarget,
  talkTarget,
  browserTarget,
  searchMessageTarget,
]
