import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { checkCommand } from './check-command.ts'
import { comity, comityHere, lastJson } from '../testing/spawned-comity.ts'

async function serving(t: TestContext, handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a site without anything is no failure; each request is on stderr, the findings on stdout', async (t) => {
  const url = await serving(t, (request, response) => response.writeHead(request.url === '/' ? 200 : 404).end('page'))
  const { code, stdout, stderr } = await comity([checkCommand.name, url, '--allow-private'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /missing {2}sitemap +not offered\n +comity publish writes one/)
  assert.match(stdout, /Nothing is wrong: \d+ good, \d+ missing, 0 wrong\./)
  assert.match(stderr, /^GET http:\/\/127\.0\.0\.1:\d+\/robots\.txt {2}404/)
})

test('what is wrong is a failure, for programs too', async (t) => {
  const url = await serving(t, (_, response) => response.setHeader('etag', '"1"').end('<p>always sent</p>'))
  const ended = await comityHere(['check', url, '--allow-private', '--json', '--pages', '1', '--max-requests', '20'])
  assert.equal(ended.code, 1)
  const { findings } = lastJson(ended) as { findings: { about: string; state: string }[] }
  assert.equal(findings.find(({ about }) => about === 'ETag')?.state, 'wrong')
})

test('an address of this machine is left alone unless it is said', async (t) => {
  let asked = 0
  const url = await serving(t, (_, response) => {
    asked++
    response.end()
  })
  const { code, stdout } = await comityHere(['check', url])
  assert.deepEqual([code, asked], [1, 0])
  assert.match(stdout, /--allow-private/)
})
