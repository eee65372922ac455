/**
 * An outgoing proxy, as intranets have them: plain requests are sent to it whole (RFC 9112 §3.2.2), TLS goes through a
 * tunnel that it opens (RFC 9110 §9.3.6), so it never sees what is inside.
 *
 * It is given names, not the addresses that we have found for them: it makes Host out of what it is asked for, and many go by
 * lists of names. So our look at an address holds as far as its resolver agrees with ours, which is said (`proxyCaveat`).
 */
import type { Socket } from 'node:net'
import type { CrawlOptions } from '../options.ts'

/** A connection through the proxy to `host:port`. Rejects with the code PROXY_REFUSED when the proxy says no. */
export async function tunnel(proxy: string, authority: string, timeoutMs: number): Promise<Socket> {
  // All of undici, which knows CONNECT, and only where somebody has a proxy.
  const { Client } = await import('undici')
  const client = new Client(new URL(proxy).origin, { connect: { timeout: timeoutMs }, headersTimeout: timeoutMs })
  try {
    const { statusCode, socket } = await client.connect({ path: authority, headers: proxyAuthorization(proxy) })
    if (statusCode >= 200 && statusCode < 300) return socket as unknown as Socket
    socket.on('error', () => undefined).destroy()
    throw refused(`the proxy answered ${statusCode} when asked to connect to ${authority}`)
  } catch (cause) {
    await client.destroy()
    throw (cause as { code?: unknown }).code === 'PROXY_REFUSED'
      ? cause
      : refused(`the proxy did not connect us to ${authority}: ${(cause as Error).message}`, cause)
  }
}

const refused = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code: 'PROXY_REFUSED' })

/** User and password of the proxy's URL, as the header wants them (RFC 7617). */
export function proxyAuthorization(proxy: string): Record<string, string> {
  const { username, password } = new URL(proxy)
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** What cannot be promised of a crawl through a proxy; undefined where there is none, or nothing is to be refused. */
export function proxyCaveat({
  proxy,
  sites = [],
  allowPrivate = false,
}: Partial<Pick<CrawlOptions, 'proxy' | 'sites' | 'allowPrivate'>>): string | undefined {
  if (allowPrivate === true || (proxy === undefined && sites.every((site) => site.proxy === undefined)))
    return undefined
  return (
    'the proxy looks names up by itself: those that we find at a private address are left alone, but its resolver may find ' +
    'another. Have it refuse addresses of your own networks, if it can reach any'
  )
}
