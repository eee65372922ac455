/** A filter that sends the pages that have changed: they come with the word, every one is right, and nothing is lost. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { lastWatch } from '@comity/follow'
import type { CooperationRow } from '@comity/follow'
import { CHANGES_PATH, WARC_TYPE } from '@comity/protocol'
import type { Capture } from '@comity/protocol'
import type { SiteScheme } from '@comity/site'
import { toldTruly } from '../crawl/archive-records.ts'
import { createCooperatingSite } from './cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from './cooperating-site.ts'
import { CHECKING_WORLD, REAL_WORLD, cooperationOf, holdings, keepFresh } from './kept-fresh.ts'
import type { KeptPage } from './kept-fresh.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { page } from '../sites/small-site.ts'

const SCHEMES: readonly SiteScheme[] = ['robots', 'catalog', 'changes']
const paths = Array.from({ length: 120 }, (_, n) => `/a${n}`)
const article = (path: string, version: number): string =>
  `${page(`Article ${path}`, '/')}<p>${`words of ${path} `.repeat(60)}<p>version ${version}`
const PAGES = {
  '/': page('Home', ...paths),
  ...Object.fromEntries(paths.map((path) => [path, article(path, 1)])),
}
/** Fewer than would have to be tried first. */
const CHANGED = paths.slice(10, 30)

type Offer = NonNullable<CooperationRow['offers']>['offers'][number]

async function filterOf(into: string): Promise<Offer> {
  return (await cooperationOf(into)).offers!.offers.find(({ kind }) => kind === 'filter')!
}

/** A collection of a site whose filter has told everything once. */
async function acquainted(options: CooperatingSiteOptions = {}): Promise<{ site: CooperatingSite; into: string }> {
  const site = await createCooperatingSite(PAGES, { schemes: SCHEMES, ...options })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  // The crawl has asked it for types.
  const from = site.asked.length
  await keepFresh(into, () => site.asked.slice(from).some(({ path }) => path === CHANGES_PATH))
  return { site, into }
}

async function change({ site }: { site: CooperatingSite }, version = 2): Promise<void> {
  for (const path of CHANGED) await site.set(path, article(path, version))
}

async function isRight(into: string, version = 2): Promise<boolean> {
  const held = await holdings(into)
  return CHANGED.every((path) => held.get(path)?.text === article(path, version))
}

const broughtOf = (held: ReadonlyMap<string, KeptPage>, among: readonly string[] = CHANGED): string[] =>
  among.filter((path) => held.get(path)?.captures.some(({ scheme }) => scheme === 'filter'))

test('pages that have changed come with the word that they have, new ones too, and one that is gone is known to be', async (t) => {
  const stage = await acquainted()
  const { site, into } = stage
  await using _ = site
  await change(stage)
  await site.set('/new', article('/new', 1))
  await site.set('/a5', undefined)
  const from = site.asked.length
  const seen: Capture[] = []
  const hooks = { onCapture: (capture: Capture) => void seen.push(capture) }
  const isEnough = async (): Promise<boolean> => {
    const held = await holdings(into)
    return (
      (await isRight(into)) &&
      held.get('/new')?.text === article('/new', 1) &&
      held.get('/a5')?.outcome === 'client-error'
    )
  }
  await keepFresh(into, isEnough, {}, REAL_WORLD, hooks)
  const held = await holdings(into)
  const brought = broughtOf(held)
  assert.ok(brought.length >= CHANGED.length / 2, `${brought.length} of ${CHANGED.length} came by the filter`)
  assert.deepEqual(broughtOf(held, ['/new']), ['/new'])
  assert.match(held.get(brought[0]!)!.captures.findLast(({ scheme }) => scheme === 'filter')?.source ?? '', /crawl/)
  await using collection = Collection.openReadOnly(into)
  const { schemes } = lastWatch(collection)!.sample
  assert.ok(schemes['filter-pages']!.requests >= 1 && schemes['filter-pages']!.bytes > 0)
  assert.ok(schemes['filter-pages']!.changed >= brought.length)
  assert.equal(schemes['filter']?.changed ?? 0, 0, 'asking for names brings no pages')
  assert.deepEqual((await toldTruly(into, seen)).get('filter'), new Set(['response']))
  t.diagnostic(`${brought.length} pages came by the filter; ${site.asked.length - from} requests in all`)
})

test('a page that nobody wants is not asked for: with no share for new pages none comes', async () => {
  const { site, into } = await acquainted()
  await using _ = site
  await site.set('/new', article('/new', 1))
  await site.set('/a1', article('/a1', 2))
  await keepFresh(into, async () => (await holdings(into)).get('/a1')?.text === article('/a1', 2), { explore: 0 })
  assert.equal((await holdings(into)).get('/new')?.text, undefined)
})

const isForPages = ({ headers, url }: IncomingMessage): boolean => url === CHANGES_PATH && headers.accept === WARC_TYPE
const FAULTS: readonly [sentence: string, before: (request: IncomingMessage, response: ServerResponse) => boolean][] = [
  ['refuses to send pages', (request, response) => isForPages(request) && answer(response, 422, 'names only')],
  [
    'sends nonsense instead',
    (request, response) => isForPages(request) && answer(response, 200, 'nonsense', WARC_TYPE),
  ],
  ['sends names instead', (request, response) => isForPages(request) && answer(response, 200, '{"token":"x"}\n')],
  ['breaks off', (request, response) => isForPages(request) && breakOff(response)],
]
function answer(response: ServerResponse, status: number, body: string, type = 'text/plain'): true {
  response.writeHead(status, { 'content-type': type }).end(body)
  return true
}
function breakOff(response: ServerResponse): true {
  response.writeHead(200, { 'content-type': WARC_TYPE, 'content-length': '5000' })
  response.write('WARC/1.1\r\nWARC-Type: response\r\n', () => response.destroy())
  return true
}
for (const [sentence, before] of FAULTS) {
  test(`a filter that ${sentence} is asked what changed, and nothing is lost`, async () => {
    const stage = await acquainted({ before })
    const { site, into } = stage
    await using _ = site
    await change(stage)
    await keepFresh(into, () => isRight(into))
    const { bringProblem, bringFailures } = await filterOf(into)
    assert.deepEqual([bringFailures, bringProblem !== undefined], [1, true], 'it rests, and says why')
    assert.deepEqual(broughtOf(await holdings(into)), [])
    const asked = site.asked.filter(({ path }) => path === CHANGES_PATH)
    assert.ok(asked.length >= 3, 'it is asked for names all the same')
  })
}

const served = (path: string): string => article(path, 2).replace('version', 'truly version')

test('a site whose filter sends other pages than it serves is found out, and is not asked for pages any more', async () => {
  let isLying = false
  const stage = await acquainted({
    before: ({ url = '' }, response) =>
      isLying && CHANGED.includes(url) && answer(response, 200, served(url), 'text/html'),
  })
  const { site, into } = stage
  await using _ = site
  await change(stage)
  isLying = true
  await keepFresh(into, async () => (await filterOf(into)).bringProblem !== undefined, {}, CHECKING_WORLD)
  assert.match((await filterOf(into)).bringProblem!, /another page than it serves/)
})
