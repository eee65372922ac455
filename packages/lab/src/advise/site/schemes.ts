/**
 * The twelve schemes of 002 Table 6.1, each as what it would have cost one crawler in place of what the log shows. With every
 * scheme the crawler ends with the same pages: what it fetched first, and what had changed when it came. Of pushed schemes it
 * gets every change instead, and sooner.
 *
 * `tier` is 002 §6.4.1: with little to spend right HTTP/1.1, with more meta-data, with still more differences or a filter.
 */
import type { CrawlerAccount, Fetches } from './account.ts'
import { BATCH_PAGES } from '@comity/follow'
import type { Cost, ContentUnits, PollUnits, SchemeUnits } from '../../cooperating/scheme-units.ts'
import { LIST_FORMS } from '../../cooperating/scheme-units.ts'

export type Tier = 'little' | 'moderate' | 'more' | 'none'

export interface SchemeCost extends Cost {
  /** Pages that come to the crawler, whole or as differences, and have to be processed. */
  readonly pages: number
}

export interface SchemeContext {
  readonly account: CrawlerAccount
  readonly units: SchemeUnits
  /** All pages of the site, as far as they are known, and the texts among them. */
  readonly siteBytes: number
  readonly siteText: number
  /** Of a server, for every request. */
  readonly requestMs: number
}

export interface AdvisedScheme {
  readonly id: string
  /** As in the paper's table. */
  readonly name: string
  readonly form: string
  readonly tier: Tier
  readonly isPushed: boolean
  readonly cost: (context: SchemeContext) => SchemeCost
}

const NOTHING: SchemeCost = { requests: 0, bytes: 0, siteMs: 0, pages: 0 }

function sum(...costs: readonly SchemeCost[]): SchemeCost {
  return costs.reduce(
    (total, cost) => ({
      requests: total.requests + cost.requests,
      bytes: total.bytes + cost.bytes,
      siteMs: total.siteMs + cost.siteMs,
      pages: total.pages + cost.pages,
    }),
    NOTHING,
  )
}

/** Every request costs the server something, whatever is asked. */
const served = (cost: SchemeCost, { requestMs }: SchemeContext): SchemeCost => ({
  ...cost,
  siteMs: cost.siteMs + cost.requests * requestMs,
})

const times = ({ requests, bytes, siteMs }: Cost, count: number, pages = 0): SchemeCost => ({
  requests: requests * count,
  bytes: bytes * count,
  siteMs: siteMs * count,
  pages,
})

/** Answers as the log has them: the heads are ours, the bodies the log's. */
const asSent = (count: number, bytes: number, { heads, siteMs }: ContentUnits, pages = 0): SchemeCost => ({
  requests: count,
  bytes: bytes + heads * count,
  siteMs: siteMs * count,
  pages,
})

type Pages = Pick<Fetches, 'count' | 'plain' | 'text'>

/** Contents that are a share of their pages, where those are texts; what is no text goes as it is. */
const made = (pages: Pages, { heads, share, siteMs }: ContentUnits, requests = pages.count): SchemeCost => ({
  requests,
  bytes: heads * requests + share * pages.text + (pages.plain - pages.text),
  siteMs: siteMs * pages.count,
  pages: pages.count,
})

const others = ({ account: { other }, units }: SchemeContext): SchemeCost =>
  asSent(other.count, other.bytes, { ...units.page, siteMs: 0 })

const firsts = ({ account: { first }, units }: SchemeContext): SchemeCost =>
  asSent(first.count, first.bytes, units.page, first.count)

const changedOnes = ({ account: { changed }, units }: SchemeContext): SchemeCost =>
  asSent(changed.count, changed.bytes, units.page, changed.count)

const same = (count: number, { units }: SchemeContext): SchemeCost => times(units.notModified, count)

const polled = ({ nothing, change }: PollUnits, { polls, told }: CrawlerAccount): SchemeCost =>
  sum(times(nothing, polls), times(change, told))

/** The list that would have told this crawler for the fewest bytes. */
const listed = ({ account, units }: SchemeContext): SchemeCost =>
  LIST_FORMS.filter((form) => form !== 'robots.rdf')
    .map((form) => polled(units.lists[form], account))
    .toSorted((a, b) => a.bytes - b.bytes)[0]!

/** As the log has it. */
export function loggedCost(context: SchemeContext): SchemeCost {
  const { needless, notModified } = context.account
  const { page } = context.units
  return served(
    sum(
      others(context),
      firsts(context),
      changedOnes(context),
      asSent(needless.count, needless.bytes, page, needless.count),
      same(notModified.count, context),
    ),
    context,
  )
}

/** All pages that this crawler asked for, whether they had changed or not. */
const asked = ({ first, changed, needless, notModified }: CrawlerAccount): number =>
  first.count + changed.count + needless.count + notModified.count

