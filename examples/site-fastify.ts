/**
 * A Fastify app that tells crawlers what changed.
 *
 *   npm install fastify && npx node examples/site-fastify.ts /tmp/journal http://127.0.0.1:8080/
 */
import fastify from 'fastify'
import { createSiteFront, fastifyPlugin, FileJournal } from '@comity/site'

const [dir = 'journal', base = 'http://127.0.0.1:8080/'] = process.argv.slice(2)
const journal = await FileJournal.open(dir)

const app = fastify()
// Before plugins that compress.
await app.register(fastifyPlugin(createSiteFront({ journal, base, now: Date.now, robots: '' })))
app.get('/', (_request, reply) => reply.type('text/html').send('<h1>Harbour</h1><a href="/tides">Tides</a>'))
app.get('/tides', (_request, reply) => reply.type('text/html').send('<h1>Tides</h1><p>High water at nine.'))

await app.listen({ port: Number(new URL(base).port), host: '127.0.0.1' })
console.log(base)
