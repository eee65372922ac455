/**
 * URL identity: two spellings of one address become the same text.
 *
 * The WHATWG parser does the most of it (scheme and host in lower case, IDN as punycode, default ports, dot segments,
 * stray backslashes and blanks). On top of it:
 *
 *   fragment, userinfo, empty query       dropped: they never reach the server, or name the visitor
 *   dots at the end of the host           dropped: the same host, written absolute (RFC 1034 §3.1)
 *   %7e, %C3%a9                           ~, %C3%A9 (RFC 3986 §6.2.2; see percent-encoding.ts)
 *   tracking parameters, session ids      dropped by `UrlRules`, which may say something else of a site (url-rules.ts)
 *
 * What we leave alone, because sites give it meaning: the order of parameters, `//` in paths, a slash at the end,
 * `www.`, `index.html`, http against https.
 *
 * It is a function of the URL and the rules and of nothing else. Whoever asks for a collection asks with the rules that the
 * collection keeps (`urlRules`): by others a page of it may have another name.
 *
 * Invariant: canonicalUrl(canonicalUrl(x)) === canonicalUrl(x), by the same rules.
 */
import { normalizePercentEncoding } from './percent-encoding.ts'
import { defaultUrlRules, keptPath, keptQuery } from './url-rules.ts'
import type { UrlRules } from './url-rules.ts'

/** The canonical absolute URL, or undefined when `raw` is not http(s), cannot be parsed or is too long. */
export function canonicalUrl(raw: string, base?: string, rules: UrlRules = defaultUrlRules): string | undefined {
  // A link may be longer than what remains of it (a fragment, tracking), but a megabyte of `data:` is not worth a look.
  if (raw.length > MAX_INPUT_RATIO * rules.maxLength) return undefined
  const url = URL.parse(raw, base)
  if (url === null || !isWeb(url)) return undefined
  // Without its dots a host may be another kind of host (`0x7f..` an IPv4 address), so the parser must see it again.
  const host = url.hostname.endsWith('.') ? url.host.replace(DOTS_AT_END, '') : url.host
  if (host !== url.host) return canonicalUrl(`${url.protocol}//${host}${url.pathname}${url.search}`, undefined, rules)
  const path = normalizePercentEncoding(url.pathname)
  const site = `${url.protocol}//${host}`
  const kept = keptPath(path, rules, site)
  if (kept !== path) return canonicalUrl(`${site}${kept}${url.search}`, undefined, rules)
  const query = url.search.length > 1 ? keptQuery(normalizePercentEncoding(url.search.slice(1)), rules, site) : ''
  const canonical = `${site}${path}${query === '' ? '' : `?${query}`}`
  return canonical.length <= rules.maxLength ? canonical : undefined
}

/** Input up to this many times the longest canonical URL is parsed. */
export const MAX_INPUT_RATIO = 4

const DOTS_AT_END = /\.+(?=:\d+$|$)/

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}
