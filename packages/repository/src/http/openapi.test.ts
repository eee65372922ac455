import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FACT_VIEWS } from '../pages/story-page.ts'
import { misfits } from '../testing/json-schema-check.ts'
import type { Schema } from '../testing/json-schema-check.ts'
import { keptFresh } from '../testing/kept-fresh-fixture.ts'
import type { PushesModel, FreshnessModel, PageModel, SiteModel } from '../model/models.ts'
import { watchedAt } from '../testing/pages-fixture.ts'
import type { Parameter } from './parameter.ts'
import { PROBLEMS } from '@comity/receiver/testing'
import type { Route } from './route.ts'
import { AT, sampleOf } from '../testing/sample-repository.ts'
import { TOKEN, sampleServer } from '../testing/sample-server.ts'
import { severalServer, wholeServer } from '../testing/whole-server.ts'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[]
  readonly requestBody?: { readonly content: Record<string, { schema: Schema }> }
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { schema: Schema }> }>>
  readonly security?: readonly unknown[]
}

const openapi = JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8')) as {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
const { schemas } = openapi.components
const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** Pages are for people; of what they lead to, the stored copy is worth a program's while. */
const isDescribed = ({ audience, path }: Route): boolean => audience === 'program' || path === '/page/view'

test('every route for programs is described, and every description has its route', async (t) => {
  const { server } = await sampleServer(t)
  const routes = [...server.routes, ...wholeServer().server.routes, ...severalServer().routes].filter(isDescribed)
  const named = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  assert.deepEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted(), [...named].toSorted())
  assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length)
})

test('every parameter is described as it is read: its kind, its limits, what stands for it', async (t) => {
  const { server } = await sampleServer(t)
  const routes = [...server.routes, ...wholeServer().server.routes, ...severalServer().routes]
  for (const { path, method, operation } of operations) {
    const route = routes.find((one) => one.path === path && one.method === method)!
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
    assert.deepEqual(
      described.map(({ name, required = false, schema }) => ({ name, required, schema })),
      route.parameters.map((one) => ({ name: one.name, required: one.isRequired === true, schema: schemaOf(one) })),
      path,
    )
  }
})

function schemaOf(parameter: Parameter): Schema {
  const fallback = 'fallback' in parameter ? { default: parameter.fallback } : {}
  if (parameter.kind === 'text') return { type: 'string', maxLength: parameter.maxLength, ...fallback }
  if (parameter.kind === 'choice') return { type: 'string', enum: parameter.choices, ...fallback }
  if (parameter.kind === 'flag') return { type: 'boolean' }
  return { type: 'integer', minimum: parameter.min, maximum: parameter.max, ...fallback }
}

test('every kind of fact that a page shows is described', () => {
  const page = schemas['Page'] as unknown as { properties: { facts: { items: { properties: { kind: Schema } } } } }
  const { kind } = page.properties.facts.items.properties
  assert.deepEqual(kind['enum'], Object.keys(FACT_VIEWS))
})

test('what changes anything needs the token, and nothing else does', () => {
  for (const { path, method, operation } of operations) {
    assert.equal(operation.security !== undefined, method === 'POST', path)
    assert.equal(operation.requestBody !== undefined, method === 'POST', path)
  }
})

const asked: readonly string[] = [
  '/api/v1/search?q=one',
  '/api/v1/suggest?q=on',
  '/api/v1/suggest?q=on&format=opensearch',
  ...[0, 1, 2, 3, 4, 5].map((key) => `/api/v1/page?key=${key}`),
  `/api/v1/page/difference?key=1&from=${AT + 1_000}&to=${AT + 2_000}`,
  '/api/v1/freshness',
  '/api/v1/freshness?limit=1&offset=1',
  '/api/v1/calls',
  '/api/v1/calls?limit=1&offset=1',
  '/api/v1/sites',
  '/api/v1/sites?sort=origin&limit=1&offset=1',
  '/api/v1/site?origin=https://a.example',
  '/api/v1/site?origin=https://unseen.example',
  '/api/v1/statistics',
  '/api/v1/graph',
  '/page/view?key=1',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/opensearch.xml',
  '/robots.txt',
  // And what goes wrong.
  '/api/v1/page?key=99',
  '/api/v1/page',
  '/api/v1/page/difference?key=5&from=1&to=2',
  '/api/v1/site?origin=https://nowhere.example',
  '/api/v1/search?q=',
  '/page/view?key=99',
]

