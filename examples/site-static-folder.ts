/**
 * A folder of files as a site that tells crawlers what changed: files are noticed when somebody writes, moves or deletes them.
 *
 *   npx node examples/site-static-folder.ts /var/www/html /tmp/journal http://127.0.0.1:8080/
 *   npx comity publish /var/www/html --base https://example.org/       the same by a command, also as files for nginx and Apache
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createSiteFront,
  docrootHandler,
  docrootReader,
  DocrootScanner,
  FileJournal,
  nodeMiddleware,
  watchDocroot,
} from '@comity/site'

const [root = 'public', dir = 'journal', base = 'http://127.0.0.1:8080/'] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort()).once('SIGINT', () => stop.abort())
const { signal } = stop

await using journal = await FileJournal.open(dir)
const world = { now: Date.now, sleep: async (ms: number) => await sleep(ms, undefined, { signal }) }
const watching = watchDocroot(new DocrootScanner(journal, { root }, world), world, signal)

const read = docrootReader(root, 1 << 20)
const site = nodeMiddleware(createSiteFront({ journal, base, read, now: Date.now, robots: '' }))
const files = docrootHandler(root, Date.now)
const server = createServer((request, response) => site(request, response, () => files(request, response)))
server.listen(Number(new URL(base).port), '127.0.0.1', () => console.log(base))

await watching
server.close()
server.closeAllConnections()
