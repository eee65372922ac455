/** Dialogue case, for tests: packets, and what is told of them in the end; after each nothing is held. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { ownValue } from '@comity/protocol'
import { rebuilt, told } from './dialogue-sample.ts'
import type { Rebuilt } from './dialogue-sample.ts'
import type { Wire } from './packet-sample.ts'
import type { RebuildOptions } from '../rebuilder.ts'

interface DialogueCase {
  /** Begins with the numbers of the cases in docs/gateway-cases.md. */
  readonly sentence: string
  readonly packets: () => readonly Wire[]
  /** What is whole is told a moment later than the rest. */
  readonly told: readonly string[]
  readonly counters?: Partial<Rebuilt['counters']['flows']>
  readonly options?: RebuildOptions
}

export function testDialogues(cases: readonly DialogueCase[]): void {
  for (const { sentence, packets, told: expected, counters = {}, options } of cases) {
    test(sentence, () => {
      const result = rebuilt(packets(), options)
      assert.deepEqual(told(result), expected)
      for (const [name, count] of Object.entries(counters)) {
        assert.equal(ownValue<number>({ ...result.counters.flows }, name), count, name)
      }
      assert.deepEqual(result.held, { flows: 0, bytes: 0 })
    })
  }
}

export const swapped = (packets: readonly Wire[], one: number, other: number): Wire[] => {
  const turned = [...packets]
  ;[turned[one], turned[other]] = [turned[other]!, turned[one]!]
  return turned
}

export const without = (packets: readonly Wire[], ...gone: number[]): Wire[] =>
  packets.filter((_, at) => !gone.includes(at))
