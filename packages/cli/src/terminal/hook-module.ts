/**
 * Hook module: a user's own functions, from a file. It may export
 *
 *   onCapture(capture)   sees every whole answer, before it is acknowledged; capture.text() and capture.page() read it; may be async
 *   scope(url, depth)    false leaves a URL out, after the scope rules have let it in
 *   order                { rankPage(page), rankSite(site) } or { start(web, settings) }: lower comes first
 */
import { messageOf, tableOf, textOf } from '@comity/protocol'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CrawlError } from '@comity/crawler'
import type { Hooks } from '@comity/ingest'
import { simpleOrder } from '@comity/frontier'
import { didYouMean, nearestNames } from './nearest-name.ts'
import type { Order, PageVisit, Ranking, OrderSiteFacts } from '@comity/frontier'

export interface HookModule {
  readonly hooks: Hooks
  readonly order?: Order
}

const NAMES = ['onCapture', 'scope', 'order'] as const

export async function loadHook(path: string | undefined): Promise<HookModule> {
  if (path === undefined) return { hooks: {} }
  const exported = await importModule(path)
  requireNames(path, exported)
  const { onCapture, scope, order } = exported
  return {
    hooks: {
      ...(onCapture === undefined ? {} : { onCapture: asCaptureHook(path, onCapture) }),
      ...(scope === undefined ? {} : { scope: asScope(path, scope) }),
    },
    ...(order === undefined ? {} : { order: orderIn(path, order) }),
  }
}

/** What other crawlers call the same. */
const ELSEWHERE: ReadonlyMap<string, (typeof NAMES)[number]> = tableOf({
  capture: 'onCapture',
  handler: 'onCapture',
  onfetch: 'onCapture',
  onhtml: 'onCapture',
  onpage: 'onCapture',
  onresponse: 'onCapture',
  parse: 'onCapture',
  requesthandler: 'onCapture',
  filter: 'scope',
  inscope: 'scope',
  shouldcrawl: 'scope',
  shouldvisit: 'scope',
  priority: 'order',
  rank: 'order',
  rankpage: 'order',
})

/** A slip of the finger in one name would leave out that hook without a word, whatever the others are. */
function requireNames(path: string, exported: Readonly<Record<string, unknown>>): void {
  const others = Object.keys(exported).filter((name) => !NAMES.some((known) => known === name))
  const slips = others.filter((name) => nearestNames(name, NAMES).length > 0)
  const isOne = NAMES.some((name) => exported[name] !== undefined)
  if (isOne && slips.length === 0) return
  const all = NAMES.join(', ')
  if (slips.length > 0)
    throw hookInvalid(path, `exports ${quoted(slips[0]!)}, which is none of ${all}.${didYouMean(slips[0]!, NAMES)}`)
  const inside = Object.keys(Object(exported['default'])).find((name) => NAMES.some((known) => known === name))
  if (inside !== undefined)
    throw hookInvalid(path, `has ${inside} in its default export: write "export const ${inside} = …" instead`)
  const meant = others.find((name) => ELSEWHERE.has(name.toLowerCase()))
  const advice =
    meant === undefined ? '' : ` What others call ${quoted(meant)} is ${ELSEWHERE.get(meant.toLowerCase())} here.`
  const found = others.length === 0 ? '' : `, but ${others.slice(0, 5).map(quoted).join(', ')}`
  throw hookInvalid(path, `exports none of ${all}${found}.${advice}`)
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 60))

async function importModule(path: string): Promise<Record<string, unknown>> {
  try {
    const exported: Record<string, unknown> = await import(pathToFileURL(resolve(path)).href)
    return exported
  } catch (cause) {
    throw hookInvalid(path, `cannot be loaded: ${messageOf(cause)}`, cause)
  }
}

/** The function itself, whose failures say where they come from. */
function guarded(path: string, name: string, value: unknown): (...args: readonly unknown[]) => unknown {
  if (typeof value !== 'function') throw hookInvalid(path, `exports ${name}, which is not a function`)
  return (...args) => {
    try {
      return Reflect.apply(value, undefined, args)
    } catch (cause) {
      throw hookFailed(path, name, cause)
    }
  }
}

function asCaptureHook(path: string, onCapture: unknown): NonNullable<Hooks['onCapture']> {
  const call = guarded(path, 'onCapture', onCapture)
  return (capture) => {
    const result = call(capture)
    if (!(result instanceof Promise)) return undefined
    return result.then(
      () => undefined,
      (cause: unknown) => {
        throw hookFailed(path, 'onCapture', cause)
      },
    )
  }
}

function asScope(path: string, value: unknown): NonNullable<Hooks['scope']> {
  const scope = guarded(path, 'scope', value)
  return (url, depth) => {
    const answer = scope(url, depth)
    // A promise would always say yes.
    if (answer instanceof Promise)
      throw hookInvalid(path, 'exports scope as an async function; it must be a plain one, asked for each new URL')
    return Boolean(answer)
  }
}

/** An order of the user's own: its file exports it as `order`, or as its default. */
export async function loadOrder(path: string): Promise<Order> {
  const { order, default: byDefault } = await importModule(path)
  return orderIn(path, order ?? byDefault)
}

function orderIn(path: string, value: unknown): Order {
  const given: Partial<Record<'start' | 'rankPage' | 'rankSite' | 'name' | 'description' | 'batch', unknown>> =
    Object(value)
  const name = typeof given.name === 'string' ? given.name : 'hook'
  const description = typeof given.description === 'string' ? given.description : `as ${path} says`
  if (typeof given.start === 'function') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it does wrong is seen when it is used.
    return checked(path, { ...(value as Order), name, description, start: (value as Order).start.bind(value) })
  }
  const { rankPage, rankSite } = given
  if (typeof rankPage !== 'function' || (rankSite !== undefined && typeof rankSite !== 'function')) {
    throw hookInvalid(
      path,
      'exports no order: that has a function start(web, settings), or rankPage(page) and rankSite(site)',
    )
  }
  const order = simpleOrder({
    name,
    description,
    // `this` stays the user's own object.
    rankPage: (page) => Number(Reflect.apply(rankPage, value, [page])),
    ...(rankSite && { rankSite: (site) => Number(Reflect.apply(rankSite, value, [site])) }),
  })
  return checked(path, order)
}

/** A queue cannot be kept in order by what is no number. */
function checked(path: string, order: Order): Order {
  const rank = (value: number, of: string): number => {
    if (typeof value !== 'number' || Number.isNaN(value))
      throw hookInvalid(path, `gave a ${of} the rank ${String(value)}`)
    return value
  }
  return {
    ...order,
    start: (web, settings) => {
      const ranking = order.start(web, settings)
      // The prototype keeps what is not checked, and `this` stays the user's own.
      return Object.assign(Object.create(ranking) as Ranking, {
        rankPage: (page: number) => rank(ranking.rankPage(page), 'page'),
        ...(ranking.rankSite && { rankSite: (site: OrderSiteFacts) => rank(ranking.rankSite!(site), 'site') }),
        ...(ranking.visited && { visited: (page: number, visit: PageVisit) => ranking.visited!(page, visit) }),
      })
    },
  }
}

const hookFailed = (path: string, name: string, cause: unknown): CrawlError =>
  hookInvalid(path, `failed in ${name}: ${cause instanceof Error ? cause.stack : textOf(cause)}`, cause)

const hookInvalid = (path: string, what: string, cause?: unknown): CrawlError =>
  new CrawlError('PLUGIN_INVALID', `The hook ${path} ${what}${/[.?]$/.test(what) ? '' : '.'}`, { cause })
