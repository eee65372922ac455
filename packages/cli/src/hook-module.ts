/**
 * Hook module: a user's own functions, from a file. It may export
 *
 *   onCapture(capture)   sees every whole answer, before it is acknowledged
 *   scope(url, depth)    false leaves a URL out, after the scope rules have let it in
 *   order                { rankPage(page), rankSite(site) }: lower comes first
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from './usage-error.ts'
import { CrawlError } from '@comity/crawler'
import type { Hooks } from '@comity/crawler'
import type { Order } from '@comity/frontier'

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
      ...(onCapture === undefined ? {} : { onCapture: guarded(path, 'onCapture', onCapture) }),
      ...(scope === undefined ? {} : { scope: asScope(path, scope) }),
    },
    ...(order === undefined ? {} : { order: orderOf(path, order) }),
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
    let result: unknown
    try {
      result = Reflect.apply(value, undefined, args)
    } catch (cause) {
      throw hookInvalid(path, `failed in ${name}: ${cause instanceof Error ? cause.stack : String(cause)}`, cause)
    }
    // A promise nobody waits for would hide its failures, and `scope` would always say yes.
    if (result instanceof Promise)
      throw hookInvalid(path, `exports ${name} as an async function; it must be a plain one`)
    return result
  }
}

function asScope(path: string, value: unknown): NonNullable<Hooks['scope']> {
  const scope = guarded(path, 'scope', value)
  return (url, depth) => Boolean(scope(url, depth))
}

function orderOf(path: string, value: unknown): Order {
  const { rankPage, rankSite, name, description }: Partial<Record<keyof Order, unknown>> = Object(value)
  if (typeof rankPage !== 'function' || typeof rankSite !== 'function') {
    throw hookInvalid(path, 'exports order without the functions rankPage and rankSite')
  }
  return {
    name: typeof name === 'string' ? name : 'hook',
    description: typeof description === 'string' ? description : `as ${path} says`,
    // `this` stays the user's own object.
    rankPage: (page) => Number(Reflect.apply(rankPage, value, [page])),
    rankSite: (site) => Number(Reflect.apply(rankSite, value, [site])),
  }
}

const hookInvalid = (path: string, what: string, cause?: unknown): CrawlError =>
  new CrawlError('PLUGIN_INVALID', `The hook ${path} ${what}.`, { cause })
