/** Tables of the advice for a site: its crawlers, the schemes, the tiers, and the units that all is computed from. */
import type { SiteAccounts } from './account.ts'
import { usd, viewsFor } from './money.ts'
import type { Prices } from './money.ts'
import { bestOf, savedShare, TIERS } from './savings.ts'
import type { SchemeSaving, SiteSavings } from './savings.ts'
import { ADVISED_SCHEMES } from './schemes.ts'
import type { Tier } from './schemes.ts'
import type { Cell, Table } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import type { SchemeUnits } from '../../cooperating/scheme-units.ts'

const MOST_CRAWLERS = 40

export function crawlerTable(id: string, { crawlers }: SiteAccounts, savings: SiteSavings): Table {
  const shown = crawlers.slice(0, MOST_CRAWLERS)
  return {
    id: `${id}-crawlers`,
    title: 'Crawlers',
    caption:
      (crawlers.length > shown.length ? `The ${shown.length} that asked the most, of ${crawlers.length}. ` : '') +
      'Requests for pages that came for the first time, that had changed, that had not (for nothing), and 304 answers; the rest are errors, redirects and robots.txt. The last columns: what the best scheme of each tier would save the site of what this crawler costs.',
    columns: [
      { label: 'crawler' },
      { label: 'for' },
      { label: 'requests' },
      { label: 'bytes', unit: 'bytes' },
      { label: 'first' },
      { label: 'changed' },
      { label: 'for nothing' },
      { label: '304' },
      { label: 'came in' },
      { label: 'little', unit: 'share' },
      { label: 'moderate', unit: 'share' },
      { label: 'more', unit: 'share' },
    ],
    rows: shown.map((account) => {
      const { name, purpose, requests, bytes, first, changed, needless, notModified, polls } = account
      const own = savings.crawlers.find((one) => one.account.name === name)!
      const saved = (tier: Tier): Cell => {
        const best = bestOf(tier, own.logged, own.schemes)
        return best === undefined ? 0 : savedShare(best.cost.money.site, own.logged.money.site)
      }
      const fetched = [first, changed, needless, notModified].map(({ count }) => count)
      const cells: Cell[] = [name, purpose, requests, bytes]
      return cells.concat(fetched, polls, TIERS.map(saved))
    }),
  }
}

export function schemeTable(id: string, { logged, schemes }: SiteSavings, prices: Prices, perYear: number): Table {
  const row = (name: string, tier: string, { cost }: Pick<SchemeSaving, 'cost'>): Cell[] => [
    name,
    tier,
    Math.round(cost.requests),
    cost.bytes,
    cost.siteMs / 1_000,
    savedShare(cost.bytes, logged.bytes),
    usd(cost.money.site * perYear),
    usd(cost.money.crawler * perYear),
    name === AS_LOGGED ? null : Math.ceil(viewsFor((cost.money.site - logged.money.site) * perYear, prices)),
  ]
  return {
    id: `${id}-schemes`,
    title: 'What each scheme would have cost',
    paperRef: '002 Tables 6.1 and 6.2',
    caption:
      'All crawlers together, for the time of the log; money is for a year of such days. Pushed schemes bring every change, and at once; with the others the crawler has the pages that it had. Views: how many more views of a page, a year, would pay for a scheme that costs the site more.',
    columns: [
      { label: 'scheme' },
      { label: 'to spend' },
      { label: 'requests' },
      { label: 'bytes', unit: 'bytes' },
      { label: 'site, processor', unit: 's' },
      { label: 'bytes saved', unit: 'share' },
      { label: 'site a year', align: 'right' },
      { label: 'crawlers a year', align: 'right' },
      { label: 'views that pay it' },
    ],
    rows: [
      row(AS_LOGGED, '', { cost: logged }),
      ...schemes.map((one) => row(one.scheme.name, TIER_NAMES[one.scheme.tier], one)),
    ],
  }
}

const AS_LOGGED = 'As it was'
const TIER_NAMES = { little: 'little', moderate: 'moderate', more: 'more', none: '–' } as const

