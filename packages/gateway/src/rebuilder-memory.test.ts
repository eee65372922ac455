import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { amount, missing, sharedData } from '@comity/protocol/testing'
import { Dialogue, get, ok } from './testing/dialogue-sample.ts'
import { pcapFile } from './testing/packet-sample.ts'
import type { Wire } from './testing/packet-sample.ts'
import { Rebuilder } from './rebuilder.ts'
import { readCapture } from './testing/tshark-check.ts'

const rounds = amount(60, 5_000)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is still referred to. */
function usedBytes(): number {
  // Buffers are given back by another thread; the next collection waits for it.
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Each round is a file of its own behind the one before, as from a capture that is rotated. */
function replay(t: { diagnostic(message: string): void }, file: (round: number) => Uint8Array): Rebuilder {
  let told = 0
  const rebuilder = new Rebuilder({ observed: () => void told++ })
  const used: number[] = []
  for (let round = 0; round < rounds; round++) {
    rebuilder.write(file(round))
    if (round % Math.ceil(rounds / 20) === 0) used.push(usedBytes())
  }
  const [early, late] = [Math.min(...used.slice(1, 10)), Math.min(...used.slice(-9))]
  t.diagnostic(
    `${rounds} rounds, ${told} passings; ${(early / 1e6).toFixed(1)} MB early, ${(late / 1e6).toFixed(1)} MB late`,
  )
  assert.ok(told >= rounds, `${told}`)
  assert.ok(late < early + 2e6, `memory grew from ${early} to ${late} bytes`)
  rebuilder.end()
  assert.deepEqual(rebuilder.memory, { flows: 0, bytes: 0 })
  return rebuilder
}

/** Pages whole, with holes, cut, and openings that nobody answers, each round a minute later and from other ports. */
function minute(round: number): Wire[] {
  const startAt = 1_700_000_000_000 + round * 60_000
  return Array.from({ length: 40 }, (_, each) => {
    const client = { address: [10, 1, round & 255, each], port: 1_024 + ((round * 40 + each) % 60_000) }
    const talk = new Dialogue({ client, startAt: startAt + each })
    if (each % 10 === 9) return talk.open().say(0, get('/never'))
    talk.open().exchange(get('/'), ok('p'.repeat(4_000)))
    if (each % 10 === 8) talk.packets.splice(5, 1)
    return each % 10 === 7 ? talk.say(0, get('/cut')).say(1, ok('cut').slice(0, 40)) : talk.close()
  }).flatMap(({ packets }) => packets)
}

test('43: an hour of pages, holes, silent and cut connections leaves nothing behind', (t) => {
  const rebuilder = replay(t, (round) => pcapFile(minute(round)))
  assert.ok(rebuilder.counters.flows.idle > 0 && rebuilder.counters.flows.gaps > 0)
})

test('43: the same real capture again and again, with the same addresses, leaves nothing behind', (t) => {
  const captures = sharedData('captures')
  if (captures === undefined) return missing(t, 'packet captures')
  const bytes = readCapture(join(captures, 'zeek+zeek/testing__btest__Traces__http__bro.org.pcap'))
  replay(t, (round) => later(bytes, round * 600))
})

/** The same packets, so many seconds later: at the same time they would only be the same packets seen twice. */
function later(pcap: Uint8Array, seconds: number): Uint8Array {
  const moved = Uint8Array.from(pcap)
  const view = new DataView(moved.buffer)
  for (let at = 24; at < moved.length; at += 16 + view.getUint32(at + 8, true)) {
    view.setUint32(at, view.getUint32(at, true) + seconds, true)
  }
  return moved
}
