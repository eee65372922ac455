/**
 * Crawler name: who asks, by the User-Agent field. Anybody can write anything there: it is good for counting, no more. Crawlers
 * that have proven who they are go by the host of their keys, and in a way that no User-Agent can be read as.
 */

/** In the order they are looked for: some carry the name of another to be let in. */
const KNOWN = [
  'Googlebot',
  'GoogleOther',
  'Google-Extended',
  'bingbot',
  'GPTBot',
  'ChatGPT-User',
  'OAI-SearchBot',
  'ClaudeBot',
  'Claude-User',
  'PerplexityBot',
  'Applebot',
  'Amazonbot',
  'Bytespider',
  'CCBot',
  'YandexBot',
  'Baiduspider',
  'DuckDuckBot',
  'PetalBot',
  'SemrushBot',
  'AhrefsBot',
  'MJ12bot',
  'DotBot',
  'meta-externalagent',
  'facebookexternalhit',
  'archive.org_bot',
  'heritrix',
  'comity',
  'Scrapy',
  'Nutch',
  'Wget',
  'curl',
] as const

export const OTHER_CRAWLERS = 'others'
const BROWSERS = 'browsers'
const NAMELESS = 'without a name'

/** The host, or its end when it is too long for a table: what is before could be anything. */
export function provenName(host: string): string {
  return `${host.slice(-MAX_HOST_CHARS)} (proven)`
}

/** Of one that was called. */
export function calledName(host: string): string {
  return `${host.slice(-MAX_HOST_CHARS)} (called)`
}

const MAX_HOST_CHARS = 50

/** A name from the list above, the first that looks like a robot's, `browsers`, or the first word. */
export function crawlerName(agent: string): string {
  const text = agent.slice(0, MAX_CHARS)
  const lower = text.toLowerCase()
  const known = KNOWN.find((name) => lower.includes(name.toLowerCase()))
  if (known !== undefined) return known
  const robot = /[a-z][\w.-]{0,30}(?:bot|crawler|spider|fetcher|scraper)\b/i.exec(text)?.[0]
  if (robot !== undefined) return robot
  if (/^(?:mozilla|opera)\//i.test(text)) return BROWSERS
  return /^[\w.-]{1,40}/.exec(text.trim())?.[0] ?? NAMELESS
}

const MAX_CHARS = 200

/** One that gets a row however many others there are. */
export function isKnownCrawler(name: string): boolean {
  return FIXED.has(name)
}

const FIXED: ReadonlySet<string> = new Set([...KNOWN, OTHER_CRAWLERS, BROWSERS, NAMELESS])
