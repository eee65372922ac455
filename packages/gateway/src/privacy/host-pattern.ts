/** Host patterns: `www.example.org`, `www.example.org:8080`, `*.example.org` for all below it. */
import { shippedLimits } from '@comity/index/internal'
import { canonicalUrl, defaultUrlRules, firstUrlRules } from '@comity/protocol'

/** `host` as a URL has it: with its port unless that is the usual one. A pattern without a port is good for any. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  const name = host.toLowerCase()
  const bare = name.replace(/:\d+$/, '')
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase()
    const candidate = /:\d+$/.test(wanted) ? name : bare
    return wanted.startsWith('*.') ? candidate.endsWith(wanted.slice(1)) : candidate === wanted
  })
}

/** The canonical address that readers know a page by; `https`: hosts whose encryption somebody before us takes off. */
export function pageAddress(url: string | undefined, https: readonly string[] = []): string | undefined {
  const canonical = url === undefined ? undefined : canonicalUrl(url)
  if (canonical === undefined || canonical.length > shippedLimits.maxUrl) return undefined
  if (https.length === 0 || !matchesHost(https, new URL(canonical).host)) return canonical
  // The port that went without saying is another one now.
  return canonicalUrl(canonical.replace(/^http:/, 'https:'))
}

const WITH_SESSIONS = { ...defaultUrlRules, dropSessionIds: false }

/**
 * Whether the address of a page may carry somebody's session. A doubt is enough here: a long number behind `session` or `sid` is
 * part of what names the page, and nothing for everybody all the same, so the rules of version 1 are asked, too.
 */
export function carriesSession(url: string): boolean {
  const whole = canonicalUrl(url, undefined, WITH_SESSIONS)
  return [defaultUrlRules, firstUrlRules].some((rules) => canonicalUrl(url, undefined, rules) !== whole)
}
