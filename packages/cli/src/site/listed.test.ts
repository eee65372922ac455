import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { askOrigin } from './listed.ts'

test("a page is asked for under the site's own name, without a cookie or a coding, and redirects are not followed", async (t) => {
  const server = createServer((request, response) => {
    const { host, cookie, 'accept-encoding': coding } = request.headers
    if (request.url === '/moved') response.writeHead(302, { location: '/' }).end()
    else response.end(JSON.stringify({ host, cookie, coding, url: request.url }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { signal } = new AbortController()
  const page = await askOrigin(origin, 'a.example', '/list?page=1', signal)
  const asked: unknown = JSON.parse(Buffer.from(page.body).toString())
  assert.deepEqual([page.status, asked], [200, { host: 'a.example', coding: 'identity', url: '/list?page=1' }])
  assert.equal((await askOrigin(origin, 'a.example', '/moved', signal)).status, 302)
  await assert.rejects(askOrigin('http://127.0.0.1:1', 'a.example', '/', signal), /ECONNREFUSED/)
  await assert.rejects(askOrigin(origin, 'a.example', '/', AbortSignal.abort()), /abort/i)
})
