import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { turnsDuring } from '@comity/protocol/testing'
import { answerOf, readingOptions } from '../testing/reading-fixture.ts'
import { ReadingPool, defaultThreads } from './pool.ts'
import type { ReadingFault } from './pool.ts'
import type { Answered, ReadingOptions } from './reading.ts'

const options: ReadingOptions = { ...readingOptions, maxDecodedBytes: 64 << 20 }
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

test('the main thread has a core of its own where there are two, and no more than four threads read', () => {
  assert.deepEqual([1, 2, 3, 5, 64].map(defaultThreads), [1, 1, 2, 4, 4])
})

test('small pages go to a thread together, and at once when somebody waits', async (t) => {
  await using pool = new ReadingPool(options, 1, 1 << 20)
  // Too large for the main thread: the other has started then.
  await pool.read(answer('first', 300_000))
  const post = t.mock.method(Worker.prototype, 'postMessage')
  const readings = ['a', 'b', 'c'].map((title) => pool.read(answer(title)))
  assert.equal(post.mock.callCount(), 0)
  pool.hurry()
  assert.equal(post.mock.callCount(), 1)
  const large = pool.read(answer('large', 100_000))
  assert.equal(post.mock.callCount(), 2, 'so much is worth it by itself')
  await Promise.all([...readings, large])
})

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

test('a thread that gets no further with a page is replaced: the page is kept unread, the others are read', async () => {
  const limitMs = 150
  await using pool = new ReadingPool(options, 1, 64 << 20, limitMs)
  const large = answerOf(`<title>large</title>${'<p>word <a href=x>'.repeat(1_000_000)}`, { url: 'http://a.example/l' })
  const { length } = large.body
  const readings = await Promise.all([pool.read(large), pool.read(answer('b', 600_000)), pool.read(answer('c'))])
  assert.deepEqual([readings[0].problem?.outcome, readings[0].bodyBytes], ['too-much-work', length])
  assert.ok(readings[0].record.length > 0)
  assert.deepEqual([readings[1].sense.title ?? readings[1].problem?.outcome, readings[2].sense.title], ['b', 'c'])
  assert.equal(pool.unreadBytes, 0)
})

test('the main thread leaves what unpacks to much to a thread, however small it came', async () => {
  await using pool = new ReadingPool(options, 1, 4 << 20)
  const packed = gzipSync(`<title>packed</title>${' '.repeat(1 << 20)}`)
  const coded = { ...answerOf('', { url: 'http://a.example/p' }), body: Uint8Array.from(packed) }
  const headers = [...coded.headers, ['Content-Encoding', 'gzip']] as const
  const first = pool.read(answer('a', 600_000))
  const { sense } = await pool.read({ ...coded, headers })
  assert.equal(sense.title, 'packed')
  await first
})

test('documents that are no pages are read by a thread of their own, and the main thread goes on', async () => {
  await using pool = new ReadingPool(options, 1, 4 << 20)
  const member = gzipSync(Buffer.alloc(15 << 20, '\r\n'))
  const body = Buffer.concat(Array.from({ length: 40 }, () => member))
  const reading = pool.work('batch', { body, coding: undefined, maxBytes: Infinity })
  const turns = await turnsDuring(() => reading)
  const read = await reading
  assert.ok(read !== 'too-much-work' && read.kind === 'batch')
  assert.match(read.problems.at(-1) ?? '', /^too-much-work/)
  assert.ok(turns > 20, `${turns} turns`)
})
