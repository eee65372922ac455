/** Who asks, for shares: by the connection, or by what a proxy of ours says. Over real sockets. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { nodeMiddleware } from './node-middleware.ts'
import type { SiteFront } from '../site-front.ts'

// oxfmt-ignore
const cases: [sentence: string, behind: readonly string[], forwarded: string | undefined, client: string][] = [
  ['without a proxy it is whoever is connected',  [],                          '203.0.113.7',             '127.0.0.1'],
  ['behind a proxy it is whom that names',        ['127.0.0.1'],               '6.6.6.6, 203.0.113.7',    '203.0.113.7'],
  ['behind two it is whom the first names',       ['127.0.0.1', '10.0.0.2'],   '203.0.113.7, 10.0.0.2',   '203.0.113.7'],
  ['a proxy that names nobody is it itself',      ['127.0.0.1'],               undefined,                 '127.0.0.1'],
  ['another one is not believed',                 ['10.0.0.2'],                '203.0.113.7',             '127.0.0.1'],
]
for (const [sentence, behind, forwarded, client] of cases)
  test(sentence, { timeout: 20_000 }, async () => {
    const heard: (string | undefined)[] = []
    const front: Pick<SiteFront, 'isOurs' | 'answer'> = {
      isOurs: () => true,
      answer: async (request) => {
        heard.push(request.client)
        return { status: 200, headers: [], body: Buffer.from('x') }
      },
    }
    const middleware = nodeMiddleware(front as SiteFront, behind)
    const server = createServer((request, response) => middleware(request, response, () => response.end()))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      assert.equal((await fetch(`http://127.0.0.1:${port}/sitemap.xml`, { headers })).status, 200)
      assert.deepEqual(heard, [client])
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
