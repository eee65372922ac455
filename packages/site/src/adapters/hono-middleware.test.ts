import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Hono } from 'hono'
import { HOST, listening } from '../testing/adapter-sample.ts'
import type { StartSite } from '../testing/adapter-sample.ts'
import { honoMiddleware } from './hono-middleware.ts'
import { siteAdapterSuite } from '../testing/site-adapter.suite.ts'

const honoSite: StartSite = async (front, app) => {
  const site = new Hono()
  site.use(honoMiddleware(front))
  site.all('/*', (context) => {
    const { status, headers, body } = app.answer(context.req.method, context.req.path)
    const fields = new Headers()
    for (const [name, value] of headers) fields.append(name, value)
    const stream = typeof body === 'function' ? ReadableStream.from(body()) : Uint8Array.from(Buffer.from(body))
    return new Response(stream, { status, headers: fields })
  })
  // Hono answers requests of the Web; its own server for Node does what stands here.
  const server = createServer((incoming, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = incoming
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const request = new Request(`http://${headers.host ?? HOST}${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(', ')]),
        ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
      })
      const answer = await site.fetch(request)
      response.statusCode = answer.status
      for (const [name, value] of answer.headers) response.appendHeader(name, value)
      if (answer.body === null) response.end()
      else await pipeline(Readable.fromWeb(answer.body), response)
    })()
  })
  const port = await listening(server)
  return { port, stop: () => void server.close() }
}

siteAdapterSuite('Hono', honoSite)
