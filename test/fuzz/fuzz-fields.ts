/** Fuzz target: fields of requests and answers, each value as a stranger may send it. */
import assert from 'node:assert/strict'
import {
  checkContentDigest,
  checkDigest,
  checkDigestField,
  checkHubSignature,
  checkUnencoded,
  dictionaryMatches,
  evaluateConditions,
  linkTargets,
  mayServeRange,
  parseContentRange,
  parseDeltaWish,
  parseDictionaryOffer,
  parseDigestField,
  parseEntityTag,
  parseEntityTags,
  parseHttpBlock,
  parseHttpDate,
  parseLinkHeader,
  parseQualityList,
  parseRange,
  parseUseAsDictionary,
  qualityOf,
  readUserAgent,
  readHubLinks,
  readUploadFields,
  retryAfter,
  statedLength,
  writeHttpDate,
} from '@comity/protocol'
import { parseClaimedDate } from '../../packages/protocol/src/feeds/claimed-date.ts'
import { decodeReferences } from '../../packages/protocol/src/html/entities.ts'
import { parseRefresh } from '../../packages/protocol/src/html/html-values.ts'
import { parseComponent } from '../../packages/protocol/src/identity/signature-component.ts'
import { readSignatures } from '../../packages/protocol/src/identity/signature-fields.ts'
import { parseFieldDictionary, parseFieldItem } from '../../packages/protocol/src/http/structured-field.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const URL_OF = 'http://a.example/x/y'
const AT = 1_794_744_000_000
const BODY = Buffer.from('body')

const lines = [
  'Link: <http://h.example/>; rel="hub", </self>; rel=self; title*=UTF-8\'\'a%20b',
  'Accept-Encoding: gzip;q=0.5, br;q=1.0, *;q=0',
  'If-None-Match: "a", W/"b", *',
  'If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT',
  'If-Range: "a"',
  'Range: bytes=0-1,5-,-3',
  'Content-Range: bytes 0-1/10',
  'Repr-Digest: sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:',
  'Content-Digest: sha-256=:AAAA:, sha-512=:AAAA:',
  'WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  'Use-As-Dictionary: match="/x/*", match-dest=("document"), id="d", type=raw',
  'Available-Dictionary: :AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:',
  'A-IM: vcdiff, gzip;q=0.3',
  'Retry-After: 120',
  'Upload-Offset: 5',
  'Upload-Complete: ?0',
  'Upload-Length: 100',
  'Content-Length: 4',
  'Signature-Input: sig1=("@method" "@authority";req "x");created=1;keyid="k"',
  'Signature: sig1=:AAAA:',
  'X-Hub-Signature: sha256=00ff',
  'User-Agent: Mozilla/5.0 (compatible; Examplebot/2.1; +http://bot.example/)',
  'Refresh: 5; url="/next"',
  'Date: 2026-01-02T03:04:05+01:00',
]

export const fieldsTarget: FuzzTarget = {
  name: 'fields',
  samples: [...lines, lines.slice(0, 8).join('\r\n'), lines.slice(8, 16).join('\r\n'), lines.slice(16).join('\r\n')],
  words: [
    ';q=',
    '; rel="',
    '<',
    '>',
    ', ',
    '?0',
    '?1',
    ':AAAA:',
    '("a" "b")',
    'W/"',
    '*',
    '=',
    'bytes=',
    '-',
    'sha-256=',
    'EST',
    'GMT',
    ';req',
    ';sf',
    '&amp',
    '&#x41;',
  ],
  check: checkFields,
}

function checkFields(bytes: Buffer): void {
  const { headers } = parseHttpBlock(Buffer.concat([Buffer.from('GET / HTTP/1.1\r\n'), bytes, Buffer.from('\r\n\r\n')]))
  for (const [name, value] of headers) {
    checkField(value)
    checkDigest(value, BODY)
    checkHubSignature('secret', value, BODY)
    parseComponent(value)
    parseComponent(`"${name}"`)
  }
  const current = { etag: '"a"', lastModified: AT }
  evaluateConditions({ method: 'GET', headers }, current, AT)
  mayServeRange(headers, current, AT)
  checkContentDigest(headers, BODY)
  checkUnencoded(headers, BODY)
  parseDeltaWish(headers)
  parseDictionaryOffer(headers)
  readSignatures(headers)
  statedLength(readUploadFields(headers), 0, 5)
  for (const url of readHubLinks(headers, URL_OF).hubs) assert.ok(URL.canParse(url))
}

function checkField(value: string): void {
  for (const url of linkTargets([['Link', value]], 'hub', URL_OF)) assert.match(url, /^https?:/)
  assert.ok(parseLinkHeader(value).length <= 1_000)
  for (const { quality } of parseQualityList(value)) assert.ok(quality >= 0 && quality <= 1)
  assert.ok(qualityOf(parseQualityList(value), 'gzip') >= 0)
  parseEntityTag(value)
  parseEntityTags(value)
  const range = parseRange(value, 1_000)
  if (range.kind === 'parts') for (const { start, end } of range.ranges) assert.ok(start >= 0 && end <= 1_000)
  parseContentRange(value)
  parseDigestField(value)
  checkDigestField(value, BODY)
  const use = parseUseAsDictionary(value)
  if (use !== undefined) dictionaryMatches({ url: URL_OF, use, fetchedAt: AT }, URL_OF, 'document')
  parseFieldDictionary(value)
  parseFieldItem(value)
  const date = parseHttpDate(value, AT)
  if (date !== undefined) assert.equal(parseHttpDate(writeHttpDate(date), AT), date - (date % 1_000), 'a date is one')
  parseClaimedDate(value)
  assert.ok((retryAfter(value, AT) ?? AT) >= AT)
  readUserAgent(value)
  parseRefresh(value)
  for (const isAttribute of [true, false])
    assert.ok(decodeReferences(value, isAttribute).length <= 2 * value.length + 2)
}
