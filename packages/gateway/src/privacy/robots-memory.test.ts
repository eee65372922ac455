import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { sampleExchange } from '../testing/observed-exchange-sample.ts'
import type { ExchangeChange } from '../testing/observed-exchange-sample.ts'
import { RobotsMemory } from './robots-memory.ts'

const ROBOTS = 'http://www.site.example/robots.txt'
const RULES = 'User-agent: *\nDisallow: /private/\n'
const robots = (change: ExchangeChange = {}) =>
  sampleExchange({ url: ROBOTS, body: RULES, answer: { 'Content-Type': 'text/plain' }, ...change })
const ask = (memory: RobotsMemory) => memory.allows('http://www.site.example/private/x')

test('rules count from when somebody asked for them, for a day', () => {
  const memory = new RobotsMemory('comity')
  assert.equal(ask(memory), undefined)
  memory.learn(robots())
  assert.equal(ask(memory), false)
  assert.equal(memory.allows('http://www.site.example/public'), true)
  assert.equal(memory.allows('http://other.example/private/x'), undefined)
  memory.learn(sampleExchange({ at: 1_700_000_000_000 + 90_000_000 }))
  assert.equal(ask(memory), undefined)
})

const others: [what: string, change: ExchangeChange, expected: boolean | undefined][] = [
  ['a packed one', { answer: { 'Content-Encoding': 'gzip' }, body: gzipSync(RULES) }, false],
  ['none there', { status: 404 }, true],
  ['a server in trouble', { status: 503 }, undefined],
  ['one that has a hole', { verdict: 'hole' }, undefined],
  ['one that was only asked about', { method: 'HEAD' }, undefined],
  ['a page of that name below', { url: 'http://www.site.example/x/robots.txt' }, undefined],
]
for (const [what, change, expected] of others) {
  test(`${what}: ${String(expected)}`, () => {
    const memory = new RobotsMemory('comity')
    memory.learn(robots(change))
    assert.equal(ask(memory), expected)
  })
}

const RULES_ELSE = 'User-agent: *\nAllow: /\n'
const tricks: [what: string, change: ExchangeChange][] = [
  ['for a part that is not there', { status: 416, ask: { Range: 'bytes=99999-' } }],
  ['for a part', { status: 206, ask: { Range: 'bytes=0-3' } }],
  ['if it is another one', { status: 412, ask: { 'If-Match': '"x"' } }],
  ['in a coding that nobody has', { status: 406 }],
  ['and is led elsewhere', { status: 302 }],
  ['and is refused', { status: 403 }],
  ['in another form', { answer: { 'Content-Type': 'application/json' } }],
]
for (const [what, change] of tricks) {
  test(`who asks for the rules ${what} does not change them`, () => {
    const memory = new RobotsMemory('comity')
    memory.learn(robots())
    memory.learn(robots({ body: RULES_ELSE, ...change }))
    assert.equal(ask(memory), false)
  })
}

test(
  'names without end do not push out the rules that are known, and are not taken for free',
  { timeout: 30_000 },
  () => {
    const memory = new RobotsMemory('comity')
    memory.learn(robots())
    for (let n = 0; n < 10_010; n++)
      memory.learn(robots({ url: `http://a${n}.site.example/robots.txt`, body: RULES_ELSE }))
    assert.equal(memory.size, 10_000)
    assert.equal(ask(memory), false)
    assert.equal(memory.allows('http://a10005.site.example/x'), false)
    // A day later there is room again.
    memory.learn(robots({ url: 'http://late.site.example/robots.txt', at: 1_700_000_000_000 + 90_000_000 }))
    assert.equal(memory.allows('http://late.site.example/private/x'), false)
    assert.equal(memory.allows('http://late.site.example/x'), true)
  },
)
