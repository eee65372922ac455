import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { DeliveryWorkerMemory, MemoryRows, openDeliveryWorkerRows, readMemoryRow } from './delivery-worker-memory.ts'
import type { DeliveryWorkerRows } from './delivery-worker-memory.ts'
import { newDeliveryWorkerRow } from './delivery-worker-row.ts'
import { MAX_DEAD_LETTERS, sentenceOf } from './dead-letters.ts'
import type { RefusedDelivery } from './dead-letters.ts'
import { failsAs, testFolder } from '../testing/journal-sample.ts'

const row = (id: string, cursor: number): ReturnType<typeof newDeliveryWorkerRow> =>
  newDeliveryWorkerRow(id, { journal: 'j', edition: 'f', cursor }, 1_000)
const letter = (number: number, path = '/a'): RefusedDelivery => ({
  subscriber: 'a',
  at: number,
  reason: 'refused',
  status: 422,
  message: 'no',
  path,
  change: 'updated',
  digest: 'sha-256:00',
  number,
})

/** A memory, and what another process finds of it. */
type Kind = { readonly make: () => Promise<DeliveryWorkerMemory>; readonly again: () => Promise<DeliveryWorkerMemory> }
const kinds: [name: string, kind: (t: TestContext) => Kind][] = [
  [
    'in memory',
    () => {
      const rows: DeliveryWorkerRows = new MemoryRows()
      return { make: async () => new DeliveryWorkerMemory(rows), again: async () => new DeliveryWorkerMemory(rows) }
    },
  ],
  [
    'in a file',
    (t) => {
      const dir = testFolder(t)
      let open: AsyncDisposable | undefined
      t.after(async () => await open?.[Symbol.asyncDispose]())
      const make = async (): Promise<DeliveryWorkerMemory> => {
        await open?.[Symbol.asyncDispose]()
        const rows = (open = await openDeliveryWorkerRows(dir))
        return new DeliveryWorkerMemory(rows)
      }
      return { make, again: make }
    },
  ],
]
for (const [name, kind] of kinds) {
  test(`${name}: a commit is found again whole, and what was forgotten is not`, async (t) => {
    const { make, again } = kind(t)
    const memory = await make()
    await memory.commit(row('a', 1), { holds: [{ path: '/a', digest: 'sha-256:11', deltas: 3 }], dead: [letter(1)] })
    await memory.commit({ ...row('b', 2), upload: { url: 'https://c.example/u', digest: 'sha-256:22' } })
    await memory.commit(row('c', 3), { holds: [{ path: '/a', digest: 'sha-256:33', deltas: 0 }] })
    await memory.forget('c')
    const found = await again()
    assert.deepEqual([...found.ids()].toSorted(), ['a', 'b'])
    assert.equal(found.row('a')?.position.cursor, 1)
    assert.equal(found.row('b')?.upload?.url, 'https://c.example/u')
    assert.deepEqual([found.held('a', '/a')?.digest, found.held('a', '/a')?.deltas], ['sha-256:11', 3])
    assert.deepEqual([found.held('c', '/a'), found.row('c')], [undefined, undefined])
    assert.deepEqual(
      found.deadLetters().map(({ number }) => number),
      [1],
    )
  })

  test(`${name}: what a subscriber holds can be forgotten page by page and as a whole`, async (t) => {
    const { make, again } = kind(t)
    const memory = await make()
    const holds = ['/a', '/b', '/c'].map((path) => ({ path, digest: `sha-256:${path}`, deltas: 0 }))
    await memory.commit(row('a', 1), { holds })
    await memory.commit(row('a', 1), { holds: [{ path: '/b', deltas: 0 }] })
    assert.deepEqual([memory.held('a', '/b'), memory.heldCount('a')], [undefined, 2])
    await memory.commit(row('a', 2), { isForgetful: true, holds: [holds[2]!] })
    const found = await again()
    assert.deepEqual([found.held('a', '/a'), found.held('a', '/c')?.digest], [undefined, 'sha-256:/c'])
  })

  test(`${name}: so many dead letters are kept, the newest, and one of a kind`, async (t) => {
    const { make, again } = kind(t)
    const memory = await make()
    for (let i = 0; i < 3; i++) await memory.commit(row('a', 1), { dead: [letter(1, '/same')] })
    const many = Array.from({ length: MAX_DEAD_LETTERS + 5 }, (_, i) => letter(i + 2))
    await memory.commit(row('a', 1), { dead: many })
    const found = await again()
    assert.equal(found.deadLetters().length, MAX_DEAD_LETTERS)
    assert.equal(found.deadLetters()[0]?.number, 7)
  })
}

