import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { BrowserView } from '@comity/gateway'
import { BrowserExport, browserLines } from './browser-export.ts'
import { plain } from '../terminal/terminal.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const request = { kind: 'request', method: 'GET', target: '/', version: '1.1', headers: [], doubts: [] } as const
const view = (change: Partial<BrowserView>): BrowserView => ({
  at: 0,
  server: '192.0.2.1',
  serverPort: 80,
  request,
  url: 'http://a.example/page',
  status: 200,
  headers: [['Content-Type', '=cmd\tx']],
  outcome: 'shown',
  error: undefined,
  body: Buffer.from('four'),
  doubts: [],
  ...change,
})

test('every answer is listed, with a file where something is shown, and doubts are counted', () => {
  using folder = temporaryFolder()
  const out = folder.at('out')
  using files = new BrowserExport(out)
  files.viewed(view({}))
  files.viewed(view({ doubts: ['odd-field', 'extra-bytes'], url: undefined }))
  files.viewed(view({ outcome: 'broken', error: 'ERR_CONTENT_LENGTH_MISMATCH', doubts: ['cut-short', 'odd-field'] }))
  files.viewed(
    view({
      outcome: 'refused',
      error: 'ERR_INVALID_HTTP_RESPONSE',
      status: 0,
      body: new Uint8Array(0),
      doubts: ['odd-version'],
    }),
  )
  assert.deepEqual(files.written, {
    files: 3,
    bytes: 12,
    asBrowser: {
      outcomes: { shown: 2, broken: 1, refused: 1, redirected: 0, hole: 0, 'too-large': 0, 'no-room': 0 },
      doubtful: 2,
      doubts: { 'odd-field': 2, 'extra-bytes': 1, 'cut-short': 1 },
    },
  })
  const lines = readFileSync(join(out, 'index.tsv'), 'utf8').trimEnd().split('\n')
  assert.deepEqual(lines.slice(1), [
    "000001-page\t200\t'=cmd x\t4\thttp://a.example/page\tshown\t\t",
    "000002-index\t200\t'=cmd x\t4\t\tshown\t\todd-field extra-bytes",
    "000003-page\t200\t'=cmd x\t4\thttp://a.example/page\tbroken\tERR_CONTENT_LENGTH_MISMATCH\tcut-short odd-field",
    "\t0\t'=cmd x\t0\thttp://a.example/page\trefused\tERR_INVALID_HTTP_RESPONSE\todd-version",
  ])
  assert.equal(readdirSync(out).length, 4)
  const [first, second, third] = browserLines(files.written, plain)
  assert.equal(first, '3 bodies written as Chromium shows them, 12 bytes, 2 of them in doubt')
  assert.equal(second, '  answers: 2 shown, 1 broken, 1 refused')
  assert.match(third!, / 2 {2}odd-field .*no name/)
})
