/**
 * Captures that were made to break it, against `comity gateway --pcap` as it runs: every one ends by itself, with a code, and with an outcome
 * that has a name and a number: packets that were read, what they were counted as, and what was wrong with the file.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { createRandom } from '@comity/testbed'
import { amount } from '@comity/protocol/testing'
import { comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { Dialogue, get, ok } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { ethernetFrame, pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import type { Wire } from '../../packages/gateway/src/testing/packet-sample.ts'
import { ngWriter } from '../../packages/gateway/src/testing/pcapng-sample.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const TIMEOUT = { timeout: 120_000 }

const PAGE = '<title>A page</title><p>words'
const wires = (): Wire[] =>
  new Dialogue().open().exchange(get('/'), ok(PAGE, 'Content-Type: text/html\r\n')).close().packets
const plain = pcapFile(wires())
const COUNT = wires().length
const [little, big] = [ngWriter(false), ngWriter(true)]
const ngBlocks = (ng: typeof little, options: [number, Uint8Array][] = []): Buffer =>
  Buffer.concat([
    ng.section(),
    ng.iface(101, options),
    ...wires().map(({ at, bytes }) => ng.packet(0, BigInt(Math.floor(at)) * 1_000n, bytes)),
  ])
const u32 = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * at)
  return bytes
}
const changed = (bytes: Buffer, at: number, ...numbers: number[]): Buffer => {
  const copy = Buffer.from(bytes)
  u32(...numbers).copy(copy, at)
  return copy
}
const ng = ngBlocks(little)
const behindSection = little.section().length

// oxfmt-ignore
const captures: [what: string, bytes: Buffer, packets: number | undefined, problem: RegExp | undefined, count?: string][] = [
  ['nothing at all',                         Buffer.alloc(0),                                     0,      /is empty/],
  ['a byte',                                 Buffer.of(0xd4),                                     0,      /ends in the middle/],
  ['a magic number alone',                   plain.subarray(0, 4),                                0,      /ends in the middle/],
  ['half a header',                          plain.subarray(0, 12),                               0,      /ends in the middle/],
  ['a header, and no packet',                plain.subarray(0, 24),                               0,      undefined],
  ['half a record',                          plain.subarray(0, 24 + 8),                           0,      /ends in the middle/],
  ['a record without its packet',            plain.subarray(0, 24 + 16 + 10),                     0,      /ends in the middle/],
  ['the last byte cut off',                  plain.subarray(0, -1),                               COUNT - 1, /ends in the middle/],
  ['text',                                   Buffer.from('this is no capture, but words'),        0,      /no capture that can be read/],
  ['zeros',                                  Buffer.alloc(100_000),                               0,      /no capture that can be read/],
  ['the patch of 1999',                      changed(plain, 0, 0xa1b2cd34),                       0,      /no capture that can be read/],
  ['as it is',                               plain,                                               COUNT,  undefined],
  ['the other byte order',                   pcapFile(wires(), { isBigEndian: true }),            COUNT,  undefined],
  ['nanoseconds',                            pcapFile(wires(), { isNano: true }),                 COUNT,  undefined],
  ['nanoseconds, the other order',           pcapFile(wires(), { isNano: true, isBigEndian: true }), COUNT, undefined],
  ['a byte order that lies',                 changed(plain, 0, 0xd4c3b2a1),                       undefined, /damaged|middle/],
  ['a snap length without bounds',           changed(plain, 16, 0xffffffff),                      COUNT,  undefined],
  ['no snap length',                         changed(plain, 16, 0),                               COUNT,  undefined],
  ['a link type that is none',               changed(plain, 20, 0xfff),                           COUNT,  undefined, 'unknownLink'],
  ['a wrong link type',                      changed(plain, 20, 1),                               COUNT,  undefined, 'notIp'],
  ['every bit of the link type set',         changed(plain, 20, 0xffffffff),                      COUNT,  undefined, 'unknownLink'],
  ['a packet without bounds',                changed(plain, 24 + 8, 0xffffffff),                  0,      /damaged here/],
  ['a packet that is a little too long',     changed(plain, 24 + 8, 100_000),                     0,      /ends in the middle/],
  ['a packet of no bytes',                   Buffer.concat([plain.subarray(0, 24), u32(1, 1, 0, 0), plain.subarray(24)]), COUNT + 1, undefined],
  ['a packet shorter on the wire than here', changed(plain, 24 + 12, 1),                          COUNT,  undefined],
  ['a packet longer on the wire than any',   changed(plain, 24 + 12, 0xffffffff),                 COUNT,  undefined],
  ['the end of time',                        changed(plain, 24, 0xffffffff, 0xffffffff),          COUNT,  undefined],
  ['two in a row',                           Buffer.concat([plain, plain]),                       2 * COUNT, undefined],
  ['pcapng',                                 ng,                                                  COUNT,  undefined],
  ['pcapng, the other order',                ngBlocks(big),                                       COUNT,  undefined],
  ['a section alone',                        little.section(),                                    0,      undefined],
  ['a section cut short',                    little.section().subarray(0, 10),                    0,      /ends in the middle/],
  ['a section without an order',             changed(ng, 8, 0),                                   0,      /without a byte order/],
  ['a block of no length',                   changed(ng, behindSection + 4, 0),                   0,      /block of 0 bytes/],
  ['a block of an odd length',               changed(ng, behindSection + 4, 13),                  0,      /block of 13 bytes/],
  ['a block of nearly no length',            changed(ng, behindSection + 4, 8),                   0,      /block of 8 bytes/],
  ['a block without bounds',                 changed(ng, behindSection + 4, 0xfffffffc),          0,      /damaged here/],
  ['a block with two lengths',               changed(ng, behindSection + little.iface(101).length - 4, 24), 0, /two lengths/],
  ['a block that nobody knows, without bounds', Buffer.concat([little.section(), u32(0x0bad, 0xfffffffc)]), 0, /ends in the middle/],
  ['a packet before its interface',          Buffer.concat([little.section(), little.packet(0, 1n, Buffer.alloc(40))]), 0, /not described/],
  ['a packet of another interface',          Buffer.concat([little.section(), little.iface(101), little.packet(0xffffffff, 1n, Buffer.alloc(40))]), 0, /not described/],
  ['a packet longer than its block',         Buffer.concat([little.section(), little.iface(101), little.block(6, u32(0, 0, 0, 0xffffffff, 0xffffffff))]), 0, /longer than its block/],
  ['a packet that is cut short',             Buffer.concat([little.section(), little.iface(101), little.block(6, u32(0))]), 0, /cut short/],
  ['a simple packet without its length',     Buffer.concat([little.section(), little.iface(101), little.block(3, Buffer.alloc(0))]), 0, /cut short/],
  ['a simple packet before all',             Buffer.concat([little.section(), little.simplePacket(Buffer.alloc(40))]), 0, /before any interface/],
  ['an interface cut short',                 Buffer.concat([little.section(), little.block(1, u32(101))]), 0, /interface that is cut short/],
  ['an option of no bytes',                  ngBlocks(little, [[9, Buffer.alloc(0)], [14, Buffer.alloc(0)]]), COUNT, undefined],
  ['an option longer than its block',        Buffer.concat([little.section(), little.block(1, Buffer.concat([u32(101, 0), Buffer.of(9, 0, 255, 255)])), ...wires().map(({ bytes }) => little.packet(0, 1n, bytes))]), COUNT, undefined],
  ['a clock that stands still',              ngBlocks(little, [[9, Buffer.of(0xff)]]),            COUNT,  undefined],
  ['a clock of ten to the 127th',            ngBlocks(little, [[9, Buffer.of(0x7f)]]),            COUNT,  undefined],
  ['a clock that is off by all there is',    ngBlocks(little, [[14, Buffer.alloc(8, 0x7f)]]),     COUNT,  undefined],
  ['an interface for every packet',          Buffer.concat([little.section(), ...Array.from({ length: 10_001 }, () => little.iface(101))]), 0, /too many interfaces/],
  ['packed, and cut',                        gzipSync(plain).subarray(0, 60),                     undefined, /could not be read|middle|empty/],
  ['packed with something else',             Buffer.concat([Buffer.of(0x28, 0xb5, 0x2f, 0xfd), Buffer.alloc(40, 7)]), 0, /could not be read|empty/],
  ['a bomb of zeros',                        gzipSync(Buffer.alloc(64 << 20)),                    0,      /no capture that can be read/],
  ['packed as it should be',                 zstdCompressSync(plain),                             COUNT,  undefined],
  ['frames with too many tags',              pcapFile(wires().map(({ at, bytes }) => ({ at, bytes: ethernetFrame(bytes, Array.from({ length: 40 }, (_, i) => i)) })), { linkType: 1 }), COUNT, undefined, 'notIp'],
]

interface Report {
  readonly packets: number
  readonly problems: readonly string[]
  readonly details: Readonly<Record<string, number>>
  readonly faults: { readonly count: number }
}

for (const [what, bytes, packets, problem, count] of captures) {
  test(`a capture made to break it: ${what}`, TIMEOUT, async () => {
    writeFileSync(folder.at('odd'), bytes)
    const ended = await comityHere(['gateway', '--pcap', folder.at('odd'), '--json'])
    const report = lastJson(ended) as unknown as Report
    if (packets !== undefined) assert.equal(report.packets, packets)
    assert.equal(report.faults.count, 0)
    if (problem === undefined) assert.deepEqual(report.problems, [])
    else assert.match(report.problems.join('\n'), problem)
    if (count !== undefined) assert.ok((report.details[count] ?? 0) > 0, JSON.stringify(report.details))
    assert.equal(ended.code, problem !== undefined && report.packets === 0 ? 1 : 0)
  })
}

test('one that is damaged does not stop those behind it, and is named', TIMEOUT, async () => {
  writeFileSync(folder.at('first'), Buffer.from('this is no capture, but words'))
  writeFileSync(folder.at('cut'), plain.subarray(0, -1))
  writeFileSync(folder.at('sound'), plain)
  const files = [folder.at('first'), folder.at('cut'), folder.at('sound')]
  const ended = await comityHere(['gateway', '--json', '--pcap', ...files])
  const { packets, problems } = lastJson(ended) as unknown as Report
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(packets, 2 * COUNT - 1)
  assert.equal(problems.length, 2)
  assert.match(problems[0]!, /first: this is no capture/)
  assert.match(problems[1]!, /cut: the capture ends in the middle/)
})

test('one that grows, and is damaged, ends the command instead of being silent for ever', TIMEOUT, async () => {
  writeFileSync(folder.at('grows'), Buffer.concat([plain, u32(1, 1, 0xffffffff, 0)]))
  const ended = await comityHere(['gateway', '--json', '--pcap', folder.at('grows'), '--follow'])
  const { packets, problems } = lastJson(ended) as unknown as Report
  assert.equal(packets, COUNT)
  assert.match(problems.join('\n'), /damaged here/)
  assert.equal(ended.code, 1, 'a service manager is to know')
})

const rounds = amount(60, 3_000)

test('bytes changed at will end the same way, whatever they are', TIMEOUT, async () => {
  const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
  const source = createRandom(seed)
  const below = (most: number): number => Math.floor(source.next() * most)
  const samples = [plain, ng, ngBlocks(big), pcapFile(wires(), { isBigEndian: true, isNano: true })]
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(samples[below(samples.length)]!)
    for (let change = 0; change <= below(8); change++) bytes[below(bytes.length)] = below(256)
    writeFileSync(folder.at('fuzz'), bytes.subarray(0, below(4) === 0 ? below(bytes.length) : bytes.length))
    const ended = await comityHere(['gateway', '--pcap', folder.at('fuzz'), '--json'])
    const { packets, problems, faults } = lastJson(ended) as unknown as Report
    assert.equal(faults.count, 0, `COMITY_SEED=${seed}, round ${round}`)
    assert.equal(ended.code, problems.length > 0 && packets === 0 ? 1 : 0, `COMITY_SEED=${seed}, round ${round}`)
  }
})
