/**
 * Ledger server: the ledger over HTTP, for the owner on this machine or its network. What crawlers ask for is nobody else's
 * business, and that includes pages of strangers in the owner's own browser (`client/own-host.ts` of the protocol).
 *
 *   /              for people          /ledger.json      for programs
 *   /push.json     who is sent what, where anybody is
 *   /proxy.json    what came through a proxy, and what it refused
 *   /refused.json  who was turned away or asked to come later, by reason
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import { isAskedFromElsewhere, ownHost, ownValue } from '@comity/protocol'
import type { AskedFor, Instant } from '@comity/protocol'
import type { Prices } from './cost-section.ts'
import { ledgerJson, ledgerPage } from './ledger-page.ts'
import type { LedgerRows } from './ledger.ts'

export interface LedgerParts {
  readonly store: () => LedgerRows
  /** Address of the site, for the heading. */
  readonly base: string
  /** Names that it may be asked for by, besides addresses and localhost. */
  readonly hostNames: readonly string[]
  /** What the owner pays; usual prices unless given. */
  readonly prices?: Prices | undefined
  readonly now?: (() => Instant) | undefined
  /** What is told at /push.json; undefined when nobody is sent anything. */
  readonly push?: (() => unknown) | undefined
  /** What is told at /proxy.json; undefined when there is none. */
  readonly proxy?: (() => unknown) | undefined
  /** What is told at /refused.json; undefined when nobody counts. */
  readonly refused?: (() => unknown) | undefined
}

interface LedgerAnswer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const SAFE = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

export function ledgerHandler(parts: LedgerParts): RequestListener {
  return (request, response) => {
    const { status, type, body } = refusal(request, parts.hostNames) ?? answerFor(request.url ?? '/', parts)
    response.writeHead(status, { ...SAFE, 'content-type': type }).end(body)
  }
}

function refusal({ method = 'GET', headers }: IncomingMessage, names: readonly string[]): LedgerAnswer | undefined {
  const asked: AskedFor = { method, header: (name) => valueOf(headers, name) }
  const host = ownHost(asked, names)
  if (host === undefined)
    return sentence(421, 'The ledger answers to its address and to localhost; --ledger NAME:PORT gives it a name.')
  return isAskedFromElsewhere(asked, host)
    ? sentence(403, "Another site's page asks for this. Open the ledger itself instead.")
    : undefined
}

function answerFor(url: string, { store, base, prices, now, push, proxy, refused }: LedgerParts): LedgerAnswer {
  if (url === '/')
    return { status: 200, type: 'text/html; charset=utf-8', body: ledgerPage(store(), base, { prices, now: now?.() }) }
  if (url === '/ledger.json') return json(ledgerJson(store()))
  if (url === '/push.json' && push !== undefined) return json(JSON.stringify(push()))
  if (url === '/proxy.json' && proxy !== undefined) return json(JSON.stringify(proxy()))
  if (url === '/refused.json' && refused !== undefined) return json(JSON.stringify(refused()))
  return sentence(404, 'The ledger is at / and /ledger.json.')
}

const json = (body: string): LedgerAnswer => ({ status: 200, type: 'application/json', body })

const sentence = (status: number, text: string): LedgerAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${text}\n`,
})

function valueOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = ownValue(headers, name)
  return Array.isArray(value) ? value.join(', ') : value
}
