// Crawlee's CheerioCrawler over one site: memory storage, 64 at once, every same-host link. Prints the pages it got.
import { CheerioCrawler, Configuration } from '@crawlee/cheerio'

const [seed] = process.argv.slice(2)
const pages = new Set()
const configuration = new Configuration({ persistStorage: false, purgeOnStart: false })
const crawler = new CheerioCrawler(
  {
    minConcurrency: 64,
    maxConcurrency: 64,
    maxRequestRetries: 0,
    async requestHandler({ request, response, enqueueLinks }) {
      // It hands over error pages too; nobody else counts them.
      if (response.statusCode !== 200) return
      // A folder's page and its index.html are one page for every contender.
      pages.add(request.loadedUrl.replace(/#.*/, '').replace(/\/$/, '/index.html'))
      await enqueueLinks({ strategy: 'same-hostname' })
    },
  },
  configuration,
)
crawler.log.setLevel(0)
await crawler.run([seed])
console.log(JSON.stringify({ pages: pages.size }))
process.exit(0)
