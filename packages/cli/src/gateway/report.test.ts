import assert from 'node:assert/strict'
import test from 'node:test'
import { newFigures } from '@comity/gateway'
import { reportJson, reportLines } from './report.ts'
import type { GatewayReport } from './report.ts'
import { plain } from '../terminal/terminal.ts'

function report(change: Partial<GatewayReport> = {}): GatewayReport {
  const node = Object.assign(newFigures(), {
    messages: 100,
    captures: 90,
    bytes: 200_000,
    pages: 50,
    htmlBytes: 100_000,
    freshHtmlBytes: 40_000,
    postingBytes: 2_000,
    batches: 1,
    batchBytes: 2_500,
  })
  Object.assign(node.skipped, { cookie: 10, 'media-type': 30 })
  node.verdicts.new = 20
  const source = { packets: 1_000, flows: 12, bytes: 250_000, seconds: 0.5, details: {} }
  return { source, node, problems: [], ...change }
}

test('the report says what share was shipped and what was left out, most first', () => {
  const text = reportLines(report(), plain).join('\n')
  assert.match(text, /1,000 packets of 12 connections, 250 KB in 500 ms, 4 Mbit\/s/)
  assert.match(text, /2\.50 % of all HTML seen; words and links 2 KB, 5\.00 % of the HTML/)
  assert.match(text, /Left out: 40\.0 % of all messages\n +30 {2}media-type .*\n +10 {2}cookie/)
})

test('what waits, and why, is said', () => {
  const sent = {
    sent: 2,
    bytes: 900,
    seenAlready: 0,
    setAside: 0,
    refused: 0,
    failures: 1,
    waiting: 3,
    waitingBytes: 1_000,
    trouble: 'nobody there.',
  }
  assert.match(reportLines(report({ sent }), plain).join('\n'), /3 batches still waiting, 1 KB: nobody there\./)
})

test('the JSON has the figures that others rely on', () => {
  const json = reportJson(report()) as Record<string, unknown>
  assert.deepEqual(
    ['packets', 'flows', 'messages', 'captures', 'skipped', 'bytes', 'seconds'].map((name) => json[name]),
    [1_000, 12, 100, 90, { cookie: 10, 'media-type': 30 }, 250_000, 0.5],
  )
  assert.equal(json['shippedShare'], 0.025)
  assert.equal(json['firstSightShare'], 0.05)
  assert.equal(json['skippedShare'], 0.4)
})

test('a report on nothing is no division by nothing', () => {
  const empty = {
    source: { packets: 0, flows: 0, bytes: 0, seconds: 0, details: {} },
    node: newFigures(),
    problems: ['empty'],
  }
  assert.doesNotMatch(reportLines(empty, plain).join('\n'), /NaN|Infinity/)
  assert.doesNotMatch(JSON.stringify(reportJson(empty)), /null/)
})
