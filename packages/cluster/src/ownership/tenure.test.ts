import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseTimes } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { MemoryRoadNet } from '../road/memory-road.ts'
import type { Mishaps } from '../road/memory-road.ts'
import type { Register } from '../road/road.ts'
import { Tenure } from './tenure.ts'

const times = leaseTimes(30_000)

class Stage {
  now = 0
  fate: 'told' | 'untold' | 'lost' = 'told'
  net: MemoryRoadNet
  readonly said: string[] = []

  constructor(mishaps: Partial<Mishaps> = {}) {
    this.net = new MemoryRoadNet({ delays: () => [0], after: () => undefined, write: () => this.fate, ...mishaps })
  }

  /** Whether what has to be written before something is taken cannot be. */
  isVaultAway = false

  tenure(machine: string, takeOverAfterMs = 60_000, wall: () => number = () => this.now, known = 0): Tenure {
    const clock: Clock = { monotonic: () => this.now, wall }
    return new Tenure({
      key: 'shard.0',
      machine,
      register: this.#register(machine),
      clock,
      times,
      takeOverAfterMs: () => takeOverAfterMs,
      wants: () => true,
      epochs: {
        known: () => known,
        mark: (epoch) => {
          if (this.isVaultAway) throw new Error('the vault is away')
          this.said.push(`${machine} marks ${epoch}`)
        },
      },
      onTaken: (epoch) => void this.said.push(`${machine} has ${epoch}`),
      onLost: (why) => void this.said.push(`${machine} ${why}`),
    })
  }

  silence = false

  #register(machine: string): Register {
    const { register } = this.net.road(machine)
    return {
      ...register,
      replace: (key, value, revision) =>
        this.silence ? new Promise(() => undefined) : register.replace(key, value, revision),
    }
  }

  async pass(ms: number, ...tenures: readonly Tenure[]): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + 3_000)
      for (const one of tenures) await one.turn()
    }
  }
}

test('where nothing is written it is taken after a lease without a word, and renewed', async () => {
  const stage = new Stage()
  const one = stage.tenure('a')
  await stage.pass(27_000, one)
  assert.equal(one.isHeld(), false)
  await stage.pass(6_000, one)
  await stage.pass(300_000, one)
  assert.deepEqual([one.isHeld(), one.epoch, stage.said], [true, 1, ['a marks 1', 'a has 1']])
})

test('what is given up is taken by another at once, with a higher epoch', async () => {
  const stage = new Stage()
  const [one, two] = [stage.tenure('a'), stage.tenure('b')]
  await stage.pass(33_000, one)
  await one.release()
  await two.turn()
  assert.deepEqual([one.isHeld(), two.epoch], [false, 2])
})

test('an owner that is cut off has stopped before another begins, and does not come back with what it had', async () => {
  const stage = new Stage()
  const [one, two] = [stage.tenure('a', 0), stage.tenure('b', 0)]
  await stage.pass(33_000, one, two)
  stage.fate = 'lost'
  await stage.pass(18_000, one)
  assert.equal(one.isHeld(), true)
  await stage.pass(3_000, one)
  assert.equal(one.isHeld(), false)
  stage.fate = 'told'
  await stage.pass(33_000, two)
  await one.turn()
  assert.deepEqual([one.isHeld(), two.isHeld(), two.epoch], [false, true, 2])
})

test('the faster of two clocks ends a hold: a machine that slept holds nothing', async () => {
  const stage = new Stage()
  let slept = 0
  const one = stage.tenure('a', 0, () => stage.now + slept)
  await stage.pass(33_000, one)
  assert.equal(one.isHeld(), true)
  slept = 20_000
  assert.equal(one.isHeld(), false)
  assert.equal(one.epoch, undefined)
})

test('an owner is not followed before the time for that has come, and its own next life waits for nothing', async () => {
  const stage = new Stage()
  const [one, other] = [stage.tenure('a', 600_000), stage.tenure('b', 600_000)]
  await stage.pass(33_000, one, other)
  await stage.pass(590_000, other)
  assert.equal(other.isHeld(), false)
  const again = stage.tenure('a', 600_000)
  await again.turn()
  assert.deepEqual([again.isHeld(), again.epoch], [true, 2])
  await stage.pass(630_000, other)
  assert.deepEqual([other.isHeld(), other.epoch], [true, 3])
})

test('a write that is not answered may have been done: the hold goes on with the revision that it has, or ends', async () => {
  const stage = new Stage()
  const one = stage.tenure('a')
  await stage.pass(33_000, one)
  stage.fate = 'untold'
  await stage.pass(3_000, one)
  stage.fate = 'told'
  await stage.pass(60_000, one)
  assert.deepEqual([one.isHeld(), one.epoch, stage.said], [true, 1, ['a marks 1', 'a has 1']])
})

test('where the register was wiped the owner stops at once, and whoever begins has a higher epoch than any that is known', async () => {
  const stage = new Stage()
  const one = stage.tenure('a', 0)
  await stage.pass(33_000, one)
  stage.net.wipe()
  await stage.pass(3_000, one)
  assert.deepEqual(stage.said, ['a marks 1', 'a has 1', 'a refused'])
  const other = stage.tenure('b', 0, undefined, 7)
  await stage.pass(33_000, other)
  assert.equal(other.epoch, 8)
})

test('of two that take it at the same moment one has it', async () => {
  const stage = new Stage()
  const both = [stage.tenure('a', 0), stage.tenure('b', 0)]
  await stage.pass(30_000, ...both)
  stage.now += 3_000
  await Promise.all(both.map((one) => one.turn()))
  assert.equal(both.filter((one) => one.isHeld()).length, 1)
})

test('what has to be written before cannot be: then it is not taken', async () => {
  const stage = new Stage()
  const one = stage.tenure('a')
  stage.isVaultAway = true
  await stage.pass(60_000, one)
  assert.deepEqual([one.isHeld(), stage.said], [false, []])
  stage.isVaultAway = false
  await stage.pass(3_000, one)
  assert.deepEqual([one.epoch, stage.said], [1, ['a marks 1', 'a has 1']])
})

test('a hold ends in time though the register never answers, and is renewed no more often than it must be', async () => {
  const stage = new Stage()
  const one = stage.tenure('a')
  await stage.pass(33_000, one)
  const { register } = stage.net.road('a')
  const beat = (await register.read('shard.0'))?.value['beat']
  for (let n = 0; n < 9; n++) {
    stage.now += 100
    await one.turn()
  }
  assert.equal((await register.read('shard.0'))?.value['beat'], beat)
  stage.silence = true
  stage.now += 3_000
  void one.turn()
  stage.now += 18_000
  void one.turn()
  assert.deepEqual([one.isHeld(), stage.said.at(-1)], [false, 'a lapsed'])
})
