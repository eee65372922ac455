/** ObservedExchange sample, for tests: a request and its answer as they may go by, with what a test wants to be otherwise. */
import { SeenExchange } from '../node/seen-exchange.ts'
import { gateDefaults } from '../privacy/privacy-gate.ts'
import type { HeaderList } from '@comity/protocol'
import type { ObservedExchange } from '../http/observed-exchange.ts'

export interface ExchangeChange {
  readonly ask?: Readonly<Record<string, string>>
  readonly answer?: Readonly<Record<string, string>>
  readonly method?: string
  readonly status?: number
  readonly url?: string
  readonly body?: string | Uint8Array
  readonly client?: string
  readonly server?: string
  readonly verdict?: ObservedExchange['verdict']
  readonly authentication?: ObservedExchange['authentication']
  readonly serverPort?: number
  readonly at?: number
}

export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PAGE = '<title>A page</title><p>for everybody'

const fields = (given: Readonly<Record<string, string>> = {}): HeaderList => Object.entries(given)

export function sampleExchange(change: ExchangeChange = {}): ObservedExchange {
  const { url = 'http://www.site.example/page', at = 1_700_000_000_000, status = 200, method = 'GET' } = change
  const { pathname, search, host } = new URL(url)
  const hasBody = method !== 'HEAD' && status !== 304
  return {
    at,
    endedAt: at,
    client: change.client ?? '198.51.100.7',
    server: change.server ?? '192.0.2.80',
    serverPort: change.serverPort ?? 80,
    authentication: change.authentication ?? 'none',
    request: {
      kind: 'request',
      method,
      target: `${pathname}${search}`,
      version: '1.1',
      headers: [['Host', host], ...fields({ 'User-Agent': BROWSER, ...change.ask })],
      doubts: [],
      isFramingOdd: false,
    },
    url,
    response: {
      kind: 'response',
      status,
      version: '1.1',
      headers: fields({ ...(hasBody ? { 'Content-Type': 'text/html; charset=utf-8' } : {}), ...change.answer }),
      doubts: [],
      isFramingOdd: false,
    },
    body: Buffer.from(hasBody ? (change.body ?? PAGE) : ''),
    verdict: change.verdict ?? 'whole',
  }
}

/** The same, to be judged. */
export const seenExchange = (change: ExchangeChange = {}): SeenExchange => {
  const observed = sampleExchange(change)
  return new SeenExchange(observed, observed.url, { ...gateDefaults, judgedBy: '' })
}
