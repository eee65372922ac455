/**
 * Look at every page as it comes in. `onCapture` is called once for each whole answer, before it is stored, with the
 * Capture that the WARC file will hold: headers as they came, content codings still on. What it says is there for the
 * asking: `header(name)`, `text()`, the body as characters, and `page()`, the title, words, headings and links.
 *
 *   npx node examples/on-capture.ts /tmp/pages http://127.0.0.1:8080/
 *   comity crawl http://127.0.0.1:8080/ --into /tmp/pages --hook FILE    # the same function, exported by a file
 */
import { crawl } from '@comity/crawler'
import type { SeenCapture } from '@comity/ingest'

const [into = 'collection', ...seeds] = process.argv.slice(2)

function onCapture({ url, status, digest, header, text, page }: SeenCapture): void {
  const { title = '', links = [] } = page() ?? {}
  console.log(`${status} ${url} ${header('content-type')} ${text()?.length ?? 0} characters ${digest}`)
  console.log(`  ${JSON.stringify(title)} links to ${links.map(({ href }) => href).join(' ')}`)
}

await crawl({ into, options: { seeds, hooks: { onCapture }, allowPrivate: true, privateDelayMs: 0 } })
