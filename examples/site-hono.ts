/**
 * A Hono app that tells crawlers what changed; here on Node, and the same wherever Hono runs and files can be kept.
 *
 *   npm install hono @hono/node-server && npx node examples/site-hono.ts /tmp/journal http://127.0.0.1:8080/
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createSiteFront, FileJournal, honoMiddleware } from '@comity/site'

const [dir = 'journal', base = 'http://127.0.0.1:8080/'] = process.argv.slice(2)
const journal = await FileJournal.open(dir)

const app = new Hono()
app.use(honoMiddleware(createSiteFront({ journal, base, now: Date.now, robots: '' })))
app.get('/', (context) => context.html('<h1>Harbour</h1><a href="/tides">Tides</a>'))
app.get('/tides', (context) => context.html('<h1>Tides</h1><p>High water at nine.'))

serve({ fetch: app.fetch, port: Number(new URL(base).port), hostname: '127.0.0.1' }, () => console.log(base))
