/**
 * Site: what a page stands on, by its canonical URL. `https://example.org:8443` is a site, its origin (RFC 6454); `example.org` is its
 * host; and a pattern says for which sites a setting is meant.
 */
import { getDomain } from 'tldts'

/** The site of a canonical URL: `scheme://host[:port]`, its origin. The key of the page is what follows it. */
export function siteOf(url: string): string {
  const end = url.indexOf('/', url.indexOf('://') + 3)
  return end < 0 ? url : url.slice(0, end)
}

/** The host of a canonical URL, without its port; an IPv6 address keeps its brackets. */
export function hostOf(url: string): string {
  const site = siteOf(url)
  const start = site.indexOf('://') + 3
  const colon = site.lastIndexOf(':')
  return colon < start || site.endsWith(']') ? site.slice(start) : site.slice(start, colon)
}

/**
 * What one owner has registered: the public suffix and one label (publicsuffix.org). Suffixes that companies offer
 * count as well, so `a.github.io` and `b.github.io` have two owners. An IP address, or a host that has nothing above
 * a public suffix, is its own domain.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

export interface SitePattern {
  /** On every port of it; `*.example.org` matches subdomains and the domain itself. */
  readonly host?: string
  /** `https://example.org`, `http://example.org:8080` or `https://*.example.org`: instead of `host`. */
  readonly origin?: string
}

/** Whether the site of a canonical URL, or an origin, is one of those that are meant. */
export function matchesSite({ host = '', origin }: SitePattern, url: string): boolean {
  return origin === undefined ? isHostLike(host, hostOf(url)) : isOriginLike(origin, siteOf(url))
}

const isHostLike = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) || host === pattern.slice(2) : host === pattern

function isOriginLike(pattern: string, origin: string): boolean {
  const star = pattern.indexOf('://*.')
  if (star === -1) return origin === pattern
  const scheme = pattern.slice(0, star + 3)
  return origin.startsWith(scheme) && isHostLike(pattern.slice(scheme.length), origin.slice(scheme.length))
}
