import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { untilSo } from '@comity/protocol/testing'
import { connectCrawl } from './client.ts'
import type { CrawlLine } from './client.ts'
import { ControlError, crawlEnding } from './control-error.ts'
import { serveControl } from './server.ts'
import { MAX_LINE_BYTES, linesOf, parseLine } from './wire.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import type { CrawlControl, CrawlStatus } from './crawl-control.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-control-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const status: CrawlStatus = {
  pid: 1,
  startedAt: 2,
  budget: { maxPages: Infinity, maxBytes: 5, sitePages: 6, siteBytes: 7 },
  sample: {
    at: 3,
    state: 'running',
    pages: 4,
    pagesPerSecond: 0.5,
    bytes: 6,
    bytesPerSecond: 7,
    sitesReady: 8,
    sitesWaiting: 9,
    pagesWaiting: 10,
    visits: 11,
    errors: { busy: 12 },
    importance: 0.25,
    unindexed: 0,
  },
}

/** A control that notes what it is asked. */
class NotedControl implements CrawlControl {
  readonly asked: unknown[] = []
  status(): CrawlStatus {
    return status
  }
  pause(): Promise<void> {
    this.asked.push('pause')
    return new Promise(() => undefined)
  }
  resume(): void {
    this.asked.push('resume')
  }
  async addSeed(url: string): Promise<{ url: string; isNew: boolean }> {
    this.asked.push(url)
    if (url === 'never') await new Promise(() => undefined)
    // Until others have been asked for behind it.
    if (url === 'late') await untilSo(() => this.asked.at(-1) !== 'late')
    if (url === 'no') throw crawlEnding()
    if (url === 'odd') throw new TypeError('something odd')
    return { url, isNew: true }
  }
  setBudget(budget: Partial<CrawlBudget>): CrawlBudget {
    this.asked.push(budget)
    return { ...status.budget, ...budget }
  }
  stop(): void {
    this.asked.push('stop')
  }
}

interface Bench extends AsyncDisposable {
  readonly dir: string
  readonly control: NotedControl
  readonly server: AsyncDisposable
}

async function bench(): Promise<Bench> {
  const dir = mkdtempSync(join(scratch, 'c-'))
  const control = new NotedControl()
  const server = await serveControl(dir, control, 10)
  assert.ok(server)
  return { dir, control, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function lineTo(dir: string): Promise<CrawlLine> {
  const line = await connectCrawl(dir)
  assert.ok(line)
  return line
}

const rawTo = (dir: string): Socket => connect({ path: join(dir, 'crawl.sock'), allowHalfOpen: true })

/** Send bytes, hang up our half, and hear all that is answered. */
async function answersTo(dir: string, ...sent: (string | Uint8Array)[]): Promise<(object | undefined)[]> {
  const socket = rawTo(dir)
  for (const piece of sent) socket.write(piece)
  socket.end()
  const answers = await Array.fromAsync(linesOf(socket), parseLine)
  socket.destroy()
  return answers
}

test('a line asks, and is answered', async () => {
  await using at = await bench()
  using line = await lineTo(at.dir)
  assert.deepEqual(await line.status(), status)
  for (const verb of ['pause', 'resume', 'stop'] as const) assert.deepEqual(await line[verb](), status)
  assert.deepEqual(await line.addSeed('https://example.org/'), { url: 'https://example.org/', isNew: true })
  const budget = await line.setBudget({ maxPages: 12, maxBytes: Infinity })
  assert.deepEqual(budget, { ...status.budget, maxPages: 12, maxBytes: Infinity })
  assert.deepEqual(at.control.asked, [
    'pause',
    'resume',
    'stop',
    'https://example.org/',
    { maxPages: 12, maxBytes: Infinity },
  ])
})

test('requests do not wait for each other, and each gets its own answer', async () => {
  await using at = await bench()
  using line = await lineTo(at.dir)
  const order: string[] = []
  const ask = async (url: string): Promise<void> => void order.push((await line.addSeed(url)).url)
  await Promise.all([ask('late'), ...Array.from({ length: 600 }, (_, n) => ask(String(n)))])
  assert.equal(order.length, 601)
  assert.notEqual(order[0], 'late')
})

test('what the crawl refuses comes with its code', async () => {
  await using at = await bench()
  using line = await lineTo(at.dir)
  await assert.rejects(line.addSeed('no'), { name: 'ControlError', code: 'CRAWL_ENDING' })
  await assert.rejects(line.addSeed('odd'), { code: 'CRAWL_ENDING', message: 'something odd' })
  assert.equal((await line.status()).pid, 1)
})

test('samples come one after the other, to several at once, until the crawl ends', async () => {
  const at = await bench()
  using line = await lineTo(at.dir)
  const counts = [0, 0]
  const reading = counts.map(async (_, n) => {
    for await (const sample of line.samples()) {
      assert.deepEqual(sample, status.sample)
      counts[n]!++
    }
  })
  await untilSo(() => counts.every((count) => count >= 5))
  await at.server[Symbol.asyncDispose]()
  await Promise.all(reading)
  await assert.rejects(line.status(), { code: 'CONTROL_LOST' })
  assert.equal(await connectCrawl(at.dir), undefined)
  assert.equal(existsSync(join(at.dir, 'crawl.sock')), false)
})

test('who has seen enough samples leaves, and the line goes on', async () => {
  await using at = await bench()
  using line = await lineTo(at.dir)
  for await (const sample of line.samples()) {
    assert.equal(sample.pages, 4)
    break
  }
  assert.equal((await line.status()).pid, 1)
})

test('closing a line, or aborting it, ends all that waits on it', async () => {
  await using at = await bench()
  const abort = new AbortController()
  const line = await connectCrawl(at.dir, abort.signal)
  assert.ok(line)
  const late = assert.rejects(line.addSeed('never'), { code: 'CONTROL_LOST' })
  const samples = (async () => {
    for await (const _ of line.samples()) abort.abort()
  })()
  await Promise.all([late, samples])
  await assert.rejects(line.status(), { code: 'CONTROL_LOST' })
  await assert.rejects(connectCrawl(at.dir, abort.signal), { name: 'AbortError' })
})

test('where no crawl runs there is no line', async () => {
  const dir = mkdtempSync(join(scratch, 'c-'))
  assert.equal(await connectCrawl(dir), undefined)
  assert.equal(await connectCrawl(join(dir, 'nowhere')), undefined)
  writeFileSync(join(dir, 'crawl.sock'), 'no socket')
  assert.equal(await connectCrawl(dir), undefined)
})

test('malformed lines are answered, and the connection goes on', async () => {
  await using at = await bench()
  const answers = await answersTo(at.dir, 'garbage\n{"id":7}\n\n{"id":', '8,"do":"status"}\n')
  assert.deepEqual(
    answers.map((answer) => (answer as { id: unknown }).id),
    [null, 7, 8],
  )
  assert.deepEqual((answers[0] as { error: { code: string } }).error.code, 'CONTROL_INVALID')
  assert.ok('ok' in (answers[2] ?? {}))
})

test('garbage never stops the server', async () => {
  await using at = await bench()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      for (const answer of await answersTo(at.dir, bytes, '\n')) assert.ok('error' in (answer ?? {}))
    }),
    { numRuns: 50 },
  )
  using line = await lineTo(at.dir)
  assert.equal((await line.status()).pid, 1)
})

