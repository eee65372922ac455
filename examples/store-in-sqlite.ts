/**
 * Keep rows of your own in SQLite, page by page as they come in. The archive is written all the same, so that rows can be made anew of it
 * when you want other columns.
 *
 *   npx node examples/store-in-sqlite.ts /tmp/crawled http://127.0.0.1:8080/ /tmp/pages.db
 */
import { DatabaseSync } from 'node:sqlite'
import { crawl } from '@comity/crawler'
import { pageReader, text } from '@comity/fields'

const [into = 'collection', seed = 'http://127.0.0.1:8080/', file = 'pages.db'] = process.argv.slice(2)

const database = new DatabaseSync(file)
database.exec('CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, title TEXT, seen_at INTEGER) WITHOUT ROWID')
const put = database.prepare('INSERT OR REPLACE INTO pages VALUES (?, ?, ?)')
const read = pageReader({ title: text('title') })

await crawl({
  into,
  options: {
    seeds: [seed],
    allowPrivate: true,
    privateDelayMs: 0,
    hooks: {
      // Called before the page is acknowledged: were we killed now, it would come again, and replace its row.
      onCapture: (capture) => {
        const page = read(capture)
        if (page.kind === 'read') put.run(capture.url, page.values.title ?? null, capture.at)
      },
    },
  },
})
console.log(database.prepare('SELECT count(*) AS pages, count(title) AS titles FROM pages').get())
