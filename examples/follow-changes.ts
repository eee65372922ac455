/**
 * Follow what changes in a collection, from a process of your own beside the crawl: new pages, new versions, pages that are gone. Keep the
 * number with what you make of a change, and give it back after any stop: nothing is missed.
 *
 *   npx node examples/follow-changes.ts /tmp/first 0
 */
import { follow } from '@comity/collection'

const [dir = 'collection', since = '0'] = process.argv.slice(2)

// Ctrl-C ends the loop; without a signal, and with `stayOpen: false`, it ends when there is nothing new.
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort()).once('SIGINT', () => stop.abort())

for await (const { number, pages } of follow(dir, Number(since), { signal: stop.signal })) {
  for (const { page, url, row, read } of pages) {
    const answer = read()
    if (answer === undefined) console.log(`${number} gone ${page} ${url ?? '(forgotten)'}`)
    else console.log(`${number} held ${page} ${url} "${row?.title ?? ''}" ${answer.body.length} bytes`)
  }
}
