/** Whole routes: what is served of a cluster: its pages to search and to look at, and the same as JSON. Nothing there changes anything. */
import { html, json, sharedJson } from './route.ts'
import type { Answer, Call, Route } from './route.ts'
import { pageAsset, pageRoute } from './page-routes.ts'
import * as given from './route-parameters.ts'
import type { Turnstile } from './turnstile.ts'
import type { PageModels, PageName } from '../model/page-models.ts'
import type { WholeModel } from '../model/models.ts'
import type { PagesPort, WholePort } from '../ports.ts'

interface WholeParts {
  readonly whole: WholePort
  readonly searches: Turnstile
  readonly pages: PagesPort
  readonly now: () => number
}

/** All machines are asked for it, so many who look share one look. */
const STATUS_MS = 1_000

export function wholeRoutes({ whole, searches, pages, now }: WholeParts): Route[] {
  const draw = <Name extends PageName>(name: Name, model: PageModels[Name]): Answer => html(pages.render(name, model))
  const status = sharedFor(STATUS_MS, now, () => whole.status())
  const search = async ({ parameters, client }: Call): Promise<Answer> => {
    const request = given.searchQuestion(parameters)
    const isAsked = request.query.trim() !== ''
    const [stock, answer] = await Promise.all([
      status(),
      isAsked ? searches.pass(client, () => whole.search(request)) : undefined,
    ])
    return draw('search', { request, answer, stock })
  }
  return [
    pageRoute('/', given.SEARCH_PARAMETERS, search),
    pageRoute('/search', given.SEARCH_PARAMETERS, search),
    pageRoute('/cluster', [], async () => draw('cluster', await status())),
    pageRoute('/static/*', [], ({ name }) => pageAsset(pages, name)),
    ...wholeApi(whole, searches, status),
  ]
}

function wholeApi(whole: WholePort, searches: Turnstile, status: () => Promise<WholeModel>): Route[] {
  return [
    given.apiRoute('search', given.SEARCH_QUESTION, async ({ parameters, client }) =>
      sharedJson(await searches.pass(client, () => whole.search(given.searchQuestion(parameters)))),
    ),
    // Each key pressed would ask every shard for all words that begin so.
    given.apiRoute('suggest', given.SUGGEST_PARAMETERS, ({ parameters }) => given.suggested(parameters, [])),
    given.apiRoute('cluster', [], async () => json(await status())),
  ]
}

function sharedFor<Value>(ms: number, now: () => number, find: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | undefined
  return () => {
    if (last === undefined || Math.abs(now() - last.at) >= ms) {
      const value = find()
      last = { at: now(), value }
      value.catch(() => (last = undefined))
    }
    return last.value
  }
}
