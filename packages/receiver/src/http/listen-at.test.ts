import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { listenAt } from './listen-at.ts'

test('a place that is taken is told, and loopback with a free port is what is not asked for', async (t) => {
  const [one, other] = [createServer(), createServer()]
  t.after(() => one.close())
  const { address, port } = await listenAt(one, {})
  assert.equal(address, '127.0.0.1')
  await assert.rejects(listenAt(other, { port }), { code: 'EADDRINUSE' })
})
