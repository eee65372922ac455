import assert from 'node:assert/strict'
import test from 'node:test'
import { newFigures } from '@comity/gateway'
import { gatewayText } from './gateway-line.ts'

test('the line says what goes by, how fast, and what waits', () => {
  const figures = Object.assign(newFigures(), { messages: 40, pages: 30 })
  figures.verdicts.new = 12
  figures.verdicts.changed = 1
  assert.equal(
    gatewayText({ packets: 1_200, bytes: 3_400_000, waiting: 2 }, { figures }, 27.2e6),
    '1,200 packets · 3.4 MB · 27 Mbit/s · 40 messages · 30 pages, 13 shipped · 2 waiting',
  )
  assert.equal(
    gatewayText({ packets: 0, bytes: 0, waiting: 0 }, { figures: newFigures() }, 0),
    '0 bytes · 0.0 Mbit/s · 0 messages · 0 pages, 0 shipped · 0 waiting',
  )
})
