/**
 * Credential fields: which fields of a request say who asks. Whoever is known to a server may be shown what others are not, and
 * nothing in the answer need say so; so neither a gateway nor a site makes such an answer known to anybody.
 *
 * Three tables: names of standards and products, beginnings that a product's names share, and words that make any name one
 * (`Acme-Session-Token`). Cookies are no part of them: who uses this has rules of its own for cookies. A field that is taken for a
 * credential and is none costs one page, until somebody else asks for it.
 */
import type { HeaderList } from './capture.ts'

/** By clients, as they are. Written with dashes, compared without regard to case, and to underscores. */
const NAMES: ReadonlySet<string> = new Set([
  'authorization', // RFC 9110 §11.6.2
  'proxy-authorization', // §11.7.1
  'dpop', // RFC 9449
  'x-wsse', // Atom, and what came of it
  'x-payment', // x402: what was paid for is not for everybody
  'payment-signature',
  'x-apikey',
  'apikey',
  'ocp-apim-subscription-key', // Azure API Management
  'x-functions-key',
  'x-zumo-auth',
  'x-amz-security-token', // AWS, also when the rest is in the address
  'x-wp-nonce', // WordPress, of whoever is logged in
  'x-trackertoken', // Pivotal Tracker
  'x-csrftoken', // Django
  'x-userinfo', // Kong, APISIX
  'x-endpoint-api-userinfo', // Google Cloud Endpoints
  'x-apigateway-api-userinfo',
])

/** By servers in front, of whoever they know: there is a field for everybody, and `(null)` in it for strangers. */
const IDENTITIES: ReadonlySet<string> = new Set([
  'remote-user', // CGI (RFC 3875 §4.1.11), Authelia, Pangolin
  'remote-name',
  'remote-email',
  'remote-groups',
  'remote-role',
  'x-remote-user', // Kubernetes
  'x-remote-group',
  'x-webauth-user', // Grafana
  'x-proxy-user',
  'x-user',
  'x-username',
  'x-user-id',
  'x-user-email',
  'x-email',
  'x-authenticated-user',
  'x-authenticated-userid', // Kong
  'x-authenticated-groups',
  'x-consumer-id',
  'x-consumer-username',
  'x-credential-identifier',
  'x-forwarded-user', // oauth2-proxy
  'x-forwarded-email',
  'x-forwarded-groups',
  'x-forwarded-login',
  'x-forwarded-preferred-username',
  'sm-user', // SiteMinder
  'sm-userdn',
  'eppn', // Shibboleth
  'client-cert', // RFC 9440
  'client-cert-chain',
  'x-client-cert',
  'x-client-dn',
  'x-client-verify',
  'x-ssl-cert',
  'x-arr-clientcert', // IIS
  'x-forwarded-client-cert', // Envoy
  'x-forwarded-tls-client-cert', // Traefik
  'x-forwarded-tls-client-cert-info',
])

/** The same, for products that give each fact a field of its own. */
const BEGINNINGS: readonly string[] = [
  'x-auth-request-', // oauth2-proxy
  'x-authentik-',
  'x-pomerium-',
  'x-goog-authenticated-user-', // Google's Identity-Aware Proxy
  'x-goog-iap-',
  'x-ms-client-principal', // Azure App Service
  'x-amzn-oidc-', // AWS load balancers
  'x-amzn-mtls-clientcert',
  'cf-access-', // Cloudflare
  'tailscale-user-',
  'oidc-', // mod_auth_openidc
  'shib-', // Shibboleth
  'x-hasura-',
  'x-remote-extra-',
  'x-ssl-client', // nginx and HAProxy, as their manuals have it
  'ssl-client',
  'x-client-cert-',
  'x-tls-client',
]

/** Words of a name, between its dashes. */
const WORDS: ReadonlySet<string> = new Set([
  'auth',
  'authentication',
  'authorization',
  'authtoken',
  'accesstoken',
  'credential',
  'credentials',
  'csrf',
  'jwt',
  'passwd',
  'password',
  'saml',
  'secret',
  'session',
  'sessionid',
  'sid',
  'sso',
  'token',
  'xsrf',
])
const KEYS = /(?:^|-)(?:api|access|auth|user|account|app|client|license|subscription)-key$/

/** What stands in such a field when nobody is known: of nginx, of Apache, of those who write a dash. */
const NOBODY = /^(?:\(null\)|none|-|anonymous)?$/i

const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/** `more`: names that an operator adds, in any case. */
export function credentialNames(more: readonly string[] = []): ReadonlySet<string> {
  return new Set(more.map(plainName))
}

/** The first field of a request that says who asks; undefined when none does. */
export function credentialField(headers: HeaderList, more: ReadonlySet<string> = NONE): string | undefined {
  return headers.find(([name, value]) => isCredential(plainName(name), value, more))?.[0]
}

/** Whether a name is one that says who asks, whatever its value: for `Vary`. */
export const isCredentialName = (name: string, more: ReadonlySet<string> = NONE): boolean =>
  isOwn(plainName(name), more) || isIdentity(plainName(name))

const NONE: ReadonlySet<string> = new Set()

function isCredential(name: string, value: string, more: ReadonlySet<string>): boolean {
  return isOwn(name, more) || (isIdentity(name) && !NOBODY.test(value.trim()))
}

function isOwn(name: string, more: ReadonlySet<string>): boolean {
  if (more.has(name)) return true
  const known = owned.get(name)
  if (known !== undefined) return known
  const isOne =
    NAMES.has(name) || (!isIdentity(name) && (KEYS.test(name) || name.split('-').some((word) => WORDS.has(word))))
  if (owned.size < MOST_OWNED && name.length < 100) owned.set(name, isOne)
  return isOne
}

/** Asked for every field of every request, and nearly all of them are the same few. */
const owned = new Map<string, boolean>()
const MOST_OWNED = 1_000

const isIdentity = (name: string): boolean =>
  IDENTITIES.has(name) || BEGINNINGS.some((beginning) => name.startsWith(beginning))

/** Schemes whose credentials go with each request; all others may make the connection itself somebody's. */
const EACH_REQUEST =
  /^(?:basic|bearer|digest|dpop|hoba|hawk|mac|token|apikey|signature|gnap|vapid|privatetoken|concealed|scram-[\w-]+|aws[\w-]+)(?:\s|,|$)/i

/**
 * Whether an exchange may make a connection somebody's (NTLM, Negotiate: MS-NTHT §3.2.5, RFC 4559 §5): from then on requests on it
 * need no credentials, and it must serve nobody else. A scheme that is not known counts as one.
 */
export function bindsConnection(request: HeaderList, response: HeaderList): boolean {
  const given = fieldsOf(request, CREDENTIALS).some((value) => !EACH_REQUEST.test(value.trim()))
  return given || fieldsOf(response, CHALLENGES).some((value) => BINDING.test(value))
}

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization'])
const CHALLENGES: ReadonlySet<string> = new Set(['www-authenticate', 'proxy-authenticate'])
/** In a list of challenges a scheme stands at its beginning, or behind a comma. */
const BINDING = /(?:^|,)\s*(?:ntlm|negotiate|kerberos)\b/i

const fieldsOf = (headers: HeaderList, wanted: ReadonlySet<string>): string[] =>
  headers.filter(([name]) => wanted.has(name.toLowerCase())).map(([, value]) => value)
