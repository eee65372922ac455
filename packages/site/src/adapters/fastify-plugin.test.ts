import { Readable } from 'node:stream'
import fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import type { StartSite } from '../testing/adapter-sample.ts'
import { fastifyPlugin } from './fastify-plugin.ts'
import { groupedFields } from './held-response.ts'
import { siteAdapterSuite } from '../testing/site-adapter.suite.ts'

const fastifySite: StartSite = async (front, app) => {
  const site = fastify()
  await site.register(fastifyPlugin(front))
  site.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  site.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: async (request, reply) => {
      const { status, headers, body } = app.answer(request.method, request.url)
      reply.code(status)
      for (const [name, values] of groupedFields(headers)) reply.header(name, values)
      return await reply.send(typeof body === 'function' ? Readable.from(body(), { objectMode: false }) : body)
    },
  })
  await site.listen({ port: 0, host: '127.0.0.1' })
  return { port: (site.server.address() as AddressInfo).port, stop: async () => await site.close() }
}

siteAdapterSuite('Fastify', fastifySite)
