import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { createSiteFront } from '../site-front.ts'
import { siteAdapterSuite } from '../testing/site-adapter.suite.ts'
import type { StartSite } from '../testing/adapter-sample.ts'
import { webHandler } from './web-handler.ts'

const webSite: StartSite = async (front, app) => {
  const fetch = webHandler(front, (request) => {
    const { status, headers, body } = app.answer(request.method, new URL(request.url).pathname)
    const fields = new Headers()
    for (const [name, value] of headers) fields.append(name, value)
    const stream = typeof body === 'function' ? ReadableStream.from(body()) : Uint8Array.from(Buffer.from(body))
    return new Response(stream, { status, headers: fields })
  })
  const { promise, resolve } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, resolve)
  return { port: (await promise).port, stop: () => void server.close() }
}

siteAdapterSuite('Request and Response', webSite)

test('by itself it has the documents of the site and nothing else', async () => {
  const front = createSiteFront({ journal: new MemoryJournal(), base: 'https://a.example/', now: () => 0, robots: '' })
  const handler = webHandler(front)
  const status = async (path: string): Promise<number> =>
    (await handler(new Request(`https://a.example${path}`))).status
  assert.deepEqual([await status('/.well-known/comity/changes'), await status('/page')], [200, 404])
})
