/**
 * Crawl, and pick what you came for out of each page as it comes: typed fields, by CSS selectors.
 *
 *   npx node examples/pick-fields.ts /tmp/picked http://127.0.0.1:8080/
 */
import { crawl } from '@comity/crawler'
import { items, link, list, pageReader, required, text } from '@comity/fields'

const [into = 'collection', ...seeds] = process.argv.slice(2)

const readArticle = pageReader({
  title: required(text('h1')),
  summary: text('p'),
  links: list(items('a', { to: link(':scope'), words: text(':scope') })),
})

await crawl({
  into,
  options: {
    seeds,
    allowPrivate: true,
    privateDelayMs: 0,
    hooks: {
      onCapture: (capture) => {
        const article = readArticle(capture)
        if (article.kind === 'read') console.log(JSON.stringify({ url: capture.url, ...article.values }))
        else if (article.kind === 'incomplete') console.error(`${capture.url} has no ${article.missing.join(', ')}`)
      },
    },
  },
})
