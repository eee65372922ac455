import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { AnswerCache } from './answer-cache.ts'

/** A cache on a clock and an index of the test's own: an answer is the state it was found in. */
class Sample {
  at = 1_000
  state = 1
  found = 0
  isBroken = false
  readonly cache: AnswerCache<string>
  #seen = 1

  constructor(maxAgeMs: number) {
    this.cache = new AnswerCache(() => this.at, maxAgeMs)
  }

  look(): void {
    this.cache.looked(this.state === this.#seen ? 'same' : 'other')
    this.#seen = this.state
  }

  ask(question = 'q'): Promise<string> {
    const recent = this.cache.recent(question)
    if (recent !== undefined) return recent
    this.look()
    return this.cache.newest(question, () => this.#find(question))
  }

  async renew(): Promise<string[]> {
    this.look()
    const names = this.cache.outdated()
    for (const name of names) await this.cache.renew(name)
    return names
  }

  async #find(question: string): Promise<string> {
    this.found++
    const answer = `${question}${this.state}`
    await setImmediate()
    if (this.isBroken) throw new Error('broken')
    return answer
  }
}

test('an answer is given as long as its state is the newest', async () => {
  const sample = new Sample(0)
  assert.deepEqual(await Promise.all([sample.ask(), sample.ask()]), ['q1', 'q1'])
  sample.at += 1_000_000
  assert.equal(await sample.ask(), 'q1')
  assert.equal(sample.found, 1)
  sample.state = 2
  assert.equal(await sample.ask(), 'q2')
  assert.equal(sample.found, 2)
})

test('an old answer is given for the time it may have, from when its state was last seen to be the newest', async () => {
  const sample = new Sample(250)
  await sample.ask()
  sample.at += 200
  sample.look()
  sample.state = 2
  sample.at += 249
  assert.equal(await sample.ask(), 'q1')
  sample.at += 1
  assert.equal(await sample.ask(), 'q2')
})

test('however looks, changes and questions follow each other, no answer is older than it may be', async () => {
  const step = fc.record({
    ms: fc.nat(200),
    act: fc.constantFrom<('ask' | 'change' | 'look' | 'renew')[]>('ask', 'ask', 'change', 'look', 'renew'),
    question: fc.constantFrom('a', 'b'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.constantFrom(0, 100, 250), async (steps, maxAgeMs) => {
      const sample = new Sample(maxAgeMs)
      /** When each state was replaced. */
      const replacedAt = new Map<string, number>()
      for (const { ms, act, question } of steps) {
        sample.at += ms
        if (act === 'look') sample.look()
        else if (act === 'renew') await sample.renew()
        else if (act === 'change') replacedAt.set(String(sample.state++), sample.at)
        else {
          const answer = await sample.ask(question)
          assert.equal(answer[0], question)
          assert.ok(sample.at - (replacedAt.get(answer.slice(1)) ?? sample.at) <= maxAgeMs)
        }
      }
    }),
  )
})

test('a clock that was set back makes no answer younger', async () => {
  const sample = new Sample(250)
  await sample.ask()
  sample.state = 2
  sample.at -= 1_000
  assert.equal(await sample.ask(), 'q2')
})

test('what was asked twice is found anew when the state changes, and given without a wait', async () => {
  const sample = new Sample(250)
  await Promise.all([sample.ask('often'), sample.ask('often'), sample.ask('once')])
  assert.deepEqual(await sample.renew(), [])
  sample.state = 2
  sample.at += 100
  assert.deepEqual(await sample.renew(), ['often'])
  const { found } = sample
  assert.equal(await sample.ask('often'), 'often2')
  assert.equal(sample.found, found)
  sample.state = 3
  sample.at += 60_000
  assert.deepEqual(await sample.renew(), [], 'nobody has asked for a minute')
})

test('until the new answer is there the old one is given', async () => {
  const sample = new Sample(250)
  await Promise.all([sample.ask(), sample.ask()])
  sample.state = 2
  const renewed = sample.renew()
  assert.equal(await sample.ask(), 'q1')
  await renewed
  assert.equal(await sample.ask(), 'q2')
})

test('after a merge an answer is as good as before, and is found anew all the same', async () => {
  const sample = new Sample(0)
  await Promise.all([sample.ask(), sample.ask()])
  sample.at += 1_000
  sample.cache.looked('merged')
  assert.equal(await sample.ask(), 'q1')
  assert.equal(sample.found, 1)
  assert.deepEqual(await sample.renew(), ['q'])
  assert.deepEqual(await sample.renew(), [])
  assert.equal(sample.found, 2)
})

test('a failure is told to all who wait for it, and tried again by who asks next', async () => {
  const sample = new Sample(250)
  sample.isBroken = true
  const both = await Promise.allSettled([sample.ask(), sample.ask()])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(sample.found, 1)
  sample.isBroken = false
  await Promise.all([sample.ask(), sample.ask()])
  sample.state = 2
  sample.isBroken = true
  await sample.renew()
  await assert.rejects(sample.ask())
})

test('of many questions the latest are kept', async () => {
  const sample = new Sample(0)
  for (let i = 0; i < 300; i++) {
    await sample.ask(`n${i}`)
    await sample.ask('first')
  }
  assert.equal(sample.found, 301)
  await sample.ask('n299')
  assert.equal(sample.found, 301)
  await sample.ask('n0')
  assert.equal(sample.found, 302)
})
