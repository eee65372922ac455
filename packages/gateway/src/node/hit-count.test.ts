import assert from 'node:assert/strict'
import test from 'node:test'
import { HitCount, isRobot } from './hit-count.ts'
import { BROWSER } from '../testing/observed-exchange-sample.ts'

test('hits are counted by page, people and robots apart, and begin at nothing after each batch', () => {
  const hits = new HitCount()
  for (const isByRobot of [false, false, true]) hits.add('http://a.example/', isByRobot)
  hits.add('http://b.example/', true)
  assert.deepEqual(hits.take(), [
    { url: 'http://a.example/', readers: 2, robots: 1 },
    { url: 'http://b.example/', readers: 0, robots: 1 },
  ])
  assert.equal(hits.size, 0)
  assert.deepEqual(hits.take(), [])
})

const agents: [agent: string | undefined, robot: boolean][] = [
  [BROWSER, false],
  ['Lynx/2.9.0dev.12 libwww-FM/2.14', false],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['curl/8.5.0', true],
  ['', true],
  [undefined, true],
]
for (const [agent, robot] of agents) {
  test(`${agent ?? 'no User-Agent'} is ${robot ? 'a robot' : 'somebody'}`, () => {
    assert.equal(isRobot(agent === undefined ? [] : [['user-agent', agent]]), robot)
  })
}
