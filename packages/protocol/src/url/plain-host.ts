/**
 * Plain host: the one way to write a host and its port that pages are filed under (`url/canonical-url.ts`): lower case, no dots at
 * its end, no port that goes without saying. Servers may know a host in this spelling only, and say of the others that there is
 * nothing: who asks in a name of its own writes it plainly, who listens does not take one spelling for another.
 */
import { canonicalUrl } from './canonical-url.ts'

/** Of a `host[:port]` that has neither a user nor a path in it; undefined when it is none. */
export function plainHost(host: string, scheme: 'http' | 'https'): string | undefined {
  if (PLAIN.test(host) && !host.includes('xn--')) return host
  const site = canonicalUrl(`${scheme}://${host}/`)
  return site === undefined ? undefined : site.slice(scheme.length + '://'.length, -1)
}

/** What the parser would leave as it is: names with no port, the last label of which is no number. */
const PLAIN = /^(?:[a-z\d_-]{1,63}\.){0,10}[a-z][a-z\d_-]{0,62}$/
