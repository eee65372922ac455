/** The URL of an outgoing proxy. It may hold a password, so it is never shown whole. */
import { BadValue } from '../usage-error.ts'

export function parseProxy(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new BadValue('is no HTTP proxy: write http://host:port or http://user:password@host:port')
  }
  return url.href
}
