/** Page routes: the pages for people, and the stored copies they lead to. */
import { copyLimits, storedCopy } from '../copy/stored-copy.ts'
import { ownPath } from '../html/address.ts'
import { MAX_URL_PARAMETER_CHARS } from '../limits.ts'
import type { PagesPort } from '../ports.ts'
import type { PageName, PageModels, RoleModel } from '../model/page-models.ts'
import type { Instant } from '@comity/protocol'
import { Problem } from '@comity/receiver'
import type { Repository } from '../repository.ts'
import { html } from './route.ts'
import type { Answer, Call, Route, WholeAnswer } from './route.ts'
import * as given from './route-parameters.ts'
import { STORED_POLICY } from './stored-body.ts'
import type { Turnstile } from './turnstile.ts'

interface PageParts {
  readonly repository: Repository
  readonly searches: Turnstile
  readonly copies: Turnstile
  readonly pages: PagesPort
  readonly roles: (() => readonly RoleModel[]) | undefined
}

export function pageRoutes({ repository, searches, copies, pages, roles }: PageParts): Route[] {
  const draw = <Name extends PageName>(name: Name, model: PageModels[Name]): WholeAnswer =>
    html(pages.render(name, model))
  const search = async ({ parameters, client }: Call): Promise<Answer> => {
    const request = given.searchQuestion(parameters)
    const isAsked = request.query.trim() !== ''
    const [statistics, answer] = await Promise.all([
      repository.statistics(),
      isAsked ? searches.pass(client, () => repository.search.search(request)) : undefined,
    ])
    return draw('search', { request, answer, stock: statistics, roles: roles?.() })
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
    pageRoute('/page/copy', given.COPY_PARAMETERS, async ({ parameters }) => {
      const near = parameters.has('near') ? parameters.number('near') : undefined
      const copy = await repository.copy(given.pageName(parameters), near)
      return { ...draw('copy', copy), status: copy.kind === 'held' ? 200 : 404 }
    }),
    pageRoute('/page/view', given.VIEW_PARAMETERS, ({ parameters, client }) =>
      copies.pass(client, () => view(repository, parameters)),
    ),
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
  return { ...(await shown(stored, repository)), policy: STORED_POLICY }
}

/** The type is ours to say, from a list of three; nothing of what the stranger's server said becomes a header. */
async function shown(
  { kind, bytes, key, url, at }: Awaited<ReturnType<Repository['stored']>>,
  repository: Repository,
): Promise<{ type: string; body: string | Uint8Array; headers?: Record<string, string> }> {
  if (kind === 'html') return { type: 'text/html; charset=utf-8', body: await copyOf(bytes, url, at, repository) }
  if (kind === 'text') return { type: 'text/plain; charset=utf-8', body: bytes }
  return {
    type: 'application/octet-stream',
    body: bytes,
    headers: { 'Content-Disposition': `attachment; filename="page-${key}.bin"` },
  }
}

/** Its links lead to copies of about the same time. */
function copyOf(bytes: Uint8Array, url: string, near: Instant, repository: Repository): Promise<string> {
  const linkTo = (address: string): string | undefined =>
    address.length > MAX_URL_PARAMETER_CHARS ? undefined : ownPath('/page/copy', { url: address, near })
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return storedCopy(page, { url, linkTo }, (part) => repository.part(part, near, copyLimits.mostPartBytes))
}

export function pageAsset(pages: PagesPort, name: string): Answer {
  const found = pages.asset(name)
  if (found === undefined) throw new Problem('not-found', 'There is no such file.')
  return found
}
