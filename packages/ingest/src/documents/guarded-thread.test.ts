import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GuardedThread } from './guarded-thread.ts'

const script = (work: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { serveGuardedThread } from ${JSON.stringify(new URL('./guarded-thread.ts', import.meta.url).href)}; serveGuardedThread(${work})`,
    )}`,
  )

test('work is done one piece after the other, each with its own answer', async () => {
  await using bench = new GuardedThread(script('(job) => job * 2'))
  const jobs = Array.from({ length: 20 }, (_, place) => place)
  assert.deepEqual(
    await Promise.all(jobs.map((job) => bench.run(job))),
    jobs.map((job) => job * 2),
  )
})

test('a thread that never ends is replaced: its work is too much, and those behind it are done', async () => {
  await using bench = new GuardedThread(script('(job) => { while (job === 1); return job }'), { timeLimitMs: 1_500 })
  assert.deepEqual(await Promise.all([0, 1, 2, 3].map((job) => bench.run(job))), [0, 'too-much-work', 2, 3])
})

test('so is one that takes all the memory it may have', async () => {
  const hoards = '(job) => { const all = []; while (job === 1) all.push({ job, all: [job] }); return job }'
  await using bench = new GuardedThread(script(hoards), { maxHeapMb: 32 })
  assert.deepEqual(await Promise.all([1, 2].map((job) => bench.run(job))), ['too-much-work', 2])
})

test('a fault of ours rejects, and only what it was met in', async () => {
  await using bench = new GuardedThread(script('(job) => { if (job === 1) throw new TypeError("ours"); return job }'))
  await assert.rejects(bench.run(1), /ours/)
  assert.equal(await bench.run(2), 2)
})

test('so does a thread that ends by itself, at once', { timeout: 20_000 }, async () => {
  await using bench = new GuardedThread(script('(job) => { if (job === 1) process.exit(); return job }'))
  await assert.rejects(bench.run(1), /the thread that read it has ended/)
  assert.equal(await bench.run(2), 2)
})

test('a thread with nothing to do ends, and another is there when there is something again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const counts = '(() => { let jobs = 0; return (job) => job + ++jobs })()'
  await using bench = new GuardedThread(script(counts), { idleMs: 50 })
  assert.deepEqual([await bench.run(0), await bench.run(0)], [1, 2])
  t.mock.timers.tick(50)
  assert.equal(await bench.run(0), 1)
})
