import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT } from '../testing/journal-sample.ts'
import { OriginRobots } from './origin-robots.ts'
import type { FetchedRobots } from './origin-robots.ts'

const DAY = 86_400_000

function robotsOf(answers: readonly (FetchedRobots | Error)[]): {
  robots: OriginRobots
  pass: (ms: number) => void
  asked: () => number
} {
  let [now, asked] = [AT, 0]
  const fetch = async (): Promise<FetchedRobots> => {
    const answer = answers[Math.min(asked++, answers.length - 1)]!
    if (answer instanceof Error) throw answer
    return answer
  }
  return { robots: new OriginRobots(fetch, () => now), pass: (ms) => (now += ms), asked: () => asked }
}

const cases: [sentence: string, answer: FetchedRobots | Error, isKnown: boolean, text: string][] = [
  ['what is there counts', { status: 200, text: 'User-agent: *\nDisallow: /x' }, true, 'User-agent: *\nDisallow: /x'],
  ['none allows everything', { status: 404, text: 'not here' }, true, ''],
  ['one that cannot be had disallows everything', { status: 503, text: '' }, false, 'User-agent: *\nDisallow: /\n'],
  ['so does a server that is too busy', { status: 429, text: '' }, false, 'User-agent: *\nDisallow: /\n'],
  ['so does no server', new Error('refused'), false, 'User-agent: *\nDisallow: /\n'],
]
for (const [sentence, answer, isKnown, text] of cases) {
  test(sentence, async () => {
    const { robots } = robotsOf([answer])
    assert.equal(robots.isKnown, false)
    await robots.refresh()
    assert.equal(robots.isKnown, isKnown)
    assert.equal(robots.text, text)
  })
}

test('it is read again after an hour, and sooner when it could not be had', async () => {
  const { robots, pass, asked } = robotsOf([new Error('down'), { status: 200, text: 'a' }, { status: 200, text: 'b' }])
  await robots.refresh()
  await robots.refresh()
  assert.equal(asked(), 1)
  pass(60_000)
  await Promise.all([robots.refresh(), robots.refresh()])
  assert.equal(asked(), 2)
  assert.equal(robots.text, 'a')
  pass(3_600_000)
  await robots.refresh()
  assert.equal(robots.text, 'b')
})

test('one that was had counts for a day more', async () => {
  const { robots, pass } = robotsOf([{ status: 200, text: 'a' }, new Error('down')])
  await robots.refresh()
  pass(DAY - 1)
  await robots.refresh()
  assert.equal(robots.text, 'a')
  pass(1)
  assert.equal(robots.isKnown, false)
})
