/**
 * May a crawler visit this page? Ask the site's robots.txt as RFC 9309 says, and name the line that decides.
 *
 *   npx node examples/robots-check.ts yourbot http://127.0.0.1:8080/drafts/secret
 */
import { isAllowed, robotsVerdict } from '@comity/protocol'

const [bot = '*', ...urls] = process.argv.slice(2)

for (const url of urls) {
  const response = await fetch(new URL('/robots.txt', url))
  const body = new Uint8Array(await response.arrayBuffer())
  // The status decides as much as the text: 4xx opens a site, 5xx closes it (§2.3.1).
  const { robots, reason } = robotsVerdict({ kind: 'answered', status: response.status, body })
  const { allowed, rule, line } = isAllowed(robots, bot, url)
  const because = rule === undefined ? reason : `line ${line}: ${allowed ? 'Allow' : 'Disallow'}: ${rule}`
  console.log(`${bot} ${allowed ? 'may' : 'must not'} visit ${url} (${because})`)
}
