import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { leaseTimes } from '../clock.ts'
import { keeperOf, shardOf } from '../placement.ts'
import { MemoryRoadNet } from '../road/memory-road.ts'
import { AddressKeeper } from './keeper.ts'
import { serveKeeper } from './keeper-service.ts'
import { Loans } from './loans.ts'

const times = leaseTimes(30_000)

class Stage {
  now = 0
  isCut = false
  readonly #late: (() => void)[] = []
  readonly net: MemoryRoadNet = new MemoryRoadNet({
    delays: () => (this.isCut ? [] : [0]),
    after: (ms, act) => {
      if (ms === 0) setImmediate(act)
      else this.#late.push(act)
    },
  })
  readonly loans: Loans = new Loans({
    shard: 0,
    shards: 1,
    epoch: 1,
    road: this.net.road('shard'),
    clock: { monotonic: () => this.now, wall: () => this.now },
    times,
  })

  serve(epoch: number, isFirst: boolean): () => void {
    const clock = { monotonic: (): number => this.now, wall: (): number => this.now }
    const addresses = new AddressKeeper({ leaseMs: 30_000, bornAt: this.now, isFirst })
    return serveKeeper({ road: this.net.road('keeper'), keeper: 0, addresses, epoch, isHeld: () => true, clock })
  }

  /** Questions that are not answered by now never are. */
  timeOut(): void {
    for (const act of this.#late.splice(0)) act()
  }

  async pass(ms: number): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      this.now = Math.min(end, this.now + 3_000)
      this.loans.turn()
      for (let i = 0; i < 4; i++) await soon()
      this.timeOut()
      await soon()
    }
  }
}

test('what is renewed goes on, also with a keeper that follows', async () => {
  const stage = new Stage()
  const end = stage.serve(1, true)
  const borrowed = await stage.loans.borrow('192.0.2.1', 1_000)
  assert.ok(borrowed.kind === 'lent')
  await stage.pass(120_000)
  end()
  stage.serve(2, false)
  await stage.pass(120_000)
  assert.deepEqual([borrowed.loan.isGood(), stage.loans.lapsed], [true, 0])
})

/** How long another shard is to wait for the address at least; 0 when it has it. */
async function waitsFor(stage: Stage, token: string): Promise<number> {
  const question = { kind: 'borrow', shard: 1, epoch: 1, token, address: '192.0.2.1', restMs: 1_000 }
  const answer = await stage.net.road('other').ask('keeper.0', question, 5_000)
  return answer['kind'] === 'lent' ? 0 : (answer['waitMs'] as number)
}

test('a long rest that a site asked for is told until a keeper has heard it, and again to the next', async () => {
  const stage = new Stage()
  const end = stage.serve(1, true)
  const borrowed = await stage.loans.borrow('192.0.2.1', 1_000)
  assert.ok(borrowed.kind === 'lent')
  stage.isCut = true
  borrowed.loan.giveBack(600_000)
  await stage.pass(30_000)
  stage.isCut = false
  await stage.pass(30_000)
  assert.ok((await waitsFor(stage, 'a')) > 500_000, 'the message that gave it back was lost')
  end()
  const next = stage.serve(2, false)
  await stage.pass(36_000)
  assert.ok((await waitsFor(stage, 'b')) > 450_000, 'the keeper is another')
  await stage.pass(600_000)
  assert.equal(await waitsFor(stage, 'c'), 0, 'and is over when it is over')
  next()
})

test('a long rest of before is told by whoever opens the shard again', async () => {
  const stage = new Stage()
  const end = stage.serve(2, false)
  stage.loans.rests('192.0.2.1', 600_000)
  stage.loans.rests('192.0.2.2', 1_000)
  await stage.pass(36_000)
  assert.ok((await waitsFor(stage, 'a')) > 500_000)
  end()
})

test('a loan says when another shard waits for its address', async () => {
  const stage = new Stage()
  const end = stage.serve(1, true)
  const other = new Loans({
    shard: 1,
    shards: 1,
    epoch: 1,
    road: stage.net.road('other'),
    clock: { monotonic: () => stage.now, wall: () => stage.now },
    times,
  })
  const borrowed = await stage.loans.borrow('192.0.2.1', 1_000)
  assert.ok(borrowed.kind === 'lent')
  await stage.pass(6_000)
  assert.equal(borrowed.loan.isWanted(), false)
  assert.equal((await other.borrow('192.0.2.1', 1_000)).kind, 'wait')
  await stage.pass(6_000)
  assert.deepEqual([borrowed.loan.isGood(), borrowed.loan.isWanted()], [true, true])
  end()
})

test('a keeper that is not heard of ends all loans before it may lend them again, and who uses one is told', async () => {
  const stage = new Stage()
  stage.serve(1, true)
  const borrowed = await stage.loans.borrow('192.0.2.1', 1_000)
  assert.ok(borrowed.kind === 'lent')
  let told = 0
  borrowed.loan.whenOver(() => told++)
  stage.isCut = true
  await stage.pass(18_000)
  assert.deepEqual([borrowed.loan.isGood(), told], [true, 0])
  stage.now += 2_000
  assert.equal(borrowed.loan.isGood(), false, 'no request may follow, though nobody has looked yet')
  await stage.pass(1)
  assert.deepEqual([told, stage.loans.open], [1, 0])
})

test('where no keeper answers nobody goes', async () => {
  const stage = new Stage()
  const asked = stage.loans.borrow('192.0.2.1', 1_000)
  stage.timeOut()
  assert.equal((await asked).kind, 'wait')
})

test('a page is at home with all hosts of its domain, and an address of IPv6 with its network', () => {
  for (const shards of [1, 2, 24, 1_000]) {
    const home = shardOf('https://example.org', shards)
    for (const other of ['http://example.org', 'https://www.example.org:8443', 'https://a.b.example.org'])
      assert.equal(shardOf(other, shards), home)
    assert.equal(keeperOf('2001:db8::1', shards), keeperOf('2001:db8::ffff:2', shards))
  }
})

test('shards have their share of domains, and of addresses', () => {
  const [homes, keepers] = [new Uint32Array(24), new Uint32Array(24)]
  for (let n = 0; n < 24_000; n++) {
    homes[shardOf(`https://site-${n}.example`, 24)]!++
    keepers[keeperOf(`10.${n >> 8}.${n & 255}.1`, 24)]!++
  }
  for (const counts of [homes, keepers]) for (const count of counts) assert.ok(count > 850 && count < 1_150, `${count}`)
})
