/** Delivery ledger: what a delivery cost, as an entry of the ledger, beside what its pages would have cost one by one. */
import type { DeliveryReport } from './delivery.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'

/** Undefined for what cost nothing, as nobody was called. */
export function sentEntry({
  subscriber,
  requests,
  bytes,
  cpuMs,
  pages,
  pageBytes,
}: DeliveryReport): LedgerEntry | undefined {
  if (requests === 0) return undefined
  const { scheme, address } = subscriber
  const called = URL.parse(address)?.hostname ?? ''
  return { scheme: `sent-${scheme}`, agent: '', called, requests, bytes, cpuMs, pages, pageBytes }
}
