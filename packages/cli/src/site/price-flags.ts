/** The flags that say what the owner of a site pays for what crawlers ask for. */
import type { Prices } from '@comity/site'
import type { FlagTable } from '../command.ts'
import { BadValue } from '../usage-error.ts'

export interface PriceSettings {
  readonly priceGb: number
  readonly priceRequests: number
  readonly currency: string
}

// oxfmt-ignore
export const priceFlags: FlagTable<PriceSettings> = {
  priceGb: { argument: 'PRICE', default: 0.09, shown: '0.09', parse: parsePrice, help: 'what a GB that is sent costs you' },
  priceRequests: { argument: 'PRICE', default: 0, shown: '0', parse: parsePrice, help: 'what a million requests cost you, where somebody charges for them' },
  currency: { argument: 'WORD', default: '$', shown: '$', parse: parseCurrency, help: 'what stands before sums of money: EUR' },
}

export const pricesOf = ({ priceGb, priceRequests, currency }: PriceSettings): Prices => ({
  gigabyte: priceGb,
  millionRequests: priceRequests,
  currency,
})

function parsePrice(text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(text)) throw new BadValue('is no price: write 0.09')
  return Number(text)
}

function parseCurrency(text: string): string {
  if (!/^[\p{L}\p{Sc}.]{1,5}$/u.test(text)) throw new BadValue('is no currency: write EUR, or a sign')
  return text
}
