/**
 * A site that tells crawlers what changed: a server of your own, with `@comity/site` before it. Then somebody asks it, as a
 * crawler would: what is there, and what has changed since I asked last?
 *
 *   npx node examples/site-that-tells.ts /tmp/journal
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSiteFront, FileJournal, nodeMiddleware, noteChange, publicRules } from '@comity/site'

const [dir = 'journal'] = process.argv.slice(2)
const pages = new Map([
  ['/', '<h1>Opening hours</h1><p>Nine to five.'],
  ['/prices', '<h1>Prices</h1><p>Five euros.'],
])

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

// The journal remembers which version each page had and when; it outlives the process, and kill -9.
await using journal = await FileJournal.open(dir)
const site = nodeMiddleware(createSiteFront({ journal, base, now: Date.now, robots: '' }))
server.on('request', (request, response) => {
  site(request, response, () => {
    const page = pages.get(request.url ?? '')
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  })
})

// Pages are learnt from visits; whoever knows that one has changed says so in one call.
for (const [path, text] of pages) await publish(path, text)
const first = await ask()
pages.set('/prices', '<h1>Prices</h1><p>Six euros.')
await publish('/prices', '<h1>Prices</h1><p>Six euros.')
await ask(first)

server.close()
server.closeAllConnections()

async function publish(path: string, text: string): Promise<void> {
  const page = { path, type: 'text/html', body: Buffer.from(text) }
  await noteChange(journal, page, { rules: publicRules() }, Date.now())
}

/** Lines of JSON, the last of which has the token to go on from. */
async function ask(since?: string): Promise<string> {
  const query = since === undefined ? '' : `?since=${since}`
  const text = await (await fetch(`${base}.well-known/comity/changes${query}`)).text()
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
  for (const { url = '', change } of lines.slice(0, -1)) console.log(`${change} ${new URL(url).pathname}`)
  console.log(`${lines.length - 1} page(s) told`)
  return lines.at(-1)?.['token'] ?? ''
}
