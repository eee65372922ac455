/**
 * A running watch that hostile documents arrive at, for the hostile table: as what a site answers when it is asked for a page
 * or for what changed, and as what a site or a gateway sends. Each row has a site of its own, as a site is asked no more for
 * what was of no use; when the row is over, a good version of its page must have come in.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Collection, storedContent } from '@comity/collection'
import { crawl, watchOptions } from '@comity/crawler'
import { gatewayRows } from '@comity/ingest'
import type { CooperationRow } from '@comity/follow'
import type { CrawlControl, CrawlOptions } from '@comity/crawler'
import type { SentEvent } from '@comity/ingest'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  API_CATALOG_PATH,
  BATCH_PATH,
  CHANGES_PATH,
  KEY_DIRECTORY_PATH,
  newKeyRing,
  publishedKeys,
  WARC_TYPE,
  writeApiCatalog,
  writeKeySet,
} from '@comity/protocol'
import { WatchEndpoints } from '@comity/receiver'
import { placeAgent } from '../../packages/cli/src/agent/placement.ts'
import { EngineAgents } from '../../packages/cli/src/agent/engine-agents.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { gatewaysFile, GatewaySender, keyRingOf } from '../gateway/gateway-sender.ts'
import { PushSender } from '../push/push-sender.ts'
import { createSmallSite } from '../sites/small-site.ts'
import type { Answer, Asked, Route, SmallSite } from '../sites/small-site.ts'

/** How something arrives at a watch. */
export type WatchedArrival =
  | 'watched difference'
  | 'watched dictionary'
  | 'watched batch'
  | 'watched filter'
  | 'watched package'
  | 'watched push'
  | 'watched gateway'

export interface HostileWatch extends AsyncDisposable {
  /** What came of it, by its name; or what is wrong with the watch. */
  arrive(arrives: WatchedArrival, body: Uint8Array, as: string | undefined): Promise<string>
}

const ADDRESS = '127.0.51.3'
const HOST = '127.0.51.9'
const RING = newKeyRing(Buffer.alloc(32, 31), Date.now() - 86_400_000)
const GATEWAY = keyRingOf(32)
const WAIT_MS = 60_000
/** A page of the sites here. */
export const words = (version: string): string =>
  `<title>${version}</title><p>${'the same words on every page, as sites have them, '.repeat(100)}<p>${version}`

export async function openHostileWatch(into: string, options: Partial<CrawlOptions>): Promise<HostileWatch> {
  const bundles = `${into}-bundles`
  const source = readFileSync(join(import.meta.dirname, '../../examples/agents/visible-text-change.js'), 'utf8')
  const at = Date.now()
  const bundle = await placeAgent({ source, engine: `http://${HOST}/keys`, agents: `${into}-agents`, bundles, at })
  const { name: agent, version } = bundle.manifest
  const head = { agent, version, bundle: bundle.digest, at, pages: 1, pagesDigest: `sha-256:${'0'.repeat(64)}` }
  const opened = Promise.withResolvers<void>()
  const controlled = Promise.withResolvers<CrawlControl>()
  const gateways = gatewaysFile([{ name: 'north', rings: [GATEWAY], hosts: ['*.uni.example'] }])
  const doors = new WatchEndpoints({
    dir: into,
    listen: { host: HOST, port: 0 },
    mayBeHttp: true,
    gateways,
    agents: new EngineAgents(bundles),
    onOpen: () => opened.resolve(),
  })
  const stop = new AbortController()
  const watch = watchOptions({ requestsPerSecond: 50, dayMs: 4_000, explore: 0.2, minPollMs: 150 })
  let failure: Error | undefined
  const run = crawl({
    into,
    options: { ...options, seeds: [], watch },
    intake: doors,
    signal: stop.signal,
    onControl: (control) => controlled.resolve(control),
  }).catch((error: unknown) => {
    failure = error as Error
    controlled.reject(error)
  })
  const events: SentEvent[] = []
  const hear = (event: unknown): void => void events.push(event as SentEvent)
  subscribe('comity:sent', hear)
  const control = await controlled.promise
  await opened.promise
  const gateway = new GatewaySender(doors.url, GATEWAY)
  const parts: Parts = { into, doors, control, events, gateway, agentHead: `${JSON.stringify(head)}\n` }
  return {
    arrive: async (arrives, body, as) => {
      const came = await ARRIVALS[arrives](parts, body, as)
      return failure === undefined ? came : `the watch ended: ${failure.message}`
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await run
      unsubscribe('comity:sent', hear)
    },
  }
}

interface Parts {
  readonly into: string
  readonly doors: WatchEndpoints
  readonly control: CrawlControl
  readonly events: readonly SentEvent[]
  readonly gateway: GatewaySender
  /** The first line of what the agent that may speak says. */
  readonly agentHead: string
}

type Arrive = (parts: Parts, body: Uint8Array, as: string | undefined) => Promise<string>

