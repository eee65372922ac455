/**
 * Site override: what differs for some sites. Politeness, budgets and the way out go by host, as its owner is one; what is
 * secret goes by origin (scheme, host and port, RFC 6454): another port of the same host may be another's server, and plain
 * HTTP is read by everybody on the way. So headers, cookies and passwords need an `origin`, and reach no other.
 *
 * Every header that was configured counts as a secret, whatever its name: nobody can list the names of all API keys. It is
 * sent, and its value is written nowhere.
 */
import { matchesSite } from '@comity/protocol'
import type { SiteUrlRules } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'

/**
 * What differs for some sites: those of an origin, or of a host. The first that matches counts. What makes two URLs one page must not
 * hang on who has a password or a delay, so there the first counts that matches and says something of it.
 */
export interface SiteOverride extends SiteUrlRules {
  readonly delayMs?: number
  readonly pagesPerConnection?: number
  readonly maxPages?: number
  readonly maxBytes?: number
  /** Clicks from a start page. */
  readonly maxDepth?: number
  /** These go to an origin alone. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cookie?: string
  /** `user:password` for basic authentication. */
  readonly basicAuth?: string
  readonly proxy?: string
  readonly insecureTls?: boolean
}

/** The override for the site of a URL or origin, if any. */
export function overrideFor(sites: readonly SiteOverride[], url: string): SiteOverride | undefined {
  return sites.length === 0 ? undefined : sites.find((site) => matchesSite(site, url))
}

/** What a site is told alone, by names in lower case. */
export function secretHeaders(sites: readonly SiteOverride[], origin: string): Record<string, string> {
  const { headers = {}, cookie, basicAuth } = overrideFor(sites, origin) ?? {}
  return {
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(cookie === undefined ? {} : { cookie }),
    ...(basicAuth === undefined ? {} : { authorization: `Basic ${Buffer.from(basicAuth).toString('base64')}` }),
  }
}

/** An origin as requests know it, or what is wrong with this one, as the rest of a sentence. */
export function parseOrigin(text: string): { readonly origin: string } | { readonly problem: string } {
  const url = URL.parse(text)
  const isBare = url !== null && /^\/?$/.test(url.pathname) && !/[?#@]/.test(text)
  if (!isBare || !/^https?:$/.test(url.protocol) || /\*/.test(url.host.replace(/^\*\./, ''))) {
    return {
      problem: 'is no origin: write https://www.example.org, http://www.example.org:8080 or https://*.example.org',
    }
  }
  return { origin: url.origin }
}

/** Complains about an override that cannot be meant; what may be secret is not quoted. */
export function requireSiteOverride(site: SiteOverride): void {
  const { host, origin } = site
  if ((host === undefined) === (origin === undefined))
    throw optionInvalid('A site has a host or an origin, one of them.')
  if (origin === undefined) {
    if (SECRETS.some((key) => site[key] !== undefined))
      throw optionInvalid(`The site ${host} ${secretsNeedOrigin(host!)}.`)
    return
  }
  const parsed = parseOrigin(origin)
  if ('problem' in parsed) throw optionInvalid(`The origin of a site, "${origin}", ${parsed.problem}.`)
  if (parsed.origin !== origin) throw optionInvalid(`Write the origin ${parsed.origin}, not ${origin}.`)
  for (const [name, value] of Object.entries(secretHeaders([site], origin))) {
    if (!isFieldName(name) || !isFieldValue(value))
      throw optionInvalid(`A header for ${origin} cannot be sent: ${name}.`)
  }
}

const SECRETS = ['headers', 'cookie', 'basicAuth'] as const

/** What to do about an entry of old, which had secrets for a host: the rest of a sentence. */
export const secretsNeedOrigin = (host: string): string =>
  'has headers, a cookie or a password, which go to one origin and not to every port of a host: instead of "host" write ' +
  `"origin": "https://${host}", with http:// or a port if it is there`

/** RFC 9110 §5.1: a field name is a token. */
export const isFieldName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)
/** RFC 9110 §5.5, without what is not ASCII. */
export const isFieldValue = (value: string): boolean => /^[\x20-\x7e\t]*$/.test(value)

/** Stands where a secret stood, so that an archive says that there was one. */
const LEFT_OUT = '(left out)'
/** Secret whoever set them. */
const ALWAYS_SECRET: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

/** Headers as they may be written down. */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
  secrets: object,
): [name: string, value: string][] {
  return Object.entries(headers).map(([name, value]) => {
    const key = name.toLowerCase()
    return [name, ALWAYS_SECRET.has(key) || Object.hasOwn(secrets, key) ? LEFT_OUT : value]
  })
}
