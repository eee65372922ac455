/** Service routes: for whoever keeps the server running, and for programs that want to know how to ask. */
import { readFileSync } from 'node:fs'
import type { Metrics, ServerGauges } from './metrics.ts'
import { openSearchDescription } from './opensearch.ts'
import { Problem } from '@comity/receiver'
import type { Statistics } from '../model/models.ts'
import { json } from './route.ts'
import type { Answer, Route } from './route.ts'
import { soon } from '../soon.ts'

interface ServiceParts {
  /** Of a collection, for monitors. */
  readonly statistics: (() => Promise<Statistics>) | undefined
  /** What has to be known before anything can be answered. */
  readonly look: () => Promise<unknown>
  readonly metrics: Metrics
  readonly gauges: () => ServerGauges
  readonly isStopping: () => boolean
  /** All of the server. */
  readonly routes: () => readonly Route[]
}

/** A first look at a large collection takes a while; whoever asks is not kept waiting for it. */
const READY_WAIT_MS = 1_000

export function serviceRoutes({ statistics, look, metrics, gauges, isStopping, routes }: ServiceParts): Route[] {
  return [
    get('/healthz', () => json({ status: 'ok' })),
    get('/readyz', () => ready(look, isStopping())),
    get('/metrics', async () => {
      const found = statistics && (await soon(statistics(), READY_WAIT_MS).catch(() => undefined))
      return { type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics.text(gauges(), found) }
    }),
    get('/openapi.json', () => ({ type: 'application/json; charset=utf-8', body: described(routes()) })),
    get('/opensearch.xml', ({ base }) => ({
      type: 'application/opensearchdescription+xml; charset=utf-8',
      body: openSearchDescription(base),
    })),
    // What is stored here belongs to others, whose own sites are there to be crawled.
    get('/robots.txt', () => ({ type: 'text/plain; charset=utf-8', body: 'User-agent: *\nDisallow: /\n' })),
  ]
}

function get(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path, audience: 'program', parameters: [], answer }
}

const openapi = new URL('./openapi.json', import.meta.url)

/** What of the description is served here: a collection has paths that a cluster has not, and the other way round. */
function described(routes: readonly Route[]): string {
  const description = JSON.parse(readFileSync(openapi, 'utf8')) as { readonly paths: Readonly<Record<string, unknown>> }
  const served = new Set(routes.map(({ path }) => path))
  const paths = Object.fromEntries(Object.entries(description.paths).filter(([path]) => served.has(path)))
  return JSON.stringify({ ...description, paths }, null, 2)
}

async function ready(look: () => Promise<unknown>, isStopping: boolean): Promise<Answer> {
  if (isStopping) throw new Problem('not-ready', 'The server is stopping.')
  // A survey that fails is no reason to die, and none to be sent requests.
  const counts = await soon(look(), READY_WAIT_MS).catch(() => undefined)
  if (counts !== undefined) return json({ status: 'ready' })
  throw new Problem('not-ready', 'What is served here is being looked through for the first time.', {
    'Retry-After': '2',
  })
}