test('what is known to be held is bounded: whoever holds the most forgets the oldest first', async () => {
  const memory = new DeliveryWorkerMemory(new MemoryRows(), 100)
  const holds = Array.from({ length: 90 }, (_, i) => ({ path: `/${i}`, digest: 'sha-256:00', deltas: 0 }))
  await memory.commit(row('large', 1), { holds })
  await memory.commit(row('small', 1), { holds: holds.slice(0, 20) })
  assert.equal(memory.heldCount('small'), 20)
  assert.ok(memory.heldCount('large') <= 80)
  assert.deepEqual([memory.held('large', '/0'), memory.held('large', '/89')?.path], [undefined, '/89'])
})

test('a row that was cut by a crash is not there, and what was before it is', async (t) => {
  const dir = testFolder(t)
  {
    await using rows = await openDeliveryWorkerRows(dir)
    await new DeliveryWorkerMemory(rows).commit(row('a', 7))
  }
  appendFileSync(join(dir, 'courier.rows'), '01234567 {"put":"row a","row":{"kind":"row","id":"a","posi')
  await using rows = await openDeliveryWorkerRows(dir)
  assert.equal(new DeliveryWorkerMemory(rows).row('a')?.position.cursor, 7)
  assert.ok(!readFileSync(join(dir, 'courier.rows'), 'utf8').includes('posi\n'))
})

test('a file that was changed by hand is refused by name', async (t) => {
  const dir = testFolder(t)
  {
    await using rows = await openDeliveryWorkerRows(dir)
    const memory = new DeliveryWorkerMemory(rows)
    await memory.commit(row('a', 7))
    await memory.commit(row('b', 7))
  }
  const file = join(dir, 'courier.rows')
  const { writeFileSync } = await import('node:fs')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"cursor":7', '"cursor":8'))
  await assert.rejects(openDeliveryWorkerRows(dir), failsAs('ROWS_DAMAGED', /courier\.rows/))
})

test('a row stands in the file as it always did, where an edition is a feed', async (t) => {
  const dir = testFolder(t)
  {
    await using rows = await openDeliveryWorkerRows(dir)
    await new DeliveryWorkerMemory(rows).commit(row('a', 7))
  }
  const [, line = ''] = readFileSync(join(dir, 'courier.rows'), 'utf8').split('\n')
  const { row: stored } = JSON.parse(line.slice(9)) as { row: { position: object } }
  assert.deepEqual(stored.position, { journal: 'j', cursor: 7, feed: 'f' })
  assert.deepEqual(readMemoryRow(stored), { kind: 'row', ...row('a', 7) })
})

test('whatever JSON a row is, reading it gives a row or nothing', () => {
  fc.assert(fc.property(fc.jsonValue(), (json) => void readMemoryRow(json)))
  const kind = fc.constantFrom('row', 'held', 'dead', 'none')
  const odd = fc.record({
    kind,
    id: fc.anything(),
    position: fc.anything(),
    path: fc.anything(),
    upload: fc.anything(),
  })
  fc.assert(fc.property(odd, (json) => readMemoryRow(json) === undefined))
})

test("a stranger's sentence is one line without anything that moves a cursor", () => {
  assert.equal(sentenceOf(Buffer.from('a\r\n\u001b[31mb\u202e c\0')), 'a [31mb c')
  assert.equal(sentenceOf(Buffer.alloc(5_000, 'x')).length, 200)
  fc.assert(fc.property(fc.uint8Array({ maxLength: 999 }), (bytes) => !/[\p{C}\n]/u.test(sentenceOf(bytes))))
})
