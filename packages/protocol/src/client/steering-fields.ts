/**
 * Steering fields: what a request may carry to be answered for another address, another method or another host than its first line
 * says, or with a part of the page alone. Whoever learns pages from answers that others asked for must not learn those: the asker
 * would choose what is known of a page. A body does the same where programs take parameters from either place.
 *
 * Names that proxies write into every request (`X-Forwarded-Proto`, `-Prefix`, `-Server`) are none of them: whoever wants to know
 * a proxy's word from a client's takes theirs away.
 */
import type { HeaderList } from '../capture.ts'

/** They make frameworks answer for another address or another method. */
const ELSEWHERE = [
  'x-original-url', // IIS, Symfony, Zend
  'x-original-uri',
  'x-rewrite-url',
  'x-rewrite-uri',
  'x-request-uri',
  'request-uri',
  'x-override-url',
  'x-http-destinationurl',
  'x-http-path-override',
  'x-forwarded-uri',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-middleware-rewrite', // Next.js, as are the three below
  'x-middleware-subrequest',
  'x-invoke-path',
  'x-matched-path',
  'x-now-route-matches', // Vercel
] as const

/** They ask for a part of a page, or for what a script makes it of. */
const IN_PART = [
  'x-requested-with', // jQuery and whoever came after it
  'x-pjax',
  'turbo-frame',
  'hx-request', // htmx
  'x-up-target', // Unpoly
  'x-inertia',
  'x-livewire',
  'datastar-request',
  'rsc', // React
  'next-router-state-tree',
  'next-router-prefetch',
  'x-nextjs-data',
] as const

export const STEERING_FIELDS: readonly string[] = [...ELSEWHERE, ...IN_PART]

/** What stands for Host elsewhere, as long as it says another one. Some proxies write these, with the host that was asked for. */
export const HOST_FIELDS: readonly string[] = ['x-forwarded-host', 'x-host', 'x-original-host', 'x-http-host-override']

const STEERING: ReadonlySet<string> = new Set(STEERING_FIELDS)
const HOSTS: ReadonlySet<string> = new Set(HOST_FIELDS)

/** `host`: name and port that was asked for. What stands for it elsewhere must say the same. */
export function isSteered(request: HeaderList, host: string): boolean {
  return request.some(([written, value]) => {
    const name = written.toLowerCase().replaceAll('_', '-')
    if (HOSTS.has(name)) return value.trim().toLowerCase() !== host.toLowerCase()
    return STEERING.has(name) || isOfBody(name, value)
  })
}

/** A length of none is none. */
const isOfBody = (name: string, value: string): boolean =>
  name === 'transfer-encoding' || (name === 'content-length' && value.trim() !== '0')
