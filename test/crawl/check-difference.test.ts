/** `comity check` on a site that sends differences: what comes is held against the page. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { checkSite } from '@comity/crawler'
import type { SiteCheck } from '@comity/crawler'
import { encodeVcdiff, writeDigestField } from '@comity/protocol'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSiteOptions } from '../watch/cooperating-site.ts'
import { page } from '../sites/small-site.ts'

const article = (version: number): string =>
  `${page('Article', '/')}<p>${'words that stay '.repeat(60)}<p>version ${version}`

/** A site whose one article has changed, so that its change list names a version before. */
async function checked(before?: CooperatingSiteOptions['before']): Promise<SiteCheck> {
  await using site = await createCooperatingSite(
    { '/': page('Home', '/a'), '/a': article(1) },
    { schemes: ['robots', 'resourcesync'], ...(before === undefined ? {} : { before }) },
  )
  await site.set('/a', article(2))
  return await checkSite(`${site.origin}/a`, { allowPrivate: true, pauseMs: 0 })
}

const findingOf = ({ findings }: SiteCheck): { readonly state: string; readonly found: string } =>
  findings.find(({ about }) => about === 'differences')!

test('a difference that gives the page is found good', async () => {
  const found = await checked()
  assert.deepEqual(
    found.pages.flatMap(({ difference }) => difference ?? []).map(({ coding, problem }) => [coding, problem]),
    [['226', undefined]],
  )
  assert.equal(findingOf(found).state, 'good')
})

/** The head of the page, and the way to another one. */
function sendsAnother(request: IncomingMessage, response: ServerResponse): boolean {
  const base = request.headers['if-none-match']
  if (request.url !== '/a' || request.headers['a-im'] === undefined || base === undefined) return false
  const body = Buffer.from(article(2))
  response.writeHead(226, {
    im: 'vcdiff',
    etag: '"whatever"',
    'delta-base': base,
    'repr-digest': writeDigestField(body),
  })
  response.end(encodeVcdiff(Buffer.from(article(1)), Buffer.from(article(3))))
  return true
}

function servesTheSecond(request: IncomingMessage, response: ServerResponse): boolean {
  if (sendsAnother(request, response)) return true
  if (request.url !== '/a') return false
  response.writeHead(200, { 'content-type': 'text/html', etag: '"whatever"' }).end(article(2))
  return true
}

test('one that gives another page than the site serves is found out', async () => {
  const { state, found } = findingOf(await checked(servesTheSecond))
  assert.equal(state, 'wrong')
  assert.match(found, /226: it makes another page/)
})