const ARRIVALS: Readonly<Record<WatchedArrival, Arrive>> = {
  'watched difference': (parts, body, as = 'vcdiff') =>
    differs(parts, ({ headers }) =>
      headers['a-im'] === undefined
        ? undefined
        : { status: 226, headers: { IM: as, ETag: '"b"', 'Delta-Base': '"a"' }, body },
    ),
  'watched dictionary': (parts, body, as = 'dcz') =>
    differs(parts, ({ headers }) =>
      headers['available-dictionary'] === undefined
        ? undefined
        : { headers: { 'Content-Encoding': as, ETag: '"b"' }, body },
    ),
  'watched batch': async (parts, body, as) => {
    const coding: Record<string, string> = as === undefined ? {} : { 'content-encoding': as }
    const routes = {
      [API_CATALOG_PATH]: writeApiCatalog('/', { batch: BATCH_PATH }),
      [BATCH_PATH]: { headers: { 'content-type': WARC_TYPE, ...coding }, body },
    }
    return await asked(parts, routes, (row) => problemWith('batch', row))
  },
  'watched filter': async (parts, body, as) => {
    const coding: Record<string, string> = as === undefined ? {} : { 'content-encoding': as }
    const routes = {
      [API_CATALOG_PATH]: writeApiCatalog('/', { changes: CHANGES_PATH }),
      [CHANGES_PATH]: { headers: { 'content-type': 'application/x-ndjson', ...coding }, body },
    }
    return await asked(parts, routes, (row) => problemWith('filter', row))
  },
  'watched package': packaged,
  'watched push': pushed,
  'watched gateway': shipped,
}

// ── what a site answers ───────────────────────────────────────────────────────────────────────────────────────────────

const usual = (version: string): Answer => ({
  headers: { ETag: `"${version}"`, 'Use-As-Dictionary': 'match="/*"' },
  body: words(version),
})

/** Whoever is asked for a difference answers with what is hostile; whoever is not, with the page as it is. */
async function differs(parts: Parts, hostile: (asked: Asked) => Answer | undefined): Promise<string> {
  let isHostile = false
  await using site = await createSmallSite(
    { '/': (one) => (isHostile ? (hostile(one) ?? usual('b')) : usual('a')) },
    ADDRESS,
  )
  const url = `${site.origin}/`
  await parts.control.addSeed(url)
  await until('the first version', () => holds(parts.into, url, 'a'))
  isHostile = true
  await until('the good version behind it', () => holds(parts.into, url, 'b'))
  return named((await rowOf(parts.into, site.origin)).differences?.problem)
}

/** Pages that stay, an offer that is hostile, and in the end another page. */
async function asked(
  parts: Parts,
  routes: Readonly<Record<string, Route>>,
  problemOf: (row: CooperationRow) => string | undefined,
): Promise<string> {
  let version = 'a'
  const paths = Array.from({ length: 3 }, (_, n) => `/${n}`)
  const site: SmallSite = await createSmallSite(
    {
      '/': () => ({
        headers: { etag: `"${version}"` },
        body: words(version) + paths.map((path) => `<a href="${path}">${path}</a>`).join(' '),
      }),
      ...Object.fromEntries(paths.map((path) => [path, { headers: { etag: '"1"' }, body: words(path) }])),
      ...routes,
    },
    ADDRESS,
  )
  await using _ = site
  return await endsWell(parts, site.origin, problemOf, () => (version = 'b'))
}

/** Until what is hostile has its name; then a good version must come. */
async function endsWell(
  parts: Parts,
  origin: string,
  problemOf: (row: CooperationRow) => string | undefined,
  change: () => unknown,
): Promise<string> {
  const url = `${origin}/`
  await parts.control.addSeed(url)
  await until('the first version', () => holds(parts.into, url, 'a'))
  let problem: string | undefined
  await until('a name for it', async () => (problem = problemOf(await rowOf(parts.into, origin))) !== undefined)
  await change()
  await until('the good version behind it', () => holds(parts.into, url, 'b'))
  return named(problem)
}

/** The packages of a site that tells of a dozen changes. */
async function packaged(parts: Parts, body: Uint8Array): Promise<string> {
  const paths = Array.from({ length: 12 }, (_, n) => `/p${n}`)
  let isHostile = false
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
  await using site = await createCooperatingSite(
    { '/': `${words('a')}${links}`, ...Object.fromEntries(paths.map((path) => [path, words(`first ${path}`)])) },
    {
      address: ADDRESS,
      schemes: ['robots', 'catalog', 'changes', 'resourcesync', 'dump'],
      before: ({ url = '', headers }, response) => {
        const isPackage = isHostile && url.endsWith('.zip')
        // Its filter tells what changed, and sends no pages.
        const isForPages = headers.accept === WARC_TYPE
        if (isPackage) response.writeHead(200, { 'content-type': 'application/zip' }).end(body)
        else if (isForPages) response.writeHead(422).end()
        return isPackage || isForPages
      },
    },
  )
  const url = `${site.origin}/`
  await parts.control.addSeed(url)
  await until('all of its pages', async () => await holds(parts.into, `${url}p11`, 'first /p11'))
  await until('two looks', () => site.asked.filter(({ path }) => path === CHANGES_PATH).length >= 2)
  isHostile = true
  let [round, problem]: [number, string | undefined] = [0, undefined]
  await until(
    'a name for it',
    async () => {
      problem = problemWith('change-dump', await rowOf(parts.into, site.origin))
      if (problem === undefined) for (const path of paths) await site.set(path, words(`${round++} of ${path}`))
      return problem !== undefined
    },
    1_000,
  )
  await site.set('/', `${words('b')}${links}`)
  await until('the good version behind it', () => holds(parts.into, url, 'b'))
  return named(problem)
}

