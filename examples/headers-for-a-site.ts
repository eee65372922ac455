/**
 * Send headers to one site: an API key, a cookie, a language. They go to that origin alone (scheme, host and port), whoever links or
 * redirects where, and are written down nowhere: the archive says that there was one, and not which.
 *
 *   npx node examples/headers-for-a-site.ts /tmp/mine http://127.0.0.1:8080/ http://127.0.0.1:8081/
 */
import { crawl } from '@comity/crawler'

const [into = 'collection', ...seeds] = process.argv.slice(2)
const { origin } = new URL(seeds[0] ?? 'http://127.0.0.1:8080/')

const { pages } = await crawl({
  into,
  options: {
    seeds,
    sites: [{ origin, headers: { 'X-Api-Key': process.env['API_KEY'] ?? 'none', 'Accept-Language': 'de' } }],
    allowPrivate: true,
    privateDelayMs: 0,
  },
})
console.log(`${pages} pages`)
