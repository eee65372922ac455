/** API routes: everything that can be read, as JSON. `openapi.json` describes them; a test holds the two together. */
import type { ClientPlaces } from '@comity/protocol'
import { lastEventAt, sendEvents } from './event-stream.ts'
import { MAX_QUERY_CHARS, MAX_SUGGESTIONS } from '../limits.ts'
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
    get('search', required(given.SEARCH_PARAMETERS, 'q'), async ({ parameters, client }) =>
      sharedJson(await searches.pass(client, () => repository.search.search(given.searchQuestion(parameters)))),
    ),
    get('suggest', SUGGEST_PARAMETERS, (call) => searches.pass(call.client, () => suggest(repository, call))),
    get('page', given.PAGE_PARAMETERS, async ({ parameters }) =>
      json(await repository.page(given.pageName(parameters))),
    ),
    get('page/difference', given.DIFFERENCE_PARAMETERS, async ({ parameters }) =>
      json(
        await repository.difference(
          { key: parameters.number('key') },
          parameters.number('from'),
          parameters.number('to'),
        ),
      ),
    ),
    get('freshness', given.FRESHNESS_PARAMETERS, async ({ parameters }) =>
      json(await repository.freshness(given.stretch(parameters))),
    ),
    get('calls', given.FRESHNESS_PARAMETERS, async ({ parameters }) =>
      json(await repository.calls(given.stretch(parameters))),
    ),
    get('sites', given.SITES_PARAMETERS, async ({ parameters }) =>
      json(await repository.sites(given.sitesQuery(parameters))),
    ),
    get('site', given.SITE_PARAMETERS, async ({ parameters }) =>
      json(await repository.site(parameters.text('origin'))),
    ),
    get('statistics', [], async () => json(await repository.statistics())),
    get('graph', [], async () => json(await repository.graph())),
    get('live', [], (call) => live(hub, listeners, call)),
  ]
}

function get(path: string, parameters: Route['parameters'], answer: Route['answer']): Route {
  return { method: 'GET', path: `/api/v1/${path}`, audience: 'program', parameters, answer }
}

const required = (table: Route['parameters'], name: string): Route['parameters'] =>
  table.map((parameter) => (parameter.name === name ? { ...parameter, isRequired: true } : parameter))

const SUGGEST_PARAMETERS: Route['parameters'] = [
  { name: 'q', kind: 'text', maxLength: MAX_QUERY_CHARS, isRequired: true },
  { name: 'format', kind: 'choice', choices: ['object', 'opensearch'], fallback: 'object' },
]

/** Browsers want the array of OpenSearch Suggestions 1.1; our own pages and most programs want names. */
async function suggest({ search }: Repository, { parameters }: Call): Promise<Answer> {
  const query = parameters.text('q')
  const suggestions = (await search.suggest?.(query, MAX_SUGGESTIONS)) ?? []
  return parameters.text('format') === 'opensearch'
    ? json([query, suggestions], 'application/x-suggestions+json; charset=utf-8')
    : json({ query, suggestions })
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
