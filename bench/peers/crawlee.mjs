// Crawlee's CheerioCrawler over one site: memory storage, 64 at once, every same-host link. Prints the pages it got.
// It hands over text where others hand over bytes, so no digests.
import { CheerioCrawler, Configuration } from '@crawlee/cheerio'

const [seed] = process.argv.slice(2)
const pages = {}
const configuration = new Configuration({ persistStorage: false, purgeOnStart: false })
const crawler = new CheerioCrawler(
  {
    minConcurrency: 64,
    maxConcurrency: 64,
    maxRequestRetries: 0,
    async requestHandler({ request, response, enqueueLinks }) {
      // It hands over error pages too; nobody else counts them.
      if (response.statusCode !== 200) return
      pages[request.loadedUrl.replace(/#.*/, '')] = null
      await enqueueLinks({ strategy: 'same-hostname' })
    },
  },
  configuration,
)
crawler.log.setLevel(0)
await crawler.run([seed])
console.log(JSON.stringify({ pages }))
process.exit(0)
