import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultUrlRules } from '@comity/protocol'
import { ReadingPool } from './reading-pool.ts'
import type { Answered, ReadingOptions } from './reading.ts'

const options: ReadingOptions = {
  productToken: 'comity',
  urlRules: defaultUrlRules,
  maxDecodedBytes: 1 << 20,
  kinds: ['page'],
  gzipLevel: 2,
}
const answer = (title: string, padding = 0): Answered => ({
  url: `http://a.example/${title}`,
  at: 0,
  address: '192.0.2.1',
  status: 200,
  statusText: 'OK',
  headers: [['Content-Type', 'text/html']],
  requestHeaders: [],
  body: new Uint8Array(Buffer.from(`<title>${title}</title>${' '.repeat(padding)}`)),
})

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

test('when the threads are behind, a small page is read at once and a large one is not', async () => {
  await using pool = new ReadingPool(options, 1, 250_000)
  const behind = pool.read(answer('a', 200_000))
  const before = pool.unreadBytes
  const small = pool.read(answer('b'))
  assert.equal(pool.unreadBytes, before)
  assert.equal((await small).sense.title, 'b')
  assert.equal((await behind).sense.title, 'a')
})

test('a reading that fails by a fault of ours fails alone, and nothing waits for ever', async () => {
  await using pool = new ReadingPool(options, 1, 1 << 20)
  const broken = pool.read({ ...answer('x'), headers: undefined as never })
  const whole = pool.read(answer('y'))
  await assert.rejects(broken, TypeError)
  assert.equal((await whole).sense.title, 'y')
  assert.equal(pool.unreadBytes, 0)
})
