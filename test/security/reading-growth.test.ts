// Runs alone: it measures processor time.
/** Every reader of what strangers send, held to growing with what it reads; a new one belongs into this table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyDelta,
  botClaims,
  canonicalUrl,
  createLinkResolver,
  decodeText,
  dictionaryMatches,
  evaluateConditions,
  isAllowedIn,
  isKeyFile,
  likelyKindOf,
  linkTargets,
  mediaKindOf,
  parseContentRange,
  parseCdxjLine,
  parseDeltaWish,
  parseDictionaryOffer,
  parseDigestField,
  parseEntityTag,
  parseEntityTags,
  parseHttpBlock,
  parseHttpDate,
  parseIndexNow,
  parseLinkHeader,
  parsePublishForm,
  parseQualityList,
  parseRange,
  parseRobots,
  parseRobotsDirectives,
  parseSubscribeForm,
  parseUseAsDictionary,
  parseMetadataArchiveName,
  readAccessLogLine,
  readApiCatalog,
  readMetadataArchive,
  readArchiveList,
  readBatch,
  readBatchAnswer,
  readChangeNotification,
  readChangeQuery,
  readChanges,
  readUserAgent,
  readGatewayBatch,
  readHtml,
  readHubLinks,
  readKeySet,
  readRobotsRdf,
  readSitemap,
  readSync,
  readUploadFields,
  registrableDomain,
  retryAfter,
  sideEffectOf,
  simhash,
  sniffCharset,
  surtOf,
  trapOf,
  entityBody,
  decodeVcdiff,
} from '@comity/protocol'
import { EventReader } from '@comity/protocol/testing'
import type { HeaderList } from '@comity/protocol'
import { scopePattern } from '../../packages/frontier/src/queue/scope.ts'
import { parseQuery } from '../../packages/index/src/query/parser.ts'
import { eachWord } from '../../packages/index/src/text/words.ts'
import { urlText } from '../../packages/index/src/text/url-words.ts'
import { readBundle } from '../../packages/agent/src/bundle/bundle.ts'
import { readRecord } from '../../packages/agent/src/bundle/record.ts'
import { pathGlob } from '../../packages/site/src/privacy/path-glob.ts'
import { growthsOf } from './reading-growth.ts'
import type { TextReader } from './reading-growth.ts'

const url = 'http://a.example/x'
const field = (name: string, value: string): HeaderList => [[name, value.replaceAll(/[\r\n\0]/g, ' ')]]

// oxfmt-ignore
const readers: Readonly<Record<string, TextReader['read']>> = {
  'a URL': (text) => canonicalUrl(text, url),
  'a link': (text) => createLinkResolver(url)(text),
  'a host': (text) => registrableDomain(text),
  'a trap': (text) => [trapOf(`${url}/${text}`), sideEffectOf(`${url}?${text}`, 2026), likelyKindOf(url + text)],
  'a key of CDXJ': (text) => surtOf(`${url}${text}`),
  'a line of CDXJ': (text) => [parseCdxjLine(text), parseCdxjLine(`a 20260101000000 {${text}}`)],
  'HTML': (text) => readHtml(text),
  'robots.txt': (_, bytes) => isAllowedIn(parseRobots(bytes).rulesFor('comity'), `http://a.example/${'a'.repeat(2_000)}`),
  'rules of robots.txt and a URL': (text) => isAllowedIn(RULES, `http://a.example/${text}`),
  'robots directives': (text) => parseRobotsDirectives([text, `comity: ${text}`], 'comity'),
  'a sitemap': (_, bytes) => readSitemap(bytes, url),
  'a ResourceSync document': (text) => readSync(Buffer.from(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${text}`), url),
  'robots.rdf': (text, bytes) => [readRobotsRdf(bytes, url), readRobotsRdf(Buffer.from(`<rdf:RDF xmlns:rdf="a">${text}`), url)],
  'a notice': (_, bytes) => readChangeNotification(bytes, url),
  'a metadata archive': (_, bytes) => readMetadataArchive(bytes, { site: url }),
  'a list of archives': (text) => [readArchiveList(text, url), parseMetadataArchiveName(text)],
  'rows of JSON': (text, bytes) => [readChanges(text), readBatch(bytes), readChangeQuery(text)],
  'a batch answer': (text, bytes) => [readBatchAnswer(bytes), readBatchAnswer(Buffer.from(`WARC/1.0\r\n${text}`))],
  'an HTTP head': (text) => entityBody(parseHttpBlock(Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n${text}`))),
  'chunks': (text) => entityBody(parseHttpBlock(Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}`))),
  'a Link field': (text) => [parseLinkHeader(text), linkTargets(field('link', text), 'next', url), readHubLinks(field('link', text), url)],
  'a list with qualities': (text) => parseQualityList(text),
  'entity tags': (text) => [parseEntityTag(text), parseEntityTags(text)],
  'a range': (text) => [parseRange(text, 1_000), parseContentRange(text)],
  'a date': (text) => [parseHttpDate(text, 0), retryAfter(text, 0)],
  'a digest': (text) => parseDigestField(text),
  'dictionary fields': (text) => [parseUseAsDictionary(`match="${text}"`), parseUseAsDictionary(text), parseDictionaryOffer(field('available-dictionary', text))],
  'a dictionary that matches': (text) => {
    const use = parseUseAsDictionary('match="/*a*a*a*a*b"')
    return use === undefined ? undefined : dictionaryMatches({ url, use, fetchedAt: 0 }, `http://a.example/${text}`)
  },
  'conditions': (text) => evaluateConditions({ method: 'GET', headers: field('if-none-match', text) }, { etag: '"a"' }, 0),
  'a wish for a difference': (text) => parseDeltaWish([...field('a-im', text), ...field('if-none-match', text)]),
  'a signature': (text) => [botClaims([...field('signature-input', text), ...field('signature', text), ...field('signature-agent', text)]), readUploadFields(field('upload-complete', text))],
  'keys': (_, bytes) => [readKeySet(bytes), isKeyFile(bytes, 'aaaaaaaa')],
  'a form': (text) => [parseSubscribeForm(text), parsePublishForm(text), parseIndexNow('GET', `url=${text}`, undefined, new Uint8Array(0))],
  'a catalogue': (text) => readApiCatalog(text, url),
  'a line of a log': (text) => [readAccessLogLine(text), readUserAgent(text)],
  'events': (_, bytes) => new EventReader().write(bytes),
  'a batch of a gateway': (_, bytes) => readGatewayBatch(bytes),
  'a charset': (text, bytes) => [sniffCharset(bytes, `text/html; charset=${text}`), decodeText(bytes, text), mediaKindOf(text, url)],
  'a difference': (_, bytes) => [decodeVcdiff(bytes, Buffer.concat([MAGIC, bytes]), { maxBytes: 1 << 20 }), applyDelta({ status: 226, headers: field('im', 'vcdiff'), body: bytes }, new Map(), { maxBytes: 1 })],
  'a text to compare': (text) => simhash(text),
  'a glob of the scope': (text) => [scopePattern('*a*a*a*a*b')(text), scopePattern('http://*/*/*/*.html')(text)],
  'a glob of paths': (text) => [pathGlob('*a*a*a*a*b')(text), pathGlob('/*/*/*/*/x')(text)],
  'a query': (text) => parseQuery(text, 0),
  'words': (text) => [eachWord(text, () => undefined), urlText(`http://a.example/${text}`)],
  'a record of an agent': (text, bytes) => [readRecord(text), readBundle(bytes)],
}

const RULES = parseRobots('User-agent: *\nDisallow: /*a*a*a*a*a*b\nDisallow: /*/*/*/*/*x$').rulesFor('comity')
const MAGIC = Buffer.from([0xd6, 0xc3, 0xc4, 0, 0])

for (const [name, read] of Object.entries(readers)) {
  test(`${name}: eight times as much takes eight times as long to read, not sixty-four`, { timeout: 120_000 }, () => {
    assert.deepEqual(growthsOf({ name, read }), [])
  })
}
