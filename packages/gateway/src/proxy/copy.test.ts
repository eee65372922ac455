import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { CopyHandler } from './copy.ts'
import type { PassedExchange } from '@comity/site/internal'
import type { BodyCopy } from './copy.ts'

const exchange: PassedExchange = {
  at: 1,
  connection: {},
  client: '192.0.2.1',
  scheme: 'https',
  host: 'a.example',
  method: 'GET',
  target: '/p?q',
  version: '1.1',
  request: () => [['Host', 'a.example']],
}
const answer = { status: 200, version: '1.1', headers: (): [string, string][] => [['Content-Type', 'text/html']] }

function handler(wants = true, bytes = 100): { handler: CopyHandler; passed: ObservedExchange[] } {
  const passed: ObservedExchange[] = []
  const limits = { maxBodyBytes: 10, bytes, server: 'origin', serverPort: 80 }
  return {
    passed,
    handler: new CopyHandler(
      { observed: (one) => void passed.push(one) },
      () => wants,
      limits,
      () => 2,
    ),
  }
}
const filled = (copies: CopyHandler, ...pieces: string[]): BodyCopy => {
  const copy = copies.begin(exchange, answer)
  for (const piece of pieces) copy.add(Buffer.from(piece))
  return copy
}

test('what passed whole is told with its body, who asked what of whom, and when', () => {
  const { handler: copies, passed } = handler()
  filled(copies, 'hel', 'lo').end('whole')
  const { request, response, body, ...rest } = passed[0]!
  assert.deepEqual(rest, {
    at: 1,
    endedAt: 2,
    client: '192.0.2.1',
    server: 'origin',
    serverPort: 80,
    authentication: 'none',
    url: 'https://a.example/p?q',
    verdict: 'whole',
  })
  assert.equal(Buffer.from(body).toString(), 'hello')
  assert.deepEqual([request?.method, request?.target, request?.headers], ['GET', '/p?q', [['Host', 'a.example']]])
  assert.deepEqual([response?.status, response?.headers], [200, [['Content-Type', 'text/html']]])
  assert.equal(copies.budget.used, 0)
})

const lost: [
  sentence: string,
  pass: (copies: CopyHandler) => void,
  verdict: string,
  wants?: boolean,
  bytes?: number,
][] = [
  ['larger than the cap', (copies) => filled(copies, 'hello', 'world', '!').end('whole'), 'too-large'],
  ['more than there is memory for', (copies) => filled(copies, 'hello').end('whole'), 'no-room', true, 3],
  ['not wanted', (copies) => filled(copies, 'hello').end('whole'), 'not-wanted', false],
  ['cut short', (copies) => filled(copies, 'hello').end('cut-short'), 'cut-short'],
  ['cut short and too large', (copies) => filled(copies, 'hello, world').end('cut-short'), 'cut-short'],
  ['switched', (copies) => filled(copies).end('switched'), 'switched'],
  ['not answered', (copies) => copies.unanswered(exchange), 'no-response'],
  [
    'the answer to a form',
    (copies) => copies.begin({ ...exchange, method: 'POST' }, answer).end('whole'),
    'not-wanted',
  ],
]
for (const [sentence, pass, verdict, wants, bytes] of lost) {
  test(`${sentence}: told as ${verdict}, without a body, and no memory is held`, () => {
    const { handler: copies, passed } = handler(wants, bytes)
    pass(copies)
    assert.deepEqual(
      passed.map((one) => [one.verdict, one.body.length]),
      [[verdict, 0]],
    )
    assert.equal(copies.budget.used, 0)
  })
}

test('a host that is none gives no URL', () => {
  const { handler: copies, passed } = handler()
  copies.unanswered({ ...exchange, host: '' })
  copies.unanswered({ ...exchange, target: '*' })
  assert.deepEqual(
    passed.map(({ url }) => url),
    [undefined, undefined],
  )
})

const fail = (): never => {
  throw new Error('full')
}

test('a sink or a wish that throws is counted and ends nothing', () => {
  const limits = { maxBodyBytes: 10, bytes: 100, server: 'origin', serverPort: 80 }
  const copies = new CopyHandler({ observed: fail }, fail, limits, () => 2)
  filled(copies, 'hello').end('whole')
  assert.equal(copies.faults, 2)
})
