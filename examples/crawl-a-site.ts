/**
 * Crawl one site into a directory. Run it again and it goes on where it stopped.
 *
 *   npx node examples/crawl-a-site.ts /tmp/first http://127.0.0.1:8080/
 */
import { crawl } from '@comity/crawler'

const [into = 'collection', ...seeds] = process.argv.slice(2)

const summary = await crawl({
  into,
  // A crawl that leaves your own machines must say whose it is; one that stays there must be allowed to.
  options: { seeds, userAgent: 'example/1.0 (+https://example.org/bot)', allowPrivate: true, privateDelayMs: 0 },
})

console.log(`${summary.pages} pages and ${summary.links} links of ${summary.sites} site(s) are in ${into}`)
