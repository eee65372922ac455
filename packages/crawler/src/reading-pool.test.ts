import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, readingOptions } from './reading-fixture.ts'
import { ReadingPool } from './reading-pool.ts'
import type { ReadingFault } from './reading-pool.ts'
import type { Answered, ReadingOptions } from './reading.ts'

const options: ReadingOptions = readingOptions
const answer = (title: string, padding = 0): Answered =>
  answerOf(`<title>${title}</title>${' '.repeat(padding)}`, { url: `http://a.example/${title}` })

for (const threads of [0, 1, 2]) {
  test(`with ${threads} threads every answer gets its own reading`, async () => {
    await using pool = new ReadingPool(options, threads, 1 << 20)
    const titles = Array.from({ length: 50 }, (_, i) => `t${i}`)
    const readings = await Promise.all(titles.map((title) => pool.read(answer(title))))
    assert.deepEqual(
      readings.map((reading) => reading.sense.title),
      titles,
    )
    assert.equal(pool.unreadBytes, 0)
  })
}

test('room is there only when less is unread than the limit', async () => {
  await using pool = new ReadingPool(options, 1, 250_000)
  await pool.room()
  const readings = [pool.read(answer('a', 200_000)), pool.read(answer('b', 200_000))]
  assert.ok(pool.unreadBytes > 250_000)
  await pool.room()
  assert.ok(pool.unreadBytes <= 250_000)
  await Promise.all(readings)
})

test('a small page does not wait behind large ones: the main thread reads it while the thread is at them', async () => {
  await using pool = new ReadingPool(options, 1, 4 << 20)
  const order: string[] = []
  const read = async (title: string, padding?: number): Promise<void> => {
    const { sense } = await pool.read(answer(title, padding))
    order.push(sense.title!)
  }
  // The thread is still starting: it is handed the first, and has enough.
  await Promise.all([read('a', 600_000), read('b', 600_000), read('c')])
  assert.deepEqual(order, ['c', 'a', 'b'])
  assert.equal(pool.unreadBytes, 0)
})

test('a reading that fails by a fault of ours fails alone, and nothing waits for ever', async () => {
  await using pool = new ReadingPool(options, 1, 1 << 20)
  const broken = pool.read({ ...answer('x'), headers: undefined as never })
  const whole = pool.read(answer('y'))
  await assert.rejects(broken, ({ cause, body }: ReadingFault) => cause instanceof TypeError && body.length > 0)
  assert.equal((await whole).sense.title, 'y')
  assert.equal(pool.unreadBytes, 0)
})
