/**
 * URL rules: which parts of a query or path say who is looking rather than what is looked at.
 *
 * Tracking parameters and session ids give one page a thousand names. They are settings, not law: a site whose pages
 * really hang on `sid` is crawled with `dropSessionIds: false`.
 */
export interface UrlRules {
  /** Names of query parameters to drop, in any letter case; a trailing `*` makes the name a prefix. */
  readonly dropParameters: readonly string[]
  /** Drop session ids from query and path: `PHPSESSID=…`, `;jsessionid=…`, `/(S(…))/`. */
  readonly dropSessionIds: boolean
  /** A canonical URL longer than this is no URL to us. */
  readonly maxLength: number
}

export const defaultUrlRules: UrlRules = {
  // Each is set by a mail or advertising system on links that lead to the same page without it.
  dropParameters: [
    'utm_*', // Urchin, Google Analytics and everybody since
    'gclid', // Google Ads, with its successors for apps
    'gclsrc',
    'gbraid',
    'wbraid',
    'dclid', // Google Display
    'fbclid', // Facebook
    'msclkid', // Microsoft Advertising
    'twclid', // X
    'ttclid', // TikTok
    'li_fat_id', // LinkedIn
    'igshid', // Instagram
    'yclid', // Yandex
    'ysclid',
    '_openstat',
    'mc_cid', // Mailchimp
    'mc_eid',
    'mkt_tok', // Marketo
    '_hsenc', // HubSpot
    '_hsmi',
    '__hs*',
    'vero_id', // Vero
    '_ga', // Google Analytics across domains
    '_gl',
  ],
  dropSessionIds: true,
  // RFC 9110 §4.1 asks everybody to take at least 8,000 octets. What is too long to be worth a visit is decided later.
  maxLength: 8_000,
}

/** Parameters that are session ids whatever their value. */
const SESSION_NAMES: readonly string[] = [
  'phpsessid',
  'jsessionid',
  'aspsessionid*', // the server adds eight letters of its own
  'cfid', // ColdFusion sends the pair
  'cftoken',
  'oscsid', // osCommerce
  'zenid', // Zen Cart
]
/** Names that others use for innocent things too; only a value of many hex digits gives a session away. */
const LONG_HEX_SESSION = '(?:sid|s|sessid|session|sessionid|session_id)=[0-9a-f]{16,}(?=&|$)'

/** `;jsessionid=…` on any segment. The value ends at the next `;` or `/`, so a removal never joins halves of one. */
const PATH_SESSION = /;(?:jsessionid|phpsessid)=[^;/]*/gi
/** A whole segment of ASP.NET's cookieless tickets: `/(S(24 letters))`, also several in one. */
const PATH_TICKET = /\/\((?:[a-z]\([0-9a-z]{24,}\))+\)(?=\/)/gi

/** `query` (without its `?`) less the parameters that `rules` drop; the very same text when there are none. */
export function keptQuery(query: string, rules: UrlRules): string {
  const dropped = droppedBy(rules)
  if (!dropped.test(query)) return query
  const kept = query.split('&').filter((parameter) => !dropped.test(parameter))
  return kept.join('&')
}

/** `path` less its session ids. May leave a dot segment behind (`/..;jsessionid=1/`): parse the result again. */
export function keptPath(path: string, rules: UrlRules): string {
  if (!rules.dropSessionIds || !(path.includes(';') || path.includes('/('))) return path
  return path.replace(PATH_SESSION, '').replace(PATH_TICKET, '')
}

const compiled = new WeakMap<UrlRules, RegExp>()

/** One expression for all names: this runs for every link with a query, and nearly always finds nothing. */
function droppedBy(rules: UrlRules): RegExp {
  const known = compiled.get(rules)
  if (known !== undefined) return known
  const names = [...rules.dropParameters, ...(rules.dropSessionIds ? SESSION_NAMES : [])].map(nameSource)
  if (rules.dropSessionIds) names.push(LONG_HEX_SESSION)
  // Without any name an expression that matches nothing.
  const made = new RegExp(names.length === 0 ? '(?!)' : `(?:^|&)(?:${names.join('|')})`, 'i')
  compiled.set(rules, made)
  return made
}

function nameSource(name: string): string {
  return name.endsWith('*') ? RegExp.escape(name.slice(0, -1)) : `${RegExp.escape(name)}(?=[=&]|$)`
}
