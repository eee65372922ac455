import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { samplePassing } from './passing-sample.ts'
import type { PassingChange } from './passing-sample.ts'
import { RobotsMemory } from './robots-memory.ts'

const ROBOTS = 'http://www.site.example/robots.txt'
const RULES = 'User-agent: *\nDisallow: /private/\n'
const robots = (change: PassingChange = {}) =>
  samplePassing({ url: ROBOTS, body: RULES, answer: { 'Content-Type': 'text/plain' }, ...change })
const ask = (memory: RobotsMemory) => memory.allows('http://www.site.example/private/x')

test('rules count from when somebody asked for them, for a day', () => {
  const memory = new RobotsMemory('comity')
  assert.equal(ask(memory), undefined)
  memory.learn(robots())
  assert.equal(ask(memory), false)
  assert.equal(memory.allows('http://www.site.example/public'), true)
  assert.equal(memory.allows('http://other.example/private/x'), undefined)
  memory.learn(samplePassing({ at: 1_700_000_000_000 + 90_000_000 }))
  assert.equal(ask(memory), undefined)
})

const others: [what: string, change: PassingChange, expected: boolean | undefined][] = [
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