/** It is made anew when something changed, and stands there for all who come. */
const dumped = (context: SchemeContext, count: number, pages: number): SchemeCost => {
  const { units, siteBytes, siteText, account } = context
  const makes = Math.min(count, Math.max(1, account.busy))
  return {
    requests: units.dump.requests * count,
    bytes: (units.dump.share * siteText + siteBytes - siteText) * count,
    siteMs: ((units.dump.msPerMegabyte * siteBytes) / 1e6) * makes,
    pages,
  }
}

const plainScheme =
  (cost: (context: SchemeContext) => SchemeCost): AdvisedScheme['cost'] =>
  (context) =>
    served(sum(others(context), cost(context)), context)

export const ADVISED_SCHEMES: readonly AdvisedScheme[] = [
  {
    id: 'serve-metadata',
    name: 'Serve meta-data',
    form: 'change list or metadata archives, then GET',
    tier: 'moderate',
    isPushed: false,
    cost: plainScheme((context) => sum(listed(context), firsts(context), changedOnes(context))),
  },
  {
    id: 'serve-differences',
    name: 'Serve differences',
    form: 'the same, then GET with A-IM: vcdiff',
    tier: 'more',
    isPushed: false,
    cost: plainScheme((context) => {
      const { changed } = context.account
      return sum(listed(context), firsts(context), made(changed, context.units.difference))
    }),
  },
  {
    id: 'only-if-modified',
    name: 'Only if modified',
    form: 'ETag, If-None-Match, 304',
    tier: 'little',
    isPushed: false,
    cost: plainScheme((context) => {
      const { needless, notModified } = context.account
      return sum(firsts(context), changedOnes(context), same(needless.count + notModified.count, context))
    }),
  },
  {
    id: 'many-pages',
    name: 'Many pages in one request',
    form: `QUERY with the tags of up to ${BATCH_PAGES} pages, the answer packed`,
    tier: 'none',
    isPushed: false,
    cost: plainScheme((context) => {
      const { account, units } = context
      const { first, changed, polls } = account
      const { poll, line, content, whole } = units.batch
      const questions = { ...NOTHING, bytes: line * asked(account) }
      const requests = Math.max(polls, asked(account) / BATCH_PAGES)
      return sum(times(poll, requests), questions, made(first, whole, 0), made(changed, content, 0))
    }),
  },
  {
    id: 'serve-site',
    name: 'Entire site compressed',
    form: 'the resource dump, whole, each time it comes',
    tier: 'none',
    isPushed: false,
    cost: plainScheme((context) => dumped(context, context.account.polls, asked(context.account))),
  },
  {
    id: 'filter',
    name: 'Filtering interface',
    form: 'one QUERY: differences since the last one',
    tier: 'more',
    isPushed: false,
    cost: plainScheme((context) => {
      const { account, units } = context
      const { first, changed, polls } = account
      return sum(
        times(units.filterDifferences.poll, polls),
        made(first, units.filterPages.content, 0),
        made(changed, units.filterDifferences.content, 0),
      )
    }),
  },
  {
    id: 'send-metadata',
    name: 'Send meta-data of updates',
    form: 'a notice of each change, then GET',
    tier: 'moderate',
    isPushed: true,
    cost: plainScheme((context) => {
      const { pushed } = context.account
      const { push, page } = context.units
      return sum(
        firsts(context),
        { ...made({ ...pushed, plain: 0, text: 0 }, push.changes), pages: 0 },
        asSent(pushed.count, pushed.bytes, page, pushed.count),
      )
    }),
  },
  {
    id: 'send-differences',
    name: 'Send differences',
    form: 'what differs, at each change',
    tier: 'more',
    isPushed: true,
    cost: plainScheme((context) => {
      const { pushed } = context.account
      return sum(firsts(context), made(pushed, context.units.push.differences))
    }),
  },
  {
    id: 'send-pages',
    name: 'Send changed pages',
    form: 'the page, packed, at each change',
    tier: 'none',
    isPushed: true,
    cost: plainScheme((context) => {
      const { pushed } = context.account
      return sum(firsts(context), made(pushed, context.units.push.pages))
    }),
  },
  {
    id: 'send-batches',
    name: 'Send batch update',
    form: 'changed pages together, once a period',
    tier: 'none',
    isPushed: true,
    cost: plainScheme((context) => {
      const { batched, busy } = context.account
      return sum(firsts(context), made(batched, context.units.push.batches, busy))
    }),
  },
  {
    id: 'send-site',
    name: 'Send entire site',
    form: 'the dump, each period in which a page changed',
    tier: 'none',
    isPushed: true,
    cost: plainScheme((context) => {
      const { busy, batched } = context.account
      return dumped(context, Math.max(1, busy), batched.count)
    }),
  },
  {
    id: 'agent',
    name: 'Remote agent',
    form: 'differences of a period together; no change is left out',
    tier: 'none',
    isPushed: true,
    cost: plainScheme((context) => {
      const { batched, busy } = context.account
      const { push, filterDifferences } = context.units
      const content = { ...filterDifferences.content, heads: push.batches.heads }
      return sum(firsts(context), made(batched, content, busy))
    }),
  },
]
