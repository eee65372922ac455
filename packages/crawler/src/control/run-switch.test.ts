import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunSwitch } from './run-switch.ts'

type Step = 'pause' | 'quiet' | 'resume' | 'stop'
// oxfmt-ignore
const cases: [sentence: string, steps: Step[], state: string][] = [
  ['a crawl runs from the start',                    [],                                    'running'],
  ['a pause takes until all is quiet',               ['pause'],                             'pausing'],
  ['then it is one',                                 ['pause', 'quiet'],                    'paused'],
  ['pausing twice is pausing once',                  ['pause', 'pause', 'quiet', 'pause'],  'paused'],
  ['it goes on from a pause',                        ['pause', 'quiet', 'resume'],          'running'],
  ['and from one that had hardly begun',             ['pause', 'resume', 'quiet'],          'running'],
  ['resuming what runs changes nothing',             ['resume'],                            'running'],
  ['a stop ends a pause',                            ['pause', 'quiet', 'stop'],            'stopping'],
  ['and nothing comes after it',                     ['stop', 'resume', 'pause', 'quiet'],  'stopping'],
]
for (const [sentence, steps, state] of cases) {
  test(sentence, () => {
    const run = new RunSwitch()
    for (const step of steps) void run[step]()
    assert.equal(run.state, state)
    assert.equal(run.isHalted, state !== 'running')
    assert.equal(run.halt.aborted, run.isHalted)
  })
}

for (const end of ['quiet', 'resume', 'stop'] as const) {
  test(`whoever waits for a pause hears of ${end}`, async () => {
    const run = new RunSwitch()
    const waiting = Promise.all([run.pause(), run.pause()])
    run[end]()
    assert.equal((await waiting).length, 2)
  })
}

test('whoever sleeps is woken by a pause, and sleeps again after it', () => {
  const run = new RunSwitch()
  const before = run.halt
  void run.pause()
  assert.ok(before.aborted)
  run.resume()
  assert.equal(run.halt.aborted, false)
})
