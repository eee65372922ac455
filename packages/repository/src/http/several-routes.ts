/** Several routes: what is served of several collections: one search over all, and which they are. Nothing there changes anything. */
import { html, json, sharedJson } from './route.ts'
import type { Answer, Call, Route } from './route.ts'
import { pageAsset, pageRoute } from './page-routes.ts'
import * as given from './route-parameters.ts'
import type { Turnstile } from './turnstile.ts'
import type { PagesPort, SeveralPort } from '../ports.ts'

interface SeveralParts {
  readonly several: SeveralPort
  readonly searches: Turnstile
  readonly pages: PagesPort
}

export function severalRoutes({ several, searches, pages }: SeveralParts): Route[] {
  const search = async ({ parameters, client }: Call): Promise<Answer> => {
    const request = given.searchQuestion(parameters)
    const isAsked = request.query.trim() !== ''
    const [collections, answer] = await Promise.all([
      several.collections(),
      isAsked ? searches.pass(client, () => several.search(request)) : undefined,
    ])
    return html(pages.render('search', { request, answer, stock: { collections } }))
  }
  return [
    pageRoute('/', given.SEARCH_PARAMETERS, search),
    pageRoute('/search', given.SEARCH_PARAMETERS, search),
    pageRoute('/collections', [], async () =>
      html(pages.render('collections', { collections: await several.collections() })),
    ),
    pageRoute('/static/*', [], ({ name }) => pageAsset(pages, name)),
    given.apiRoute('search', given.SEARCH_QUESTION, async ({ parameters, client }) =>
      sharedJson(await searches.pass(client, () => several.search(given.searchQuestion(parameters)))),
    ),
    given.apiRoute('suggest', given.SUGGEST_PARAMETERS, ({ parameters }) => given.suggested(parameters, [])),
    given.apiRoute('collections', [], async () => json({ collections: await several.collections() })),
  ]
}
