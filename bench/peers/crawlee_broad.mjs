// Crawlee's CheerioCrawler over many sites: memory storage, so many at once, robots.txt obeyed, its delay between two requests to a
// domain. Prints the pages it got. It takes no address for a domain and would not rest between them, so it is given a name for each.
// It hands over text where others hand over bytes, so no digests.
import dns from 'node:dns'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const nameOf = (url) =>
  url.replace(/^http:\/\/([\d.]+)/, (_, address) => `http://www.at-${address.replaceAll('.', '-')}.test`)
const urlOf = (url) =>
  url.replace(/^http:\/\/www\.at-([\d-]+)\.test/, (_, address) => `http://${address.replaceAll('-', '.')}`)

const { lookup } = dns
dns.lookup = (host, options, callback) => {
  const address = /^www\.at-([\d-]+)\.test$/.exec(host)?.[1]?.replaceAll('-', '.')
  const [how, call] = typeof options === 'function' ? [{}, options] : [options, callback]
  if (address === undefined) return lookup(host, options, callback)
  process.nextTick(() => (how.all ? call(null, [{ address, family: 4 }]) : call(null, address, 4)))
}
syncBuiltinESMExports()
const { CheerioCrawler, Configuration } = await import('@crawlee/cheerio')

const [list, atOnce, delayMs] = process.argv.slice(2)
const seeds = readFileSync(list, 'utf8').trim().split('\n')
const pages = {}
const configuration = new Configuration({ persistStorage: false, purgeOnStart: false })
const crawler = new CheerioCrawler(
  {
    minConcurrency: Number(atOnce),
    maxConcurrency: Number(atOnce),
    sameDomainDelaySecs: Number(delayMs) / 1_000,
    respectRobotsTxtFile: true,
    maxRequestRetries: 0,
    async requestHandler({ request, response, enqueueLinks }) {
      if (response.statusCode !== 200) return
      pages[urlOf(request.loadedUrl.replace(/#.*/, ''))] = null
      await enqueueLinks({
        strategy: 'all',
        transformRequestFunction: (found) => Object.assign(found, { url: nameOf(found.url) }),
      })
    },
  },
  configuration,
)
crawler.log.setLevel(0)
await crawler.run(seeds.map(nameOf))
console.log(JSON.stringify({ pages }))
process.exit(0)