// ── what is sent ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** By a site that proves who it is: refused at the endpoints, or taken in under a name. Then a page of its own is sent. */
async function pushed(parts: Parts, made: Uint8Array, as = WARC_TYPE): Promise<string> {
  const { into, doors, events, control, agentHead } = parts
  const body = as === ROWS ? Buffer.concat([Buffer.from(agentHead), made]) : made
  const keys = { headers: { 'content-type': 'application/json' }, body: writeKeySet(publishedKeys(RING, Date.now())) }
  await using site = await createSmallSite({ '/': words('a'), [KEY_DIRECTORY_PATH]: keys }, ADDRESS, port)
  await control.addSeed(`${site.origin}/`)
  await until('its page', () => holds(into, `${site.origin}/`, 'a'))
  const sender = new PushSender(doors.url, site.origin, () => RING)
  const before = events.length
  const { kind } = await sender.push({ body, type: as })
  const url = `${site.origin}/sent-${before}`
  await sender.pages({ url, body: words('sent behind it'), at: Date.now() })
  await until('the page that was sent behind it', () => holds(into, url, 'sent behind it'))
  if (kind !== undefined) return kind
  const outcomes = events.slice(before).filter((event) => event.origin === site.origin && event.url !== url)
  return [...new Set(outcomes.map(({ outcome }) => outcome))].join(', ')
}

/** What agents say. */
const ROWS = 'application/x-ndjson'
/** A site that will push next: known before it is there, so that a body can name its pages. */
export const newPushingSite = (): string => `http://${ADDRESS}:${++port}`
let port = 50_812

/** By a gateway: likewise. */
async function shipped({ into, gateway }: Parts, body: Uint8Array): Promise<string> {
  const before = await shippedBy(into)
  const { kind } = await gateway.post(body)
  const url = `http://www.uni.example/behind-${++shipments}`
  await gateway.send({ words: [{ url, html: words('seen behind it'), at: Date.now() }] })
  await until('the page that was seen behind it', () => isKnown(into, url))
  if (kind !== undefined) return kind
  await until('the count', async () => (await shippedBy(into)).has('taken'))
  const after = [...(await shippedBy(into))].map(
    // The page behind it was taken.
    ([name, count]) => [name, count - (before.get(name) ?? 0) - Number(name === 'taken')] as const,
  )
  return after.flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])).join(', ') || 'counted'
}

let shipments = 0

/** Rows of the gateway's, by what came of each. */
async function shippedBy(into: string): Promise<ReadonlyMap<string, number>> {
  await using collection = Collection.openReadOnly(into)
  return new Map(Object.entries(gatewayRows(collection)['north']?.outcomes ?? {}))
}

// ── what is held ──────────────────────────────────────────────────────────────────────────────────────────────────────

async function isKnown(into: string, url: string): Promise<boolean> {
  await using collection = Collection.openReadOnly(into)
  for (const { key } of collection.pages()) if (collection.url(key) === url) return true
  return false
}

async function holds(into: string, url: string, version: string): Promise<boolean> {
  await using collection = Collection.openReadOnly(into)
  for (const { key, value } of collection.pages()) {
    if (value.body === undefined || collection.url(key) !== url) continue
    const content = storedContent(collection, value.body)
    return content.kind === 'ok' && Buffer.from(content.bytes).toString().includes(words(version))
  }
  return false
}

async function rowOf(into: string, origin: string): Promise<CooperationRow> {
  await using collection = Collection.openReadOnly(into)
  for (const [id, site] of collection.sites<{ readonly origin: string }>())
    if (site.origin === origin) return (collection.cooperation(id) as CooperationRow | undefined) ?? {}
  return {}
}

const problemWith = (wanted: string, { offers }: CooperationRow): string | undefined =>
  offers?.offers.find(({ kind }) => kind === wanted)?.problem

/** The name of the outcome in a sentence. */
const named = (problem = 'nothing'): string => /too-much-work|too-large/.exec(problem)?.[0] ?? problem

async function until(what: string, isSo: () => boolean | Promise<boolean>, everyMs = 100): Promise<void> {
  for (const end = Date.now() + WAIT_MS; !(await isSo()); await sleep(everyMs))
    if (Date.now() > end) throw new Error(`a minute was not enough for: ${what}`)
}
