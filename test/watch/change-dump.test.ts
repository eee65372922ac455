// Runs alone: it counts what is asked for, and a busy neighbour changes when.
/** Many changed pages out of a site's change dump: few requests, never a wrong page, and nothing lost whatever it holds. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { World } from '@comity/crawler'
import { WARC_TYPE } from '@comity/protocol'
import type { SiteScheme } from '@comity/site'
import { toldTruly } from '../crawl/archive-records.ts'
import { createCooperatingSite } from './cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from './cooperating-site.ts'
import { CHECKING_WORLD, REAL_WORLD, cooperationOf, holdings, keepFresh } from './kept-fresh.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { page } from '../sites/small-site.ts'

/** It tells what changed, and has packages of it, but takes no batches. */
const SCHEMES: readonly SiteScheme[] = ['robots', 'catalog', 'changes', 'resourcesync', 'dump']
const COUNT = 200
const paths = Array.from({ length: COUNT }, (_, n) => `/a${n}`)
const article = (path: string, version: number): string =>
  `${page(`Article ${path}`, '/')}<p>${`words of ${path} `.repeat(60)}<p>version ${version}`
const PAGES = {
  '/': page('Home', ...paths),
  ...Object.fromEntries(paths.map((path) => [path, article(path, 1)])),
}
const CHANGED = paths.slice(0, 36)
const LATER_MS = 1_500

async function dumpOfferOf(into: string): Promise<{ readonly problem?: string | undefined; readonly news: number }> {
  return (await cooperationOf(into)).offers!.offers.find(({ kind }) => kind === 'change-dump')!
}

const watch = (into: string, isEnough: () => boolean | Promise<boolean>, world: World = REAL_WORLD): Promise<void> =>
  keepFresh(into, isEnough, { explore: 0 }, world)

/** Its filter tells what changed, and sends no pages. */
function tellsOnly({ headers }: IncomingMessage, response: ServerResponse): boolean {
  return headers.accept === WARC_TYPE && answered(response, 422, 'no pages here')
}

/** A collection of a site whose lists were read, and thirty-six pages of which have changed since. */
async function changedSite({ before }: CooperatingSiteOptions = {}): Promise<{ site: CooperatingSite; into: string }> {
  const site = await createCooperatingSite(PAGES, {
    schemes: SCHEMES,
    before: (request, response) => tellsOnly(request, response) || before?.(request, response) === true,
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  await watch(into, () => site.asked.filter(({ path }) => path.endsWith('/changes')).length >= 2)
  for (const path of CHANGED) await site.set(path, article(path, 2))
  return { site, into }
}

const isRight = async (into: string): Promise<boolean> => {
  const held = await holdings(into)
  return CHANGED.every((path) => held.get(path)?.text === article(path, 2))
}

const packagesAsked = ({ asked }: CooperatingSite): number =>
  asked.filter(({ path }) => /^\/metadata\/changedump.*\.zip$/.test(path)).length

test('thirty-six changed pages come in a few packages, and every one is right', async (t) => {
  const { site, into } = await changedSite()
  await using _ = site
  const from = site.asked.length
  await watch(into, () => isRight(into))
  const held = await holdings(into)
  const brought = CHANGED.filter((path) => held.get(path)!.captures.some(({ scheme }) => scheme === 'dump'))
  assert.ok(brought.length >= 24, `${brought.length} of thirty-six came in packages`)
  assert.ok(held.get(brought[0]!)!.captures.every(({ source, scheme }) => (scheme === 'dump') === (source === 'dump')))
  const asked = site.asked.slice(from).map(({ path }) => path)
  const since = asked.slice(asked.indexOf('/metadata/changedump.xml'))
  const requests = since.filter((path) => path.startsWith('/metadata/changedump') || CHANGED.includes(path)).length
  assert.ok(requests < 24, asked.join('\n'))
  assert.ok((await dumpOfferOf(into)).news > 8, 'what it brought is remembered')
  assert.deepEqual((await toldTruly(into)).get('dump'), new Set(['resource']))
  t.diagnostic(`${requests} requests, ${packagesAsked(site)} of them for packages; ${brought.length} pages in them`)
})

const FAULTS: readonly [sentence: string, before: NonNullable<CooperatingSiteOptions['before']>][] = [
  [
    'a package that is no ZIP',
    ({ url = '' }, response) =>
      /^\/metadata\/changedump.*\.zip$/.test(url) && answered(response, 200, 'PK but no more'),
  ],
  ['packages that are missing', ({ url = '' }, response) => url.endsWith('.zip') && answered(response, 404, '')],
  [
    'a list that is nonsense',
    ({ url = '' }, response) => url === '/metadata/changedump.xml' && answered(response, 200, '<p>'),
  ],
]
function answered(
  response: { writeHead(status: number): { end(body: string): unknown } },
  status: number,
  body: string,
): true {
  response.writeHead(status).end(body)
  return true
}
for (const [sentence, before] of FAULTS) {
  test(`${sentence} costs nothing but itself: the pages are fetched one by one`, async () => {
    const { site, into } = await changedSite({ before })
    await using _ = site
    await watch(into, () => isRight(into))
    assert.ok((await dumpOfferOf(into)).problem !== undefined, 'it rests, and says why')
    assert.ok(site.asked.filter(({ path }) => path === '/metadata/changedump.xml').length <= 1)
  })
}

test('a dump that holds older pages than were announced is not taken for them', async () => {
  const stale = new Map<string, Buffer>()
  let isStale = false
  const { site, into } = await changedSite({
    before: ({ url = '' }, response) => {
      const kept = isStale ? stale.get(url) : undefined
      // More than a second has passed at the site, as dates are no finer than that.
      if (isStale) response.setHeader('date', new Date(Date.now() + LATER_MS).toUTCString())
      if (kept !== undefined) response.writeHead(200).end(kept)
      return kept !== undefined
    },
  })
  await using _ = site
  // All changes are in the dump; then all of them change once more, and the files of the dump stay as they are.
  const list = Buffer.from(await (await fetch(`${site.origin}/metadata/changedump.xml`)).arrayBuffer())
  stale.set('/metadata/changedump.xml', list)
  for (const [, url = ''] of list.toString().matchAll(/<loc>([^<]+)<\/loc>/g))
    stale.set(new URL(url).pathname, Buffer.from(await (await fetch(url)).arrayBuffer()))
  for (const path of CHANGED) await site.set(path, article(path, 3), Date.now() + LATER_MS)
  isStale = true
  await watch(into, async () => {
    const held = await holdings(into)
    return CHANGED.every((path) => held.get(path)?.text === article(path, 3))
  })
  const held = await holdings(into)
  const old = CHANGED.filter((path) => held.get(path)!.captures.some(({ scheme }) => scheme === 'dump'))
  assert.deepEqual(old, [])
})

const served = (path: string): string => article(path, 2).replace('version', 'truly version')

test('a site whose dump holds other pages than it serves is found out, and dumps no more', async () => {
  let isLying = false
  const { site, into } = await changedSite({
    before: ({ url = '' }, response) => {
      if (!isLying || !CHANGED.includes(url)) return false
      response.writeHead(200, { 'content-type': 'text/html' }).end(served(url))
      return true
    },
  })
  await using _ = site
  isLying = true
  await watch(into, async () => (await dumpOfferOf(into)).problem !== undefined, CHECKING_WORLD)
  assert.match((await dumpOfferOf(into)).problem!, /another page than it serves/)
})
