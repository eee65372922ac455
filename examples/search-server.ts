/**
 * Search a collection from a Web server of your own, also while a crawl or a watch goes on writing it.
 *
 *   npx node examples/search-server.ts /tmp/first 8081
 *   curl 'http://127.0.0.1:8081/?q=polite+crawl*'
 */
import { createServer } from 'node:http'
import { FollowedCollection } from '@comity/collection'
import { openSearch } from '@comity/search'

const [dir = 'collection', port = '8081'] = process.argv.slice(2)

await using collection = new FollowedCollection(dir, Date.now)
await using search = openSearch(dir, () => collection.current)

async function found(query: string): Promise<string> {
  const { results, matches, problems } = await search.engine.search({ query, limit: 10 })
  // Titles are what strangers wrote: as JSON they do no harm, and whoever puts them into HTML escapes them.
  const shown = results.map(({ url, title, snippet }) => ({ url, title, text: snippet.text }))
  return JSON.stringify({ matches, found: shown, problems })
}

const server = createServer(({ url = '/' }, response) => {
  found(new URL(url, 'http://localhost').searchParams.get('q') ?? '').then(
    (answer) => response.setHeader('content-type', 'application/json').end(answer),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`))
await new Promise((stopped) => process.once('SIGTERM', stopped).once('SIGINT', stopped))
server.close()
server.closeAllConnections()
