import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { rebuilt } from './testing/dialogue-sample.ts'
import { RangeJoin } from './http/range-join.ts'
import { readCapture } from './testing/tshark-check.ts'

const ZEEK = 'zeek+zeek/testing__btest__Traces__'
const SURICATA = 'suricata/'

/** Captures of others, by the number of their case (docs/gateway-cases.md): what is in them, and what is told of it. */
const captures: readonly (readonly [number: number, what: string, path: string, told: string])[] = [
  [5, 'pcapng', `${ZEEK}http__cooper-grill-dvwa.pcapng`, 'whole 3'],
  [10, 'the second cooked capture of Linux', `${SURICATA}decode-sll2-02__input.pcap`, 'whole 1'],
  [11, 'a tag', `${ZEEK}http-vlan-0.pcap`, 'whole 1'],
  [11, 'two tags', `${ZEEK}http-qinq-0.pcap`, 'whole 1'],
  [11, 'three tags', `${ZEEK}vlan-qinqinq.pcap`, 'whole 1'],
  [11, 'the same connection in three virtual networks', `${ZEEK}vlan-collisions.pcap`, 'whole 3'],
  [12, 'tags and labels', `${ZEEK}mixed-vlan-mpls.pcap`, 'whole 1, doubtful 1'],
  [13, 'padding; the request is of the first HTTP', `${ZEEK}tcp-http-with-padding.pcap`, 'doubtful 1'],
  [22, 'sums that a card was to fill in', `${ZEEK}chksums__localhost-bad-chksum.pcap`, 'whole 1'],
  [23, 'Teredo', `${SURICATA}decode-teredo-01__input.pcap`, 'whole 2'],
  [
    23,
    'VXLAN',
    'zeek+zeek/doc__advanced__devel__plugins__connkey-vxlan-fivetuple-plugin-src__Traces__vxlan-overlapping-http-get.pcap',
    'whole 1',
  ],
  [25, 'met in the middle', `${ZEEK}http__get_nosyn.pcap`, 'unpaired 2'],
  [25, 'met in the middle', `${SURICATA}alert-testmyids-midstream__input.pcap`, 'unpaired 1'],
  [26, 'one direction', `${SURICATA}alert-testmyids-async__input.pcap`, 'unpaired 1'],
  [26, 'only the server is seen', `${SURICATA}http-async-srv__input.pcap`, 'unpaired 2'],
  [27, 'an opening out of order', `${ZEEK}tcp__handshake-reorder.pcap`, 'whole 1'],
  [31, 'an answer that was forged', `${ZEEK}tcp__qi_internet_SYNACK_curl_jsonip.pcap`, 'unpaired 1, no-request 1'],
  [31, 'nobody plays', `${SURICATA}bug-3286-01-no-evasion__without_evasion.pcap`, 'whole 1'],
  [31, 'openings that were forged', `${SURICATA}bug-3286-02-linux-evasion__with_evasion_linux.pcap`, 'unpaired 2'],
  [32, 'a hole', `${ZEEK}http__entity_gap.pcap`, 'hole 1'],
  [32, 'two bytes of a large document', `${ZEEK}http__http-large-gap.pcap`, 'whole 1'],
  [32, 'a hole; no Host', `${SURICATA}http-gap-simple__input.pcap`, 'unsure-url 2, hole 1'],
  [35, 'requests in openings', `${SURICATA}tcp-fastopen-07__tcp_fastopen_segmentation.pcap`, 'unsure-url 1, whole 1'],
  [36, 'the end is missing', `${ZEEK}tcp__miss_end_data.pcap`, 'no-response 1'],
  [38, 'a reset before the answer', `${SURICATA}tcp-rst-unacked-stream-05-http-nogap__input.pcap`, 'no-response 1'],
  [41, 'urgent bytes', `${SURICATA}tcp-urgp-01-oob__tcp-urgent1.pcap`, 'unpaired 2'],
  [44, 'a site', `${ZEEK}http__bro.org.pcap`, 'whole 30, hole 1'],
  [45, 'requests that do not wait', `${ZEEK}http__pipelined-requests.pcap`, 'whole 5'],
  [
    46,
    'one answer of a thousand is lost',
    `${ZEEK}http__1000-requests-one-dropped-response.pcap.gz`,
    'unpaired 1, whole 999',
  ],
  [46, 'a hole between answers', `${SURICATA}http-pipeline-files-with-gap__input.pcap`, 'whole 2, hole 1'],
  [48, 'the form for proxies', `${ZEEK}http__proxy.pcap`, 'whole 1'],
  [49, 'odd request lines', `${ZEEK}http__methods.pcap`, 'doubtful 26, unpaired 2'],
  [49, 'QUERY', `${ZEEK}http__query-method.pcap`, 'whole 1'],
  [50, '100', `${ZEEK}http__100-continue.pcap`, 'whole 1'],
  [50, '100 again and again', `${SURICATA}http-multiple100__input.pcap`, 'whole 1'],
  [51, 'a tunnel with mail in it', `${ZEEK}http__connect-with-smtp.pcap`, 'switched 1'],
  [51, 'a tunnel', `${ZEEK}http__connect-with-header.pcap`, 'switched 1'],
  [52, 'a WebSocket', `${ZEEK}http__websocket.pcap`, 'switched 1'],
  [52, 'an upgrade to a plain stream', `${ZEEK}http__docker-http-upgrade.pcap`, 'whole 5, switched 1'],
  [53, 'an upgrade to HTTP/2', `${SURICATA}http2-deflate__http2_deflate.pcap`, 'switched 1'],
  [54, 'SSH answers a request', `${ZEEK}http__http-to-ssh.pcap`, 'doubtful 1'],
  [54, 'another port', `${ZEEK}http__http_large_req_8001.pcap`, 'whole 1'],
  [54, 'TLS', `${ZEEK}tls__ssl-to-http-server.pcap`, ''],
  [55, 'escapes that do not show', `${ZEEK}http__http-non-printable-characters.pcap`, 'whole 4'],
  [56, 'the first HTTP', `${ZEEK}http__curl_http_09.pcap`, 'doubtful 1'],
  [58, 'a length of more than there is', `${ZEEK}http__content-length-overflow.pcap`, 'cut-short 1'],
  [58, 'a length that wraps', `${ZEEK}http__261__variant-02-cl_uint64max.pcap`, 'unpaired 1'],
  [58, 'a length below zero', `${ZEEK}http__261__variant-03-cl_negative.pcap`, 'unpaired 1'],
  [58, 'two lengths', `${SURICATA}http-multiple-cl__input.pcap`, 'unpaired 2'],
  [59, 'a field that only begins like a length', `${ZEEK}http__fake-content-length.pcap`, 'whole 1'],
  [60, 'a piece whose length wraps', `${ZEEK}http__261__variant-01-chunk_2pow64_overflow.pcap`, 'unpaired 1'],
  [61, 'a request that looks like two', `${ZEEK}http__smuggle-http-request.pcap`, 'whole 2'],
  [61, 'pieces and a length', `${ZEEK}http__261__variant-04-te_cl_desync.pcap`, 'unpaired 1'],
  [61, 'a coding that goes on in the next line', `${ZEEK}http__261__variant-09-te_obs_fold.pcap`, 'unpaired 1'],
  [62, 'gzip', `${ZEEK}http__get-gzip.pcap`, 'whole 1'],
  [62, 'x-gzip', `${ZEEK}http__x-gzip.pcap`, 'whole 1'],
  [62, 'deflate without an envelope', `${ZEEK}http__missing-zlib-header.pcap`, 'whole 2'],
  [62, 'brotli', `${SURICATA}http-brotli-ce__input.pcap`, 'whole 3'],
  [63, 'parts', `${ZEEK}http__206_example_a.pcap`, 'whole 2'],
  [63, 'parts', `${ZEEK}http__206_example_b.pcap`, 'whole 3'],
  [63, 'parts', `${ZEEK}http__206_example_c.pcap`, 'whole 34'],
  [63, 'parts in several connections', `${ZEEK}http__concurrent-range-requests-complete.pcap`, 'whole 3'],
  [66, 'a body that is all hole', `${SURICATA}http-gap-whole-body__input.pcap`, 'hole 1, unsure-url 2'],
  [
    66,
    'a hole over the end of a body',
    `${SURICATA}http-gap-beyond-body__input.pcap`,
    'hole 1, unpaired 2, no-response 1',
  ],
  [67, 'two holes', `${SURICATA}http-gap-double__input.pcap`, 'unsure-url 2, hole 1'],
  [68, 'a hole before the end', `${ZEEK}http__content-range-gap.pcap`, 'hole 1'],
]

for (const [number, what, path, expected] of captures) {
  test(`${number}: ${what}, in ${path.split('__').slice(-2).join(' ')}`, (t) => {
    const folder = sharedData('captures')
    if (folder === undefined) return missing(t, 'packet captures')
    const { exchanges, held } = rebuilt(readCapture(join(folder, path)))
    const counts = new Map<string, number>()
    for (const { verdict } of exchanges) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    assert.deepEqual([...counts].map(([verdict, count]) => `${verdict} ${count}`).join(', '), expected)
    assert.deepEqual(held, { flows: 0, bytes: 0 })
  })
}

test('63: a document that went by in 41 parts over 41 connections is told once as a whole', (t) => {
  const folder = sharedData('captures')
  if (folder === undefined) return missing(t, 'packet captures')
  const wholes: Uint8Array[] = []
  const join206 = new RangeJoin({
    observed: ({ response, body }) => void (response?.status === 200 && wholes.push(body)),
  })
  const { exchanges } = rebuilt(readCapture(join(folder, `${SURICATA}http-range-multiflows__input.pcap`)))
  for (const observed of exchanges) join206.observed(observed)
  assert.deepEqual(
    wholes.map(({ length }) => length),
    [join206.counters.joined * wholes[0]!.length],
  )
})
