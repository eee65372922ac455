/**
 * Hook module: a user's own functions, from a file. It may export
 *
 *   onCapture(capture)   sees every whole answer, before it is acknowledged; may be async, and is waited for
 *   scope(url, depth)    false leaves a URL out, after the scope rules have let it in
 *   order                { rankPage(page), rankSite(site) } or { start(web, settings) }: lower comes first
 */
import { textOf, messageOf } from '@comity/protocol'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CrawlError } from '@comity/crawler'
import type { Hooks } from '@comity/ingest'
import { simpleOrder } from '@comity/frontier'
import type { Order, PageVisit, Ranking, OrderSiteFacts } from '@comity/frontier'

export interface HookModule {
  readonly hooks: Hooks
  readonly order?: Order
}

const NAMES = ['onCapture', 'scope', 'order'] as const

export async function loadHook(path: string | undefined): Promise<HookModule> {
  if (path === undefined) return { hooks: {} }
  const exported = await importModule(path)
  const given = NAMES.filter((name) => exported[name] !== undefined)
  if (given.length === 0) throw hookInvalid(path, `exports none of ${NAMES.join(', ')}`)
  const { onCapture, scope, order } = exported
  return {
    hooks: {
      ...(onCapture === undefined ? {} : { onCapture: asCaptureHook(path, onCapture) }),
      ...(scope === undefined ? {} : { scope: asScope(path, scope) }),
    },
    ...(order === undefined ? {} : { order: orderIn(path, order) }),
  }
}

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
  new CrawlError('PLUGIN_INVALID', `The hook ${path} ${what}.`, { cause })
