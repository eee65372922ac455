/**
 * Keep a crawl where you want it with a function of your own. It is asked after the built-in rules (host, patterns,
 * depth, traps) have said yes, once for each URL, and sees the URL and its distance from a start page.
 *
 *   npx node examples/scope-plugin.ts /tmp/shallow http://127.0.0.1:8080/
 */
import { crawl } from '@comity/crawler'

const [into = 'collection', ...seeds] = process.argv.slice(2)

/** Overviews only: at most one folder deep, and nothing with a query. */
const scope = (url: string, depth: number): boolean => {
  const { pathname, search } = new URL(url)
  return depth === 0 || (search === '' && pathname.split('/').filter(Boolean).length <= 1)
}

const { pages, outside } = await crawl({
  into,
  options: { seeds, hooks: { scope }, allowPrivate: true, privateDelayMs: 0 },
})

// What was left out is remembered with its reason, so a later crawl of this collection may still take it in.
console.log(`${pages} pages fetched, ${outside['plug-in'] ?? 0} left out by the plug-in`)
