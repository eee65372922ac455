/** Host patterns: `www.example.org`, `www.example.org:8080`, `*.example.org` for all below it. */
import { shippedLimits } from '@comity/index'
import { canonicalUrl, defaultUrlRules } from '@comity/protocol'

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

/** Whether the address of a page carries somebody's session, which its canonical form leaves out. */
export const carriesSession = (url: string): boolean =>
  canonicalUrl(url) !== canonicalUrl(url, undefined, WITH_SESSIONS)
