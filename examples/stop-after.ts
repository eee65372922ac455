/**
 * Stop after so many pages of your own kind. `maxPages` counts whatever was fetched; a signal stops for any reason of yours, politely:
 * what is under way comes in, and the same command goes on later.
 *
 *   npx node examples/stop-after.ts /tmp/some http://127.0.0.1:8080/
 */
import { crawl } from '@comity/crawler'
import { headerOf } from '@comity/protocol'
import type { Capture } from '@comity/protocol'

const [into = 'collection', ...seeds] = process.argv.slice(2)
const wanted = 3

const stop = new AbortController()
let found = 0

function onCapture({ url, status, headers }: Capture): void {
  if (status !== 200 || !headerOf(headers, 'content-type')?.startsWith('text/html')) return
  if (++found <= wanted) console.log(url)
  if (found === wanted) stop.abort()
}

// One visit at a time: with many, some more pages are under way when the last that is wanted comes.
const options = { seeds, hooks: { onCapture }, maxPages: 1_000, parallel: 1, allowPrivate: true, privateDelayMs: 0 }
const { pages } = await crawl({ into, signal: stop.signal, options })
console.log(`stopped with ${pages} pages`)
