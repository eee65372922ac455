/**
 * An Express app that tells crawlers what changed: lists, differences and a service of changes, of the pages it serves anyway.
 *
 *   npm install express && npx node examples/site-express.ts /tmp/journal http://127.0.0.1:8080/
 *   curl -i http://127.0.0.1:8080/ ; curl http://127.0.0.1:8080/.well-known/comity/changes
 */
import express from 'express'
import { createSiteFront, FileJournal, nodeMiddleware } from '@comity/site'

const [dir = 'journal', base = 'http://127.0.0.1:8080/'] = process.argv.slice(2)
const journal = await FileJournal.open(dir)

const app = express()
// Before what makes the pages, and before what compresses them.
app.use(nodeMiddleware(createSiteFront({ journal, base, now: Date.now, robots: '' })))
app.get('/', (_request, response) => void response.type('html').send('<h1>Harbour</h1><a href="/tides">Tides</a>'))
app.get('/tides', (_request, response) => void response.type('html').send('<h1>Tides</h1><p>High water at nine.'))

app.listen(Number(new URL(base).port), '127.0.0.1', () => console.log(base))
