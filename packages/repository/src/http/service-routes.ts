/** Service routes: for whoever keeps the server running, and for programs that want to know how to ask. */
import { readFileSync } from 'node:fs'
import type { Metrics, ServerGauges } from './metrics.ts'
import { openSearchDescription } from './opensearch.ts'
import { Problem } from '@comity/receiver'
import type { Repository } from '../repository.ts'
import { json } from './route.ts'
import type { Answer, Route } from './route.ts'
import { soon } from '../soon.ts'

interface ServiceParts {
  readonly repository: Repository
  readonly metrics: Metrics
  readonly gauges: () => ServerGauges
  readonly isStopping: () => boolean
}

/** A first look at a large collection takes a while; whoever asks is not kept waiting for it. */
const READY_WAIT_MS = 1_000

export function serviceRoutes({ repository, metrics, gauges, isStopping }: ServiceParts): Route[] {
  const openapi = readFileSync(new URL('./openapi.json', import.meta.url))
  return [
    get('/healthz', () => json({ status: 'ok' })),
    get('/readyz', () => ready(repository, isStopping())),
    get('/metrics', async () => {
      const statistics = await soon(repository.statistics(), READY_WAIT_MS).catch(() => undefined)
      return { type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics.text(gauges(), statistics) }
    }),
    get('/openapi.json', () => ({ type: 'application/json; charset=utf-8', body: openapi })),
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

async function ready(repository: Repository, isStopping: boolean): Promise<Answer> {
  if (isStopping) throw new Problem('not-ready', 'The server is stopping.')
  // A survey that fails is no reason to die, and none to be sent requests.
  const counts = await soon(repository.counted(), READY_WAIT_MS).catch(() => undefined)
  if (counts !== undefined) return json({ status: 'ready' })
  throw new Problem('not-ready', 'The collection is being looked through for the first time.', { 'Retry-After': '2' })
}