test('a line that is too long is refused, and the connection closed', async () => {
  await using at = await bench()
  const answers = await answersTo(at.dir, 'x'.repeat(MAX_LINE_BYTES + 1))
  assert.equal((answers[0] as { error: { code: string } }).error.code, 'CONTROL_INVALID')
  assert.equal(answers.length, 1)
})

test('the seventeenth connection is told that there are too many', async () => {
  await using at = await bench()
  const lines = await Promise.all(Array.from({ length: 16 }, () => lineTo(at.dir)))
  await Promise.all(lines.map((line) => line.status()))
  using one = await lineTo(at.dir)
  await assert.rejects(one.status(), (error: unknown) => {
    assert.ok(error instanceof ControlError)
    return error.code === 'CONTROL_BUSY' || error.code === 'CONTROL_LOST'
  })
  lines[0]?.[Symbol.dispose]()
  await untilSo(async () => {
    using free = await lineTo(at.dir)
    return await free.status().then(
      ({ pid }) => pid === 1,
      () => false,
    )
  })
  for (const line of lines) line[Symbol.dispose]()
})

test('who never reads does not keep a crawl from ending', async () => {
  const at = await bench()
  const socket = rawTo(at.dir)
  socket.pause()
  socket.on('error', () => undefined)
  for (let n = 0; n < 20_000; n++) socket.write(`{"id":${n},"do":"status"}\n`)
  socket.write('{"id":0,"do":"watch"}\n')
  // As much is asked as will be while nobody reads.
  let before = -1
  await untilSo(() => {
    const isOver = socket.writableLength === before
    before = socket.writableLength
    return isOver
  })
  await at.server[Symbol.asyncDispose]()
  socket.destroy()
})

test('a crawl that can have no socket anywhere goes on without one, and says so', async () => {
  const dir = join(scratch, 'long'.repeat(30))
  mkdirSync(dir)
  const temporary = process.env['TMPDIR']
  process.env['TMPDIR'] = join(scratch, 'nowhere')
  const warned = new Promise<Error>((resolve) => void process.once('warning', resolve))
  try {
    assert.equal(await serveControl(dir, new NotedControl(), 10), undefined)
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
  }
  assert.match((await warned).message, /cannot be steered from outside/)
  assert.equal(await connectCrawl(dir), undefined)
})
