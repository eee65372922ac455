/** Sites that push, as people see it: `comity watch --listen` in one process, the pages and `comity inspect` beside it. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { WatchSample } from '@comity/follow'
import type { PushesModel, PageModel } from '@comity/repository'
import { openServer } from '../../packages/cli/src/collection/collection-server.ts'
import { comity, comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from '../watch/cooperating-site.ts'
import { CALLS_ONLY, heldOf, nextSecond, page, until } from './push-watch.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six']
const SITE = {
  '/': page('Home', ...NAMES.map((name) => `/${name}`)),
  ...Object.fromEntries(NAMES.map((name) => [`/${name}`, page(`${name} 1`)])),
}

interface Watching {
  readonly into: string
  readonly site: CooperatingSite
  readonly base: string
  /** Stops the watch as Ctrl-C would. */
  readonly stop: () => Promise<Ended>
}

/** A crawled site that pushes, a watch in a process of its own that hears it, and the pages. */
async function watching(t: TestContext, options: CooperatingSiteOptions = {}): Promise<Watching> {
  const site = await createCooperatingSite(SITE, { calls: true, schemes: CALLS_ONLY, ...options })
  t.after(() => site[Symbol.asyncDispose]())
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  let child: ChildProcess | undefined
  // Nothing is visited by itself: what comes was sent, or was told of.
  const flags = ['--allow-private', '--budget', '20/s', '--delay', '50ms', '--day', '1h', '--policy', 'metadata']
  const ended = comity(['watch', into, '--listen', '127.0.51.9:0', ...flags, '--subscribe-to', 'pages', '--json'], {
    onStart: (started) => (child = started),
  })
  const stop = (): Promise<Ended> => {
    child?.kill('SIGINT')
    return ended
  }
  t.after(stop)
  const server = await openServer({
    dir: into,
    port: 0,
    host: '127.0.0.1',
    onError: (error) => assert.fail(String(error)),
  })
  t.after(() => server[Symbol.asyncDispose]())
  await until('a subscription', () => [...site.subscribers.all()].length > 0)
  return { into, site, base: server.url, stop }
}

const textOf = async (into: string, url: string): Promise<string> => (await heldOf(into, url))?.text ?? ''

const ask = async <Model>(url: string): Promise<Model> => (await (await fetch(url)).json()) as Model

test('what a site sends is seen beside the watch: how much, how soon, by whom, believed and why', async (t) => {
  const { into, site, base, stop } = await watching(t)
  const callers = (): Promise<PushesModel> => ask<PushesModel>(`${base}api/v1/calls`)
  const url = `${site.origin}/one`
  let version = 1
  const wasSent = async (): Promise<boolean> => {
    await nextSecond()
    await site.set('/one', page(`one ${++version}`))
    await until('it is in', async () => (await textOf(into, url)).includes(`one ${version}`))
    const { captures } = await ask<PageModel>(`${base}api/v1/page?url=${encodeURIComponent(url)}`)
    return captures.some(({ source }) => source === 'push')
  }
  await until('a page that was sent', wasSent)
  await until('the row of the site', async () => {
    const { heard = 0, subscription } = (await callers()).sites[0]?.calls ?? {}
    return heard > 0 && subscription?.state === 'active'
  })
  await until('how soon it was found, and what the doors say', async () => {
    const { crawl } = await callers()
    const pushes = crawl.kind === 'none' ? undefined : crawl.sample.watch?.pushes
    return pushes?.searchable !== undefined && (pushes.doors?.accepted ?? 0) > 0
  })
  const { sites, crawl } = await callers()
  assert.equal(sites[0]?.origin, site.origin)
  assert.deepEqual([sites[0].calls.subscription?.scheme, sites[0].calls.different], ['pages', 0])
  assert.ok(crawl.kind === 'running' && crawl.sample.watch!.pushes!.doors!.accepted > 0)
  for (const path of ['calls', 'freshness', 'sites', `site?origin=${encodeURIComponent(site.origin)}`]) {
    const response = await fetch(`${base}${path}`)
    assert.equal(response.status, 200, path)
    assert.match(await response.text(), /pages/, path)
  }
  const story = await (await fetch(`${base}page?url=${encodeURIComponent(url)}`)).text()
  assert.match(story, /sent by the site/)
  const told = await comityHere(['inspect', into, url])
  assert.match(told.stdout, /ok {2}[\d.]+ KB {2}sent by the site[\s\S]*sent by the site: pages by websub/)
  assert.match(told.stdout, /it pushes +pages, \d+ pages? (?:and|or) notices? so far/)
  const all = await comityHere(['inspect', into])
  assert.match(all.stdout, /Sites that push\n {2}http:\/\/127\.0\.51\.1:\d+ {2}pages/)
  const ended = await stop()
  assert.equal(ended.code, 0, ended.stderr)
  const { watch } = lastJson(ended) as unknown as { watch: WatchSample }
  assert.ok(watch.pushes!.searchable!.count > 0)
  // What was remembered is there when nobody listens any more.
  const { crawl: none, last } = await callers()
  assert.equal(none.kind, 'none')
  assert.ok(last!.watch.pushes!.doors!.accepted > 0)
})

/** What is served of the pages that are sent. */
const otherwise: NonNullable<CooperatingSiteOptions['before']> = (request, response) => {
  const name = NAMES.find((one) => request.url === `/${one}`)
  if (name === undefined) return false
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page(`${name} as it is served`))
  return true
}

test('a site that sends other pages than it serves is in quarantine, and that is seen everywhere', async (t) => {
  const { into, site, base } = await watching(t, { before: otherwise })
  let version = 1
  const isCaught = async (): Promise<boolean> => {
    version++
    await nextSecond()
    for (const name of NAMES) await site.set(`/${name}`, page(`${name} ${version}`))
    const { sites } = await ask<PushesModel>(`${base}api/v1/calls`)
    return (sites[0]?.calls.strikes ?? 0) > 0
  }
  await until('a quarantine', isCaught)
  const { sites } = await ask<PushesModel>(`${base}api/v1/calls`)
  assert.ok(sites[0]!.calls.different >= 2 && sites[0]!.calls.restsUntil! > Date.now())
  for (const path of ['calls', 'sites', `site?origin=${encodeURIComponent(site.origin)}`])
    assert.match(await (await fetch(`${base}${path}`)).text(), /not believed until/, path)
  const told = await comityHere(['inspect', into, `${site.origin}/one`])
  assert.match(told.stdout, /not believed at present/)
  assert.match(told.stdout, /were other pages: not believed until \d{4}-/)
})
