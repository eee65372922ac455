import { decodeBody } from '@comity/protocol'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { rebuilt } from './testing/dialogue-sample.ts'
import { codingOf } from './http/observed-exchange.ts'
import type { ObservedExchange } from './http/observed-exchange.ts'
import { readCapture } from './testing/tshark-check.ts'

/** Zeek's own expectations of its captures, row by row: how many rows differ from ours, and why we are right. */
const baselines: readonly (readonly [baseline: string, capture: string, differs: number, reason: string])[] = [
  ['http.100-continue', 'http__100-continue', 0, ''],
  ['http.101-switching-protocols', 'http__websocket', 0, ''],
  ['http.bad-content-range', 'http__http-bad-content-range-01', 0, ''],
  ['http.concurrent-range-requests', 'http__concurrent-range-requests', 0, ''],
  ['http.content-range-less-than-len', 'http__content-range-less-than-len', 0, ''],
  ['http.deeply-nested-mime', 'http__deeply-nested-mime', 0, ''],
  ['http.fake-content-length', 'http__fake-content-length', 0, ''],
  ['http.http-11-request-then-cruft', 'http__http-11-request-then-cruft', 0, ''],
  ['http.http-bad-request-with-version', 'http__http-bad-request-with-version', 0, ''],
  ['http.http-basic-auth-colon', 'http__basic-auth-with-colon', 0, ''],
  ['http.http-basic-auth-extra-space', 'http__basic-auth-with-extra-space', 0, ''],
  ['http.http-connect', 'http__connect-with-smtp', 0, ''],
  ['http.http-connect-with-header', 'http__connect-with-header', 0, ''],
  ['http.http-filename', 'http__http-filename', 0, ''],
  ['http.http-no-crlf', 'http__no_crlf', 0, ''],
  ['http.http-pipelining', 'http__pipelined-requests', 0, ''],
  ['http.missing-zlib-header', 'http__missing-zlib-header', 0, ''],
  ['http.percent-end-of-line', 'http__percent-end-of-line', 0, ''],
  ['http.version-mismatch', 'http__version-mismatch', 0, ''],
  ['http.x-gzip', 'http__x-gzip', 0, ''],
  [
    'http.curl-http-09',
    'http__curl_http_09',
    1,
    'the answer of the first HTTP is told, though as doubtful; Zeek has none',
  ],
  [
    'http.http-09-content-length-confusion',
    'http__http-09-content-length-confusion',
    1,
    'an answer sent before its request is nobody’s; Zeek makes it the next one’s',
  ],
  [
    'http.http-desynched',
    'http__http-desync-request-response-5',
    4,
    'after answers that nobody asked for, Zeek goes on pairing by count; ours are unpaired',
  ],
  [
    'http.http-methods',
    'http__methods',
    36,
    'request lines without blanks or methods: Zeek tells answers without requests; we cut targets and versions differently, all doubtful',
  ],
  ['http.no-uri', 'http__no-uri', 1, 'a request line without a target is no request to us; its answer is unpaired'],
  [
    'ssh.http-port-22',
    'http__http-single-conn-22',
    1,
    '12,630 bytes were sent; Zeek adds a line end that was not there',
  ],
]

const rowsOf = (log: string): Record<string, string>[] => {
  const lines = log.split('\n')
  const names = lines
    .find((line) => line.startsWith('#fields'))!
    .split('\t')
    .slice(1)
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => Object.fromEntries(line.split('\t').map((value, at) => [names[at]!, value])))
}

const plain = (target: string): string =>
  target
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .slice(0, 60)

/** As Zeek has it: the decoded length, `(empty)` and marks that do not show escaped. */
function rowOf({ request, response, body }: ObservedExchange): string {
  const decoded = response === undefined ? undefined : decodeBody(body, codingOf(response), { maxBytes: 1 << 26 })
  const length = decoded !== undefined && 'body' in decoded ? decoded.body.length : body.length
  const target = request === undefined ? '-' : request.target === '' ? '(empty)' : request.target
  const { status = '-' } = response ?? {}
  return [request?.method ?? '-', plain(target), status, length].join(' ')
}

for (const [baseline, capture, differs, reason] of baselines) {
  test(`row by row as Zeek has it: ${baseline}${differs === 0 ? '' : `, but for ${differs}: ${reason}`}`, (t) => {
    const folder = sharedData('captures')
    if (folder === undefined) return missing(t, 'packet captures')
    const log = readFileSync(join(folder, `zeek-baselines/scripts.base.protocols.${baseline}/http.log`), 'utf8')
    const path = join(folder, `zeek+zeek/testing__btest__Traces__${capture}.pcap`)
    const ours = rebuilt(readCapture(path)).exchanges.map(rowOf)
    const left = rowsOf(log).filter((row) => {
      const { method, uri, status_code: status, response_body_len: length } = row
      const at = ours.indexOf([method, plain(uri!), status, length].join(' '))
      if (at !== -1) ours.splice(at, 1)
      return at === -1
    })
    assert.equal(
      left.length,
      differs,
      JSON.stringify({ zeek: left.map(({ uri, status_code: s }) => `${uri} ${s}`), ours }),
    )
  })
}
