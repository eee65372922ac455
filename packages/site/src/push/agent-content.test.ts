import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentOutboxItem, AgentRecordLine, AgentOutbox } from './agent-content.ts'
import { PushedSample } from '../testing/delivery-worker-fixture.ts'
import type { PushedSampleOptions } from '../testing/delivery-worker-fixture.ts'
import { BASE } from '../testing/site-sample.ts'

const HEAD = '{"agent":"sample"}\n'
const LONG = 'words that stay the same, '.repeat(60)

const lineOf = (path: string, wish?: AgentRecordLine['wish'], more = ''): AgentRecordLine => {
  const url = new URL(path, BASE).href
  return { url, wish, line: `${JSON.stringify({ page: null, record: { kind: wish ?? 'meta', url, more } })}\n` }
}

/** Results that wait for whoever asks, and are remembered once taken. */
class Waiting implements AgentOutbox {
  readonly items: AgentOutboxItem[] = []
  readonly done: string[] = []

  add(id: string, records: readonly AgentRecordLine[], isOfAll = false): void {
    this.items.push({ id, head: HEAD, records, isOfAll })
  }
  isWaiting(): boolean {
    return this.items.length > 0
  }
  async next(): Promise<AgentOutboxItem | undefined> {
    return this.items[0]
  }
  async taken(_: unknown, { id }: AgentOutboxItem): Promise<void> {
    this.items.splice(0, 1)
    this.done.push(id)
  }
}

async function sampleWith(
  t: Parameters<typeof PushedSample.make>[0],
  options: PushedSampleOptions = {},
): Promise<{ pushed: PushedSample; results: Waiting }> {
  const results = new Waiting()
  const pushed = await PushedSample.make(t, { agentResults: results, subscriber: { scheme: 'agent' }, ...options })
  return { pushed, results }
}

const linesOf = (pushed: PushedSample): string[] =>
  pushed.receiver.received.map(({ body }) => body.toString()).filter((text) => text.startsWith(HEAD))

test('what an agent said goes out as its lines, with head and end, and is taken when it has arrived', async (t) => {
  const { pushed, results } = await sampleWith(t)
  await pushed.put({ '/a': 'A' })
  await pushed.drain()
  assert.equal(pushed.receiver.received.length, 0, 'changes alone are not told')
  results.add('1', [lineOf('/a')])
  pushed.receiver.behaviours = [{ status: 500 }]
  await pushed.drain()
  assert.deepEqual(results.done, [], 'it did not arrive')
  assert.equal(pushed.state.waiting, 1)
  await pushed.drainAll()
  assert.deepEqual(results.done, ['1'])
  assert.equal(linesOf(pushed).at(-1), `${HEAD}${lineOf('/a').line}{"end":"done","records":1}\n`)
  assert.equal(pushed.state.waiting, 0)
})

test('pages that an agent asks for go first: whole, then as differences', async (t) => {
  const { pushed, results } = await sampleWith(t)
  await pushed.put({ '/a': `${LONG}1`, '/b': 'B' })
  results.add('1', [lineOf('/a', 'difference'), lineOf('/b')])
  await pushed.drain()
  await pushed.put({ '/a': `${LONG}2`, '/b': 'B2' })
  results.add('2', [lineOf('/a', 'difference'), lineOf('/b', 'page')])
  await pushed.drain()
  assert.deepEqual(pushed.receiver.records, ['200 /a', '226 /a', '200 /b'])
  assert.deepEqual(pushed.receiver.faults, [])
  assert.deepEqual(pushed.receiver.texts(), { '/a': `${LONG}2`, '/b': 'B2' })
  const kinds = pushed.receiver.received.map(({ body }) => (body.toString().startsWith(HEAD) ? 'lines' : 'pages'))
  assert.deepEqual(kinds, ['pages', 'lines', 'pages', 'lines'])
  assert.deepEqual(
    pushed.reports.map(({ pages }) => pages),
    [1, 0, 2, 0],
  )
})

test('of a run that tells of all pages, none are sent: whoever lacks some asks for them', async (t) => {
  const { pushed, results } = await sampleWith(t)
  await pushed.put({ '/a': 'A' })
  results.add('1', [lineOf('/a', 'page')], true)
  await pushed.drain()
  assert.deepEqual(pushed.receiver.records, [])
  assert.equal(linesOf(pushed).length, 1)
})

test('what became private since the agent ran is not told, nor sent', async (t) => {
  const rules = { robots: '' }
  const { pushed, results } = await sampleWith(t, { site: { robots: () => rules.robots } })
  await pushed.put({ '/a': 'A', '/private/b': 'secret' })
  results.add('1', [lineOf('/private/b', 'page'), lineOf('/a')])
  results.add('2', [lineOf('/private/b', 'difference')])
  rules.robots = 'User-agent: *\nDisallow: /private/\n'
  await pushed.drain()
  assert.deepEqual(results.done, ['1', '2'])
  assert.deepEqual(linesOf(pushed), [`${HEAD}${lineOf('/a').line}{"end":"done","records":1}\n`])
  assert.ok(pushed.receiver.received.every(({ body }) => !/private|secret/.test(body.toString())))
})

test('a long result goes in parts, each of which is a result', async (t) => {
  const { pushed, results } = await sampleWith(t)
  const paths = Array.from({ length: 10 }, (_, i) => `/${i}`)
  await pushed.put(Object.fromEntries(paths.map((path) => [path, path])))
  results.add(
    '1',
    paths.map((path) => lineOf(path, undefined, 'x'.repeat(1 << 20))),
  )
  await pushed.drain()
  const parts = linesOf(pushed).map((text) => text.split('\n'))
  assert.ok(parts.length >= 3 && parts.length <= 5, `${parts.length}`)
  assert.ok(parts.every((lines) => `${lines[0]}\n` === HEAD))
  assert.ok(parts.every((lines) => lines.at(-2) === `{"end":"done","records":${lines.length - 3}}`))
  assert.equal(
    parts.reduce((sum, lines) => sum + lines.length - 3, 0),
    10,
  )
  assert.deepEqual(results.done, ['1'])
})

test('a result that is refused for good is set aside, and does not keep the next', async (t) => {
  const { pushed, results } = await sampleWith(t)
  await pushed.put({ '/a': 'A' })
  results.add('1', [lineOf('/a')])
  results.add('2', [lineOf('/a')])
  pushed.receiver.behaviours = [{ status: 422, body: 'not like this' }]
  await pushed.drainAll()
  assert.deepEqual(results.done, ['1', '2'])
  const [letter] = pushed.deliveryWorker.deadLetters()
  assert.deepEqual([letter?.path, letter?.status, letter?.message], ['/push/agent', 422, 'not like this'])
})

test('after a restart in the middle what arrived is not sent again, and the rest is', async (t) => {
  const { pushed, results } = await sampleWith(t)
  await pushed.put({ '/a': 'A' })
  results.add('1', [lineOf('/a', 'page')])
  await pushed.deliveryWorker.tick(pushed.sample.now)
  assert.deepEqual(pushed.receiver.records, ['200 /a'])
  pushed.restarted()
  await pushed.drain()
  assert.deepEqual(pushed.receiver.records, ['200 /a'])
  assert.deepEqual(results.done, ['1'])
})
