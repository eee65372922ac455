/** Page routes: the pages for people, and the stored copies they lead to. */
import type { PagesPort } from '../ports.ts'
import type { PageName, PageModels } from '../model/page-models.ts'
import { Problem } from '@comity/receiver'
import type { Repository } from '../repository.ts'
import { html } from './route.ts'
import type { Answer, Call, Route } from './route.ts'
import * as given from './route-parameters.ts'
import { STORED_POLICY } from './stored-body.ts'
import type { StoredBody } from './stored-body.ts'
import { tamed } from '../html/tamed-html.ts'
import type { Turnstile } from './turnstile.ts'

interface PageParts {
  readonly repository: Repository
  readonly searches: Turnstile
  readonly pages: PagesPort
}

export function pageRoutes({ repository, searches, pages }: PageParts): Route[] {
  const draw = <Name extends PageName>(name: Name, model: PageModels[Name]): Answer => html(pages.render(name, model))
  const search = async ({ parameters, client }: Call): Promise<Answer> => {
    const request = given.searchQuestion(parameters)
    const isAsked = request.query.trim() !== ''
    const [statistics, answer] = await Promise.all([
      repository.statistics(),
      isAsked ? searches.pass(client, () => repository.search.search(request)) : undefined,
    ])
    return draw('search', { request, answer, stock: statistics })
  }
  return [
    pageRoute('/', given.SEARCH_PARAMETERS, search),
    pageRoute('/search', given.SEARCH_PARAMETERS, search),
    pageRoute('/live', [], async () => draw('live', await repository.statistics())),
    pageRoute('/freshness', given.FRESHNESS_PARAMETERS, async ({ parameters }) =>
      draw('freshness', await repository.freshness(given.stretch(parameters))),
    ),
    pageRoute('/calls', given.FRESHNESS_PARAMETERS, async ({ parameters }) =>
      draw('calls', await repository.calls(given.stretch(parameters))),
    ),
    pageRoute('/reading', [], async () => draw('reading', await repository.reading())),
    pageRoute('/sites', given.SITES_PAGE_PARAMETERS, async ({ parameters }) =>
      draw('sites', await repository.sites(given.sitesQuery(parameters))),
    ),
    pageRoute('/site', given.SITE_PARAMETERS, async ({ parameters }) =>
      draw('site', await repository.site(parameters.text('origin'))),
    ),
    pageRoute('/page', given.PAGE_PARAMETERS, async ({ parameters }) =>
      draw('page', await repository.page(given.pageName(parameters))),
    ),
    pageRoute('/page/difference', given.DIFFERENCE_PARAMETERS, async ({ parameters }) => {
      const [from, to] = [parameters.number('from'), parameters.number('to')]
      return draw('difference', await repository.difference({ key: parameters.number('key') }, from, to))
    }),
    pageRoute('/page/view', given.VIEW_PARAMETERS, ({ parameters }) => view(repository, parameters)),
    pageRoute('/graph', given.GRAPH_PAGE_PARAMETERS, async ({ parameters }) =>
      draw('graph', await repository.graph(given.siteChoice(parameters))),
    ),
    pageRoute('/static/*', [], ({ name }) => pageAsset(pages, name)),
  ]
}

export function pageRoute(path: string, parameters: Route['parameters'], answer: Route['answer']): Route {
  return { method: 'GET', path, audience: 'person', parameters, answer }
}

async function view(repository: Repository, parameters: Call['parameters']): Promise<Answer> {
  const at = parameters.has('at') ? parameters.number('at') : undefined
  const stored = await repository.stored({ key: parameters.number('key') }, at)
  return { ...shown(stored, stored.key), policy: STORED_POLICY }
}

/** The type is ours to say, from a list of three; nothing of what the stranger's server said becomes a header. */
function shown(
  { kind, bytes }: StoredBody,
  key: number,
): { type: string; body: Uint8Array; headers?: Record<string, string> } {
  if (kind === 'html') return { type: 'text/html; charset=utf-8', body: tamed(bytes) }
  if (kind === 'text') return { type: 'text/plain; charset=utf-8', body: bytes }
  return {
    type: 'application/octet-stream',
    body: bytes,
    headers: { 'Content-Disposition': `attachment; filename="page-${key}.bin"` },
  }
}

export function pageAsset(pages: PagesPort, name: string): Answer {
  const found = pages.asset(name)
  if (found === undefined) throw new Problem('not-found', 'There is no such file.')
  return found
}
