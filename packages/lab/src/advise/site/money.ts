/**
 * Money, as 002 §6.4 counts it. A page with its pictures costs a site c_n for the network and c_p for the processor; a person's
 * view of it brings b. Bytes and processor time of a scheme are turned into so many of such pages. A page costs a crawler about
 * as much again, partly for its bytes and partly for what is done with it.
 */
import type { SchemeCost } from './schemes.ts'
import type { AdviseSiteSettings } from './settings.ts'

export interface Money {
  readonly network: number
  readonly processing: number
  /** Both. */
  readonly site: number
  readonly crawler: number
}

export interface Prices extends Pick<
  AdviseSiteSettings,
  'viewUsd' | 'networkUsd' | 'processingUsd' | 'pageBytes' | 'crawlerUsd' | 'downloadShare'
> {
  /** Processor time of the site for one page. */
  readonly pageMs: number
  /** Bytes of a page as crawlers get it, heads and all. */
  readonly exchangeBytes: number
}

export function moneyOf({ bytes, siteMs, pages }: SchemeCost, prices: Prices): Money {
  const network = (bytes / prices.pageBytes) * prices.networkUsd
  const processing = prices.pageMs === 0 ? 0 : (siteMs / prices.pageMs) * prices.processingUsd
  const download = prices.exchangeBytes === 0 ? 0 : (bytes / prices.exchangeBytes) * prices.downloadShare
  return {
    network,
    processing,
    site: network + processing,
    crawler: (download + pages * (1 - prices.downloadShare)) * prices.crawlerUsd,
  }
}

/** Views that bring what something costs, after they have paid for themselves. */
export const viewsFor = (amount: number, { viewUsd, networkUsd, processingUsd }: Prices): number =>
  Math.max(0, amount) / (viewUsd - networkUsd - processingUsd)

/** `$1.24`, `$0.000 31`: two digits that count below a cent. */
export function usd(amount: number): string {
  const sign = amount < 0 ? '−' : ''
  const size = Math.abs(amount)
  if (size === 0) return '$0'
  if (size >= 1_000) return `${sign}$${Math.round(size).toLocaleString('en')}`
  if (size >= 0.1) return `${sign}$${size.toFixed(2)}`
  return `${sign}$${Number(size.toPrecision(2)).toFixed(Math.min(12, 1 - Math.floor(Math.log10(size))))}`
}
