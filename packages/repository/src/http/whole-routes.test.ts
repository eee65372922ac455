import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createPages } from '../pages/pages.ts'
import { misfits } from '../testing/json-schema-check.ts'
import type { Schema } from '../testing/json-schema-check.ts'
import { ask } from '../testing/sample-server.ts'
import { wholeServer } from '../testing/whole-server.ts'

const { schemas } = (
  JSON.parse(readFileSync(new URL('./openapi.json', import.meta.url), 'utf8')) as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }
).components

test('a cluster is searched and looked at, as pages and as JSON', async (t) => {
  const { server, asked } = wholeServer(createPages('cluster'))
  const { port } = await server.listen()
  t.after(() => server.stop())
  const [cluster, search, start] = await Promise.all(['/cluster', '/search?q=tide', '/'].map((path) => ask(port, path)))
  assert.match(cluster!.text, /Crawl 2 is running[^]*crawler-1-3f9a01bc[^]*does not answer/)
  assert.match(cluster!.text, /1 shard is nobody\u2019s now/)
  assert.match(search!.text, /shard 0/)
  assert.match(start!.text, /<b>3<\/b> shards of/)
  const [told, found] = await Promise.all(['/api/v1/cluster', '/api/v1/search?q=tide'].map((path) => ask(port, path)))
  assert.deepEqual(misfits(told!.value, schemas['Cluster']!, schemas), [])
  assert.deepEqual(misfits(found!.value, schemas['SearchAnswer']!, schemas), [])
  assert.equal(asked.filter((one) => one === 'search tide').length, 2)
})

test('no page of a cluster leads to one that is not there, and what is not there says where to go', async (t) => {
  const { server } = wholeServer(createPages('cluster'))
  const { port } = await server.listen()
  t.after(() => server.stop())
  const pages = await Promise.all(
    ['/', '/search?q=tide', '/cluster', '/sites'].map((path) => ask(port, path, { headers: { accept: 'text/html' } })),
  )
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200, 200, 404],
  )
  const links = new Set(
    pages.flatMap(({ text }) => Array.from(text.matchAll(/ href="(\/[^"#]*)"/g), ([, path]) => path!)),
  )
  const answers = await Promise.all([...links].map((path) => ask(port, path.replaceAll('&amp;', '&'))))
  const dead = [...links].filter((_, i) => answers[i]!.status !== 200)
  assert.deepEqual([links.size > 5, dead], [true, []])
})

test('many who look share one look, and nobody can change anything', async (t) => {
  let now = 0
  const { server, asked } = wholeServer(createPages('cluster'), () => now)
  const { port } = await server.listen()
  t.after(() => server.stop())
  for (let n = 0; n < 3; n++) await ask(port, '/cluster')
  assert.deepEqual(asked, ['status'])
  now = 1_000
  await ask(port, '/api/v1/cluster')
  assert.deepEqual(asked, ['status', 'status'])
  assert.deepEqual(
    server.routes.filter(({ method }) => method !== 'GET'),
    [],
  )
  const { paths } = (await ask(port, '/openapi.json')).value as { paths: object }
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.startsWith('/api/')),
    ['/api/v1/search', '/api/v1/suggest', '/api/v1/cluster'],
  )
  assert.equal((await ask(port, '/readyz')).status, 200)
})
