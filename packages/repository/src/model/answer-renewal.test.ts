import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { AnswerRenewal } from './answer-renewal.ts'
import type { RenewalClock } from './answer-renewal.ts'

/** Time that passes only where somebody sleeps or works, and what happened when. */
class FakeClock implements RenewalClock {
  at = 0
  spent = 0
  readonly slept: number[] = []
  now(): number {
    return this.at
  }
  spentMs(): number {
    return this.spent
  }
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await setImmediate()
    signal.throwIfAborted()
    this.slept.push(ms)
    this.at += ms
  }
}

/** When a renewal that was woken once has gone back to rest. */
async function atRest(renewal: AnswerRenewal, clock: FakeClock): Promise<void> {
  for (let before = -1; before !== clock.at;) {
    before = clock.at
    for (let i = 0; i < 5; i++) await setImmediate()
  }
  await renewal[Symbol.asyncDispose]()
}

test('while somebody searches, there is a round every so often; afterwards there is none', async () => {
  const clock = new FakeClock()
  let rounds = 0
  const renewal = new AnswerRenewal(async () => void rounds++, clock)
  assert.equal(rounds, 0)
  renewal.wake()
  renewal.wake()
  await atRest(renewal, clock)
  assert.equal(rounds, 3_000 / 60)
  assert.equal(clock.at, 3_000)
})

test('after a long round comes a rest that is three times as long, and what fails is tried again', async () => {
  const clock = new FakeClock()
  const renewal = new AnswerRenewal(async () => {
    clock.at += 700
    clock.spent += 500
    throw new Error('the index cannot be read')
  }, clock)
  renewal.wake()
  await atRest(renewal, clock)
  assert.deepEqual(clock.slept, [60, 1_500, 1_500])
})

test('closing ends a round between two answers, and waits for it', async () => {
  const clock = new FakeClock()
  const began = Promise.withResolvers<void>()
  let isOver = false
  const renewal = new AnswerRenewal(async (pause) => {
    began.resolve()
    try {
      for (;;) await pause()
    } finally {
      isOver = true
    }
  }, clock)
  renewal.wake()
  await began.promise
  await renewal[Symbol.asyncDispose]()
  assert.ok(isOver)
  renewal.wake()
  await renewal[Symbol.asyncDispose]()
})
