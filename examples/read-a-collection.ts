/**
 * Read what a crawl has stored: pages, links and bodies. Looking is safe beside a crawl that is still writing.
 *
 *   npx node examples/read-a-collection.ts /tmp/first
 */
import { Collection } from '@comity/collection'
import { decodeBody, decodeText, headerOf, readHtml } from '@comity/protocol'

const [dir = 'collection'] = process.argv.slice(2)

await using collection = Collection.openReadOnly(dir)

// Inside, a page is a number; `url` says which page that is.
for (const { key: page, value: row } of collection.pages()) {
  console.log(`${row.status} ${collection.url(page)} "${row.title ?? ''}"`)
  for (const { to, anchor } of collection.links(page)) console.log(`  -> ${collection.url(to)} "${anchor}"`)
  if (row.body === undefined) continue
  // The stored message is what the server sent, so it is decoded now: first the coding, then the charset.
  const message = collection.readMessage(row.body)
  const coding = headerOf(message.headers, 'content-encoding')
  const decoded = decodeBody(message.body, coding, { maxBytes: 20 << 20 })
  if (decoded.kind !== 'ok') continue
  const { text } = readHtml(decodeText(decoded.body, headerOf(message.headers, 'content-type')).text)
  console.log(`  ${text.split(/\s+/).length} words`)
}
