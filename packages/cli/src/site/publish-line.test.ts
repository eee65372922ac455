import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { MemoryJournal } from '@comity/site'
import { PublishLine } from './publish-line.ts'
import { plain } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

test('the line counts pages while they are looked at, and is gone at the end', (t) => {
  mock.timers.enable({ apis: ['setInterval', 'Date'] })
  t.after(() => mock.timers.reset())
  const drawn: string[] = []
  const terminal: Terminal = {
    env: {},
    paint: plain,
    errorPaint: plain,
    liveColumns: () => 80,
    print: () => undefined,
    say: (text) => void drawn.push(text),
    draw: (text) => void drawn.push(text.replace('\r\x1b[2K', '')),
    write: async () => undefined,
  }
  {
    using line = new PublishLine(terminal, new MemoryJournal())
    mock.timers.tick(250)
    mock.timers.tick(250)
    line.say('something')
  }
  assert.deepEqual(drawn, [
    '0 pages known · 0 changes noted · 250 ms',
    '0 pages known · 0 changes noted · 500 ms',
    '',
    'something',
    '0 pages known · 0 changes noted · 500 ms',
    '',
  ])
})
