import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SiteCheck } from '@comity/crawler'
import { checkReport, requestLine } from './check-report.ts'
import { plain } from '../terminal/terminal.ts'

const request = { method: 'GET', url: 'https://a.example/robots.txt', status: 200, bytes: 1_234, ms: 12 }
const check: SiteCheck = {
  url: 'https://a.example/',
  checkedAt: 0,
  robots: { state: 'parsed', reason: 'status 200', isAllowed: true },
  start: { status: 200 },
  pages: [],
  offers: [],
  broken: [],
  elsewhere: [],
  digests: { right: 0, wrong: [] },
  findings: [
    { about: 'robots.txt', state: 'good', found: 'read' },
    { about: 'ETag', state: 'wrong', found: 'another\x1b[31m one', advice: 'make it of the content' },
    { about: 'sitemap', state: 'missing', found: 'not offered', advice: 'comity publish writes one' },
  ],
  requests: [request],
  bytes: 1_234,
  stopped: 'the site answered 429',
}

test('each finding is a line, with what to do below it, and the cost of the check at the end', () => {
  assert.deepEqual(checkReport(check, false, plain), [
    'https://a.example/',
    '  good     robots.txt  read',
    // A stranger's words cannot paint.
    '  wrong    ETag        another [31m one',
    '                       make it of the content',
    '  missing  sitemap     not offered',
    '                       comity publish writes one',
    '',
    "1 good, 1 missing, 1 wrong. Asked: 1 request, 1.2 KB, 12 ms of the server's time.",
    'The check broke off: the site answered 429.',
  ])
})

test('requests are shown when asked for, also those without an answer', () => {
  assert.equal(checkReport(check, true, plain).at(-1), 'GET https://a.example/robots.txt  200  1.2 KB  12 ms')
  assert.equal(
    requestLine({ ...request, status: 0, problem: 'refused' }),
    'GET https://a.example/robots.txt  refused  12 ms',
  )
})
