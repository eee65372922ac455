import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlPanel } from './control-panel.ts'

const callsOf = (panel: string): string[] => [...panel.matchAll(/data-call="([^"]+)"/g)].map(([, call]) => call!)

test('a running crawl can be paused, a paused one resumed; both take seeds and a budget', () => {
  const others = ['/api/v1/crawl/seeds', '/api/v1/crawl/budget']
  assert.deepEqual(callsOf(controlPanel('running').source), ['/api/v1/crawl/pause', ...others])
  assert.deepEqual(callsOf(controlPanel('paused').source), ['/api/v1/crawl/resume', ...others])
})

test('no form of the panel does anything without the script that sends the token', () => {
  const { source } = controlPanel('running')
  assert.match(source, /<div class="forms" hidden>/)
  assert.doesNotMatch(source, /action=|method=/)
})

test('the token is never part of what a form sends', () => {
  assert.doesNotMatch(/<input[^>]*id="token"[^>]*>/.exec(controlPanel('paused').source)?.[0] ?? 'name=', /name=/)
})