test('live answers are what the description says', async (t) => {
  const { ask } = await sampleServer(t)
  const reached = new Set<string>()
  for (const path of asked) {
    const { status, headers, value } = await ask(path)
    const operation = openapi.paths[path.split('?')[0]!]!['get']!
    const type = String(headers['content-type']).split(';')[0]!
    // Pages and what they lead to tell people of problems in HTML.
    if (path.startsWith('/page/view') && status !== 200) continue
    const content = operation.responses[status]?.content[type]
    assert.ok(content, `${path}: ${status} ${type} is not described`)
    if (value !== undefined) assert.deepEqual(misfits(value, content.schema, schemas), [], path)
    reached.add(operation.operationId)
  }
  const gets = operations.filter(({ method }) => method === 'GET').map(({ operation }) => operation.operationId)
  assert.deepEqual(
    gets.filter((id) => !reached.has(id)),
    // A stream, and what servers of a cluster and of several collections have (`whole-routes.test.ts`, `several-search.test.ts`).
    ['cluster', 'collections', 'live'],
  )
  assert.deepEqual(misfits(sampleOf(1), schemas['LiveSample']!, schemas), [])
})

test('what is remembered of a watch, of sites and of pages that are kept fresh is what the description says', async (t) => {
  const { ask, collection, crawl, control } = await sampleServer(t)
  await keptFresh(collection, crawl)
  const freshness = await ask('/api/v1/freshness')
  assert.deepEqual(misfits(freshness.value, schemas['FreshnessOfAll']!, schemas), [])
  const model = freshness.value as FreshnessModel
  assert.deepEqual([model.total, model.sites[0]?.origin, model.last?.at], [1, 'https://a.example', AT])
  const page = await ask('/api/v1/page?key=1')
  assert.deepEqual(misfits(page.value, schemas['Page']!, schemas), [])
  assert.equal((page.value as PageModel).freshness?.site.uses, 'filter')
  const calls = await ask('/api/v1/calls')
  assert.deepEqual(misfits(calls.value, schemas['CallsOfAll']!, schemas), [])
  const [caller] = (calls.value as PushesModel).sites
  assert.deepEqual([caller?.origin, caller?.calls.heard, caller?.calls.different], ['https://a.example', 4, 2])
  const site = await ask('/api/v1/site?origin=https://a.example')
  assert.deepEqual(misfits(site.value, schemas['Site']!, schemas), [])
  assert.deepEqual((site.value as SiteModel).calls, caller?.calls)
  const sites = await ask('/api/v1/sites')
  assert.deepEqual(misfits(sites.value, schemas['Sites']!, schemas), [])
  control.sample = { ...sampleOf(1), ...watchedAt(1) }
  const running = await ask('/api/v1/freshness')
  assert.deepEqual(misfits(running.value, schemas['FreshnessOfAll']!, schemas), [])
  assert.equal((running.value as FreshnessModel).last, undefined, 'what runs now counts, not what was before')
})

test('controls take and give what the description says', async (t) => {
  const { ask, control } = await sampleServer(t)
  const bodies: Readonly<Record<string, unknown>> = {
    addSeed: { url: 'https://a.example/' },
    setBudget: { maxPages: 5 },
  }
  for (const { path, operation } of operations.filter(({ method }) => method === 'POST')) {
    const body = bodies[operation.operationId] ?? {}
    assert.deepEqual(misfits(body, operation.requestBody!.content['application/json']!.schema, schemas), [], path)
    for (const condition of ['running', 'none'] as const) {
      control.condition = condition
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
      const { status, value, headers: got } = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
      const content = operation.responses[status]?.content[String(got['content-type']).split(';')[0]!]
      assert.ok(content, `${path}: ${status} is not described`)
      assert.deepEqual(misfits(value, content.schema, schemas), [], path)
    }
  }
})

test('the check itself finds what does not fit', () => {
  const one = schemas['Facet']!
  assert.equal(misfits({ value: 'a', pages: 1 }, one, schemas).length, 0)
  for (const wrong of [
    { value: 'a' },
    { value: 1, pages: 1 },
    { value: 'a', pages: -1 },
    { value: 'a', pages: 1, x: 1 },
    [],
  ]) {
    assert.ok(misfits(wrong, one, schemas).length > 0, JSON.stringify(wrong))
  }
  assert.throws(() => misfits(1, { patern: 'x' }, schemas), /unknown keyword/)
})

test('statuses that are described are statuses of problems', () => {
  const known = new Set(Object.values(PROBLEMS).map(([status]) => String(status)))
  for (const { path, operation } of operations) {
    for (const status of Object.keys(operation.responses))
      assert.ok(status === '200' || known.has(status), `${path} ${status}`)
  }
})
