// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import {
  BATCH_PATH,
  BATCH_TYPE,
  CHANGES_PATH,
  headerOf,
  QUERY_TYPE,
  writeBatch,
  writeChangeQuery,
  writeHttpDate,
} from '@comity/protocol'
import { nodeMiddleware } from '@comity/site'
import { trafficBytes } from './counted-line.ts'
import { CountedSite } from './counted-site.ts'
import { editedBody, madePages } from '../webs/made-pages.ts'
import { openLine } from './http.ts'
import type { Asked } from './http.ts'
import { portOf, createRandom } from '@comity/testbed'
import { SITE_BASE } from './server.ts'

const AT = Date.UTC(2026, 0, 2)
const pages = madePages({ pages: 30, meanBytes: 4_000, seed: 1 })
const [first] = pages

async function openSite(): Promise<CountedSite> {
  const site = await CountedSite.open(pages, { base: SITE_BASE, at: AT })
  const body = editedBody(first!.body, 0.1, 'place', createRandom(1))
  await site.put([{ ...first!, body, modifiedAt: AT + 60_000 }], AT + 60_000)
  site.moveTo(AT + 120_000)
  return site
}

const DOCUMENTS = [['accept-encoding', 'gzip, br, zstd, deflate']] as const
// oxfmt-ignore
const asks: [what: string, asked: Asked][] = [
  ['a page',         { path: first!.path }],
  ['robots.txt',     { path: '/robots.txt' }],
  ['a sitemap',      { path: '/sitemap.xml', headers: DOCUMENTS }],
  ['a change list',  { path: '/metadata/changelist.xml', headers: DOCUMENTS }],
  ['a list of dumps', { path: '/metadata/resourcedump.xml', headers: DOCUMENTS }],
  ['a batch',        { path: BATCH_PATH, method: 'QUERY', headers: [['content-type', BATCH_TYPE]], body: writeBatch(pages.map(({ path }) => ({ url: `${SITE_BASE}${path.slice(1)}` }))) }],
  ['a filter',       { path: CHANGES_PATH, method: 'QUERY', headers: [...DOCUMENTS, ['content-type', QUERY_TYPE]], body: writeChangeQuery({ fields: 'page' }) }],
  ['what is not there', { path: '/none' }],
]

test('bytes are those that sockets carry', async () => {
  const site = await openSite()
  const middleware = nodeMiddleware(site.front)
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) =>
    middleware(request, response, () => {
      const body = site.body(request.url ?? '')
      if (body === undefined) response.statusCode = 404
      else {
        response.setHeader('Last-Modified', writeHttpDate(AT + 60_000))
        response.setHeader('Content-Type', 'text/html')
      }
      response.setHeader('Content-Length', body?.length ?? 0)
      response.end(body)
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await using real = openLine(portOf(server), 'kept')
    const line = site.line()
    for (const [what, asked] of asks) {
      const before = [trafficBytes(line.traffic), trafficBytes(real.traffic)]
      const [here, there] = [await line.ask(asked), await real.ask(asked)]
      assert.equal(here.status, there.status, what)
      const [counted, carried] = [trafficBytes(line.traffic) - before[0]!, trafficBytes(real.traffic) - before[1]!]
      // How a stream is cut, and what its records are called, is up to the moment.
      const isStream = headerOf(there.headers, 'transfer-encoding') !== undefined
      const tolerated = isStream ? 0.01 * carried : 0
      assert.ok(Math.abs(counted - carried) <= tolerated, `${what}: ${counted} counted, ${carried} carried`)
    }
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})

test('a plain site answers 304 to a copy that is current, and packs for who asks', async () => {
  const site = await openSite()
  const line = site.line('plain')
  const whole = await line.ask({ path: first!.path })
  assert.deepEqual(whole.body, site.body(first!.path))
  const etag = whole.headers.find(([name]) => name === 'ETag')![1]
  const before = trafficBytes(line.traffic)
  assert.equal((await line.ask({ path: first!.path, headers: [['if-none-match', etag]] })).status, 304)
  assert.ok(trafficBytes(line.traffic) - before < 600)
  const packed = await line.ask({ path: first!.path, headers: [['accept-encoding', 'gzip']] })
  assert.ok(packed.body.length < whole.body.length / 2)
})

test('the same questions take the same bytes in every run', async () => {
  const totals = []
  for (let run = 0; run < 2; run++) {
    const line = (await openSite()).line()
    for (const [, asked] of asks) await line.ask(asked)
    totals.push(line.traffic)
  }
  assert.deepEqual(totals[0], totals[1])
})
