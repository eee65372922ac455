/** API routes: everything that can be read, as JSON. `openapi.json` describes them; a test holds the two together. */
import type { ClientPlaces } from '@comity/protocol'
import { lastEventAt, sendEvents } from './event-stream.ts'
import { MAX_SUGGESTIONS } from '../limits.ts'
import type { LiveHub } from './live-hub.ts'
import { Problem } from '@comity/receiver'
import type { Repository } from '../repository.ts'
import { json, sharedJson } from './route.ts'
import type { Answer, Call, Route } from './route.ts'
import * as given from './route-parameters.ts'
import type { Turnstile } from './turnstile.ts'

interface ApiParts {
  readonly repository: Repository
  readonly searches: Turnstile
  readonly hub: LiveHub
  readonly listeners: ClientPlaces
}

export function apiRoutes({ repository, searches, hub, listeners }: ApiParts): Route[] {
  return [
    given.apiRoute('search', given.SEARCH_QUESTION, async ({ parameters, client }) =>
      sharedJson(await searches.pass(client, () => repository.search.search(given.searchQuestion(parameters)))),
    ),
    given.apiRoute('suggest', given.SUGGEST_PARAMETERS, (call) =>
      searches.pass(call.client, () => suggest(repository, call)),
    ),
    given.apiRoute('page', given.PAGE_PARAMETERS, async ({ parameters }) =>
      json(await repository.page(given.pageName(parameters))),
    ),
    given.apiRoute('page/difference', given.DIFFERENCE_PARAMETERS, async ({ parameters }) =>
      json(
        await repository.difference(
          { key: parameters.number('key') },
          parameters.number('from'),
          parameters.number('to'),
        ),
      ),
    ),
    given.apiRoute('freshness', given.FRESHNESS_PARAMETERS, async ({ parameters }) =>
      json(await repository.freshness(given.stretch(parameters))),
    ),
    given.apiRoute('calls', given.FRESHNESS_PARAMETERS, async ({ parameters }) =>
      json(await repository.calls(given.stretch(parameters))),
    ),
    given.apiRoute('sites', given.SITES_PARAMETERS, async ({ parameters }) =>
      json(await repository.sites(given.sitesQuery(parameters))),
    ),
    given.apiRoute('site', given.SITE_PARAMETERS, async ({ parameters }) =>
      json(await repository.site(parameters.text('origin'))),
    ),
    given.apiRoute('statistics', [], async () => json(await repository.statistics())),
    given.apiRoute('graph', given.GRAPH_PARAMETERS, async ({ parameters }) =>
      json(await repository.graph(given.siteChoice(parameters))),
    ),
    given.apiRoute('live', [], (call) => live(hub, listeners, call)),
  ]
}

async function suggest({ search }: Repository, { parameters }: Call): Promise<Answer> {
  return given.suggested(parameters, (await search.suggest?.(parameters.text('q'), MAX_SUGGESTIONS)) ?? [])
}

function live(hub: LiveHub, listeners: ClientPlaces, { client, header }: Call): Answer {
  const leave = listeners.take(client)
  if (leave === undefined) throw tooManyListen()
  return {
    type: 'text/event-stream; charset=utf-8',
    run: (response, signal) => sendEvents(hub, lastEventAt(header('last-event-id')), response, signal),
    over: leave,
  }
}

const tooManyListen = (): Problem =>
  new Problem(
    'too-many-requests',
    'As many listen as may listen at once, or as many from your address. Close a page, or try again later.',
    { 'Retry-After': '10' },
  )
