/**
 * Credential fields: which fields of a request say who asks. Whoever is known to a server may be shown what others are not, and
 * nothing in the answer need say so; so neither a gateway nor a site makes such an answer known to anybody.
 *
 * Tables: names of standards and products, beginnings that a product's names share, words that make any name one
 * (`Acme-Session-Token`, `X-Verified-User`), and the ordinary names that have such a word and say nothing. Cookies are no part of
 * them: who uses this has rules of its own for cookies. A field that is taken for a credential and is none costs one page, until
 * somebody else asks for it.
 */
import type { HeaderList } from '../capture.ts'

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
  'remote-name', // Authelia, Pangolin
  'remote-groups',
  'remote-role',
  'x-remote-group', // Kubernetes
  'x-authenticated-userid', // Kong
  'x-authenticated-groups',
  'x-consumer-id',
  'x-credential-identifier',
  'x-forwarded-groups',
  'eppn', // Shibboleth
  'client-cert', // RFC 9440
  'client-cert-chain',
  'x-client-cert',
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

/** Words of a name, between its dashes: what only somebody who is known has. */
const WORDS: ReadonlySet<string> = new Set([
  'auth',
  'authentication',
  'authorization',
  'authtoken',
  'accesstoken',
  'credential',
  'credentials',
  'creds', // WebSEAL
  'csrf',
  'jwt',
  'key',
  'oauth',
  'oauth2',
  'otp',
  'passwd',
  'password',
  'saml',
  'secret',
  'session',
  'sessionid',
  'sid',
  'sso',
  'ticket',
  'token',
  'xsrf',
])
/** The same: who it is that is known. Servers in front write some of these for everybody. */
const IDENTITY_WORDS: ReadonlySet<string> = new Set([
  'account',
  'claims',
  'dn',
  'email',
  'identity',
  'login',
  'principal',
  'uid',
  'upn',
  'user',
  'userdn',
  'userid',
  'userinfo',
  'username',
])

/** Ordinary names that have such a word: of browsers, of content networks, and of those who send something twice. */
const ORDINARY =
  /^sec-(?:ch|fetch|websocket)-|(?:^|-)user-(?:agent|ip|country|language)$|(?:^|-)(?:idempotency|surrogate|cache)-key$/

/** What stands in such a field when nobody is known: of nginx, of Apache, of WebSEAL, of those who write a dash. */
const NOBODY = /^(?:\(null\)|none|-|anonymous|unauthenticated)?$/i

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
export function isCredentialName(name: string, more: ReadonlySet<string> = NONE): boolean {
  const plain = plainName(name)
  return more.has(plain) || kindOf(plain) !== 'none'
}

const NONE: ReadonlySet<string> = new Set()

function isCredential(name: string, value: string, more: ReadonlySet<string>): boolean {
  if (more.has(name)) return true
  const kind = kindOf(name)
  return kind === 'own' || (kind === 'identity' && !NOBODY.test(value.trim()))
}

/** `own`: by a client. `identity`: by a server in front, of whoever it knows. */
type Kind = 'own' | 'identity' | 'none'

/** Asked for every field of every request, and nearly all of them are the same few. */
function kindOf(name: string): Kind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = foundKind(name)
  if (kinds.size < MOST_KINDS && name.length < 100) kinds.set(name, kind)
  return kind
}

const kinds = new Map<string, Kind>()
const MOST_KINDS = 1_000

function foundKind(name: string): Kind {
  if (NAMES.has(name)) return 'own'
  if (IDENTITIES.has(name) || BEGINNINGS.some((beginning) => name.startsWith(beginning))) return 'identity'
  if (ORDINARY.test(name)) return 'none'
  const words = name.split('-')
  if (words.some((word) => WORDS.has(word))) return 'own'
  return words.some((word) => IDENTITY_WORDS.has(word)) ? 'identity' : 'none'
}

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
