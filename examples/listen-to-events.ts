/**
 * Watch a crawl from outside, without touching it. Events travel on `node:diagnostics_channel`: they cost nothing when
 * nobody listens, never change what happens, and any module of the process may listen by name.
 *
 *   npx node examples/listen-to-events.ts /tmp/watched http://127.0.0.1:8080/
 */
import { subscribe } from 'node:diagnostics_channel'
import { EVENT_NAMES } from '@comity/ingest'
import { crawl } from '@comity/crawler'

const [into = 'collection', ...seeds] = process.argv.slice(2)

// `comity:visited` comes first and `comity:committed` later: only then is the page safe from a power cut.
for (const name of EVENT_NAMES) subscribe(name, (event) => console.log(`${name} ${JSON.stringify(event)}`))

await crawl({ into, options: { seeds, allowPrivate: true, privateDelayMs: 0 } })
