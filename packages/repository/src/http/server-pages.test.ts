/** The real pages behind the real server: every one is drawn from what the repository says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPages } from '../pages/pages.ts'
import { AT } from '../testing/sample-repository.ts'
import { sampleServer } from '../testing/sample-server.ts'

const shown: [path: string, status: number][] = [
  ['/', 200],
  ['/search?q=one', 200],
  ['/live', 200],
  ['/sites', 200],
  ['/sites?sort=errors&offset=1', 200],
  ['/site?origin=https://a.example', 200],
  ['/page?key=0', 200],
  ['/page?url=a.example/1', 200],
  ['/page?key=3', 200],
  [`/page/difference?key=1&from=${AT + 1_000}&to=${AT + 2_000}`, 200],
  ['/graph', 200],
  ['/page?key=99', 404],
  ['/sites?sort=beauty', 400],
  ['/page/view?key=5', 403],
  ['/page/copy?key=0', 200],
  [`/page/copy?url=a.example/1%23part&near=${AT}`, 200],
  ['/page/copy?key=3', 404],
  ['/page/copy?key=5', 404],
  ['/page/copy?url=https://nowhere.example/<b>', 404],
  ['/page/copy?key=99', 404],
]

test('every page is drawn, good or bad, and asks only for what the policy allows', async (t) => {
  const { ask, errors } = await sampleServer(t, {}, createPages())
  for (const [path, status] of shown) {
    const reply = await ask(path, { headers: { accept: 'text/html' } })
    assert.deepEqual([path, reply.status, reply.headers['content-type']], [path, status, 'text/html; charset=utf-8'])
    assert.match(reply.text, /^<!doctype html>/i, path)
    assert.doesNotMatch(reply.text, /<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|<style/i, path)
    for (const [, source] of reply.text.matchAll(/<(?:script|link)[^>]*\b(?:src|href)="([^"]*)"/g)) {
      assert.equal((await ask(source!)).status, 200, `${path} asks for ${source}`)
    }
  }
  assert.deepEqual(errors, [])
})