export function formTable(id: string): Table {
  return {
    id: `${id}-forms`,
    title: 'The schemes, and what stands for each here',
    paperRef: '002 Table 6.1',
    columns: [{ label: 'scheme' }, { label: 'who begins' }, { label: 'form' }],
    rows: ADVISED_SCHEMES.map(({ name, isPushed, form }): Cell[] => [
      name,
      isPushed ? 'the site' : 'the crawler',
      form,
    ]),
  }
}

export function tierTable(id: string, { logged, tiers }: SiteSavings, perYear: number): Table {
  return {
    id: `${id}-tiers`,
    title: 'By what there is to spend',
    paperRef: '002 §6.4.1',
    caption: 'Of each tier the scheme that saves the site the most money.',
    columns: [
      { label: 'to spend' },
      { label: 'best scheme' },
      { label: 'requests saved', unit: 'share' },
      { label: 'bytes saved', unit: 'share' },
      { label: 'processor saved', unit: 'share' },
      { label: 'site saves a year', align: 'right' },
      { label: 'crawlers save a year', align: 'right' },
    ],
    rows: tiers.map(({ tier, best }): Cell[] =>
      best === undefined
        ? [tier, 'nothing saves anything', null, null, null, usd(0), usd(0)]
        : [
            tier,
            best.scheme.name,
            savedShare(best.cost.requests, logged.requests),
            savedShare(best.cost.bytes, logged.bytes),
            savedShare(best.cost.siteMs, logged.siteMs),
            usd((logged.money.site - best.cost.money.site) * perYear),
            usd((logged.money.crawler - best.cost.money.crawler) * perYear),
          ],
    ),
  }
}

const bytes = (value: number): string => `${formatNumber(Math.round(value))} bytes`
const share = (value: number): string => `${formatNumber(Math.round(value * 1_000) / 10)} % of the page`
const ms = (value: number): string => `${formatNumber(value)} ms`

export function unitTable(id: string, units: SchemeUnits, measuredOn: string): Table {
  const { page, packed, notModified, lists, difference, batch, filterPages, filterDifferences, dump, push } = units
  return {
    id: `${id}-units`,
    title: 'Units',
    caption: `Measured on ${measuredOn}, by serving it with @comity/site and asking for it. Bytes of HTTP, heads and both ways; processor time of the site without the server's own part of a request.`,
    columns: [{ label: 'what' }, { label: 'bytes' }, { label: 'and' }, { label: 'site' }],
    rows: [
      ['GET of a page', `${bytes(page.heads)} of heads`, 'and the page', ms(page.siteMs)],
      ['the same, gzip', `${bytes(packed.heads)} of heads`, share(packed.share), ms(packed.siteMs)],
      ['304', bytes(notModified.bytes), '', ms(notModified.siteMs)],
      ...Object.entries(lists).map(([form, { nothing, change }]): Cell[] => [
        form,
        `${bytes(nothing.bytes)} a poll`,
        `${bytes(change.bytes)} a changed page`,
        `${ms(nothing.siteMs)} and ${ms(change.siteMs)}`,
      ]),
      ['difference, GET', `${bytes(difference.heads)} of heads`, share(difference.share), ms(difference.siteMs)],
      ['batch', `${bytes(batch.line)} for each page asked`, share(batch.content.share), ms(batch.content.siteMs)],
      [
        'filter, pages',
        `${bytes(filterPages.poll.bytes)} a poll`,
        share(filterPages.content.share),
        ms(filterPages.content.siteMs),
      ],
      [
        'filter, differences',
        `${bytes(filterDifferences.poll.bytes)} a poll`,
        share(filterDifferences.content.share),
        ms(filterDifferences.content.siteMs),
      ],
      ['entire site', '', `${share(dump.share)}s`, `${ms(dump.msPerMegabyte)} a megabyte`],
      ['notice of a change, sent', bytes(push.changes.heads), '', ms(push.changes.siteMs)],
      [
        'difference, sent',
        `${bytes(push.differences.heads)} of heads`,
        share(push.differences.share),
        ms(push.differences.siteMs),
      ],
      ['page, sent', `${bytes(push.pages.heads)} of heads`, share(push.pages.share), ms(push.pages.siteMs)],
      ['batch, sent', `${bytes(push.batches.heads)} of heads`, share(push.batches.share), ms(push.batches.siteMs)],
    ],
  }
}
