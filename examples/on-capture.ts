/**
 * Look at every page as it comes in. `onCapture` is called once for each whole answer, before it is stored, with the
 * Capture that the WARC file will hold: headers as they came, content codings still on.
 *
 *   npx node examples/on-capture.ts /tmp/pages http://127.0.0.1:8080/
 */
import { crawl } from '@comity/crawler'
import { headerOf } from '@comity/protocol'
import type { Capture } from '@comity/protocol'

const [into = 'collection', ...seeds] = process.argv.slice(2)

function onCapture({ url, status, headers, body, digest }: Capture): void {
  console.log(`${status} ${url} ${headerOf(headers, 'content-type')} ${body.length} bytes ${digest}`)
}

await crawl({ into, options: { seeds, hooks: { onCapture }, allowPrivate: true, privateDelayMs: 0 } })
