/** Sites that push: what they send is in the collection, right, once, and without a request of ours. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeyRing, writeChangeNotification } from '@comity/protocol'
import type { Capture } from '@comity/protocol'
import { indexNowSubscriber, pushSchedule, pushSubscriber, SCHEMES } from '@comity/site'
import { EventSource } from 'undici'
import type { MessageEvent } from 'undici'
import { toldTruly } from '../crawl/archive-records.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from '../watch/cooperating-site.ts'
import {
  CALLS_ONLY,
  heldOf,
  nextSecond,
  page,
  pushRecord,
  PushWatch,
  subscribed,
  until,
  watchedSite,
} from './push-watch.ts'
import type { PushWatchOptions, WatchedSite } from './push-watch.ts'
import { PushSender } from './push-sender.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

const OTHERS = Array.from({ length: 60 }, (_, number) => `/other/${number}`)
const SITE: Readonly<Record<string, string>> = {
  '/': page('Home', '/news', ...OTHERS),
  '/news': page('News 1'),
  ...Object.fromEntries(OTHERS.map((path) => [path, page(`Other ${path}`)])),
}

const pair = (options: CooperatingSiteOptions, watching: PushWatchOptions): Promise<WatchedSite> =>
  watchedSite(SITE, options, watching)

/** From then on a watch asks it nothing for an hour. */
const asksFirst = (site: CooperatingSite) => (): boolean =>
  site.asked.some(({ path, status }) => path === '/.well-known/comity/changes' && status === 200)

async function setAll(site: CooperatingSite, paths: readonly string[], title: string): Promise<void> {
  for (const path of paths) await site.set(path, page(`${title} of ${path}`))
}

async function allHeld(
  { site, watch }: Pick<WatchedSite, 'site' | 'watch'>,
  paths: readonly string[],
  title: string,
): Promise<void> {
  for (const path of paths)
    await until(`${title} of ${path}`, () => watch.holds(site.origin + path, `${title} of ${path}`))
}

/** Nobody has asked it for anything for a second. */
async function untilQuiet(site: CooperatingSite): Promise<void> {
  for (let before = -1; before < site.asked.length; await sleep(1_000)) before = site.asked.length
}

const scheme = (subscribeTo: 'differences' | 'pages' | 'changes' | 'batches' | 'site'): PushWatchOptions => ({
  watch: { subscribeTo: [subscribeTo] },
})

describe('a site that pushes', { concurrency: 4 }, () => {
  for (const [name, by] of [
    ['differences', 'difference'],
    ['pages', undefined],
  ] as const) {
    it(`sends what changed as ${name}: it is held as it is, and no request was made for it`, async () => {
      await using both = await pair({}, scheme(name))
      const { site, watch } = both
      await until('a subscription', subscribed(site))
      // The first few are fetched too, to see whether they are right; of the rest nearly none.
      const paths = OTHERS.slice(0, 12)
      await setAll(site, paths, 'Second')
      await allHeld(both, paths, 'Second')
      // What it has sent is what the next difference is from; those that are fetched too have been by then.
      await untilQuiet(site)
      const before = site.asked.length
      await setAll(site, paths, 'Third')
      await allHeld(both, paths, 'Third')
      const asked = new Set(site.asked.slice(before).map(({ path }) => path))
      const sent = paths.filter((path) => !asked.has(path))
      assert.ok(sent.length > 6, `${sent.length} were not asked for`)
      for (const path of sent) {
        const { captures } = (await watch.held(site.origin + path))!
        assert.deepEqual([captures.at(-1)?.source, captures.at(-1)?.scheme], ['push', by], path)
      }
      await site.set('/news', undefined)
      await until('the page is gone', async () => ((await watch.held(`${site.origin}/news`))?.status ?? 0) >= 400)
      await site.set('/fresh', page('Fresh'))
      await until('a new page', () => watch.holds(`${site.origin}/fresh`, 'Fresh'))
    })
  }

  it('tells of a change: the page is fetched, and how we learnt of it is kept', async () => {
    await using both = await pair({ schemes: [...CALLS_ONLY, 'resourcesync'] }, scheme('changes'))
    const { site, watch } = both
    await until('a subscription', subscribed(site))
    await site.set('/news', page('News 2'))
    const url = `${site.origin}/news`
    await until('the new version', () => watch.holds(url, 'News 2'))
    assert.ok((await watch.held(url))!.captures.every(({ source }) => source === 'crawl'))
    assert.deepEqual(watch.outcomes(url), ['heard'])
  })

  it('sends batches on its schedule: pages come together, and what is gone is gone', async () => {
    const calls = { schedule: pushSchedule('every 1 s') }
    const seen: Capture[] = []
    const crawl = { hooks: { onCapture: (capture: Capture) => void seen.push(capture) } }
    await using both = await pair({ calls }, { ...scheme('batches'), crawl })
    const { site, watch } = both
    await until('a subscription', subscribed(site))
    const paths = OTHERS.slice(0, 5)
    await setAll(site, paths, 'Second')
    await site.set('/news', undefined)
    await allHeld(both, paths, 'Second')
    await until('the page is gone', async () => ((await watch.held(`${site.origin}/news`))?.status ?? 0) >= 400)
    const schemes = watch.events.filter(({ origin }) => origin === site.origin).map((event) => event.scheme)
    assert.deepEqual([...new Set(schemes)], ['batches'])
    const captures = await Promise.all(paths.map(async (path) => (await watch.held(site.origin + path))!.captures))
    assert.ok(captures.flat().some(({ source, scheme: by }) => source === 'push' && by === 'batch'))
    assert.deepEqual((await toldTruly(watch.into, seen)).get('batch'), new Set(['response']))
  })

  it('announces batches: it is asked what changed at once, and not for a page named like the dump', async () => {
    const calls = { schedule: pushSchedule('every 1 s'), isBatchAnnounced: true }
    await using both = await pair({ calls, schemes: SCHEMES }, scheme('batches'))
    const { site, watch, into } = both
    await until('a subscription', subscribed(site))
    await until('it was asked what changed', asksFirst(site))
    const paths = OTHERS.slice(0, 10)
    await setAll(site, paths, 'Second')
    await allHeld(both, paths, 'Second')
    const told = watch.events.filter(({ origin }) => origin === site.origin)
    assert.deepEqual([...new Set(told.map(({ outcome }) => outcome))], ['announced'])
    assert.equal(await heldOf(into, `${site.origin}/changedump.xml`), undefined)
  })

  it('tells of pages where a batch was wanted: they are heard of, and it is asked what changed', async () => {
    const ring = newKeyRing(Buffer.alloc(32, 8), Date.now() - 86_400_000)
    await using both = await pair({ calls: { keys: { ring: () => ring } } }, { watch: { subscriptions: 0 } })
    const { site, watch } = both
    const [url, dump] = [`${site.origin}/news`, `${site.origin}/changedump.xml`]
    await site.set('/news', page('News 2'))
    const changes = [url, dump].map((named) => ({ url: named, change: 'updated' as const, changedAt: Date.now() }))
    const headers = [['Link', `<${site.origin}/push/batches>; rel="self"`]] as const
    const sender = new PushSender(watch.doors.url, site.origin, () => ring)
    const body = writeChangeNotification({ changes })
    assert.equal((await sender.push({ type: 'application/xml', headers, body })).status, 202)
    await until('the new version', () => watch.holds(url, 'News 2'))
    const told = watch.events.filter(({ origin }) => origin === site.origin)
    assert.deepEqual(
      told.map((event) => [event.scheme, event.url, event.outcome]),
      [
        ['batches', url, 'heard'],
        ['batches', undefined, 'announced'],
      ],
    )
    assert.equal(await heldOf(both.into, dump), undefined)
  })

  it('sends all of itself once, in parts', async () => {
    const calls = { limits: { partBytes: 2_000 } }
    await using site = await createCooperatingSite(SITE, { calls, schemes: CALLS_ONLY })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    // While nobody listens.
    const paths = OTHERS.slice(0, 20)
    await nextSecond()
    await setAll(site, paths, 'Second')
    await site.set('/fresh', page('Fresh'))
    await using watch = new PushWatch(into, scheme('site'))
    await allHeld({ site, watch }, paths, 'Second')
    await until('a new page', () => watch.holds(`${site.origin}/fresh`, 'Fresh'))
    // What had not changed came, too.
    await until('the rest', () => watch.outcomes(`${site.origin}/other/50`).includes('same'))
    const captures = await Promise.all(paths.map(async (path) => (await watch.held(site.origin + path))!.captures))
    assert.ok(captures.flat().some(({ source, scheme: by }) => source === 'push' && by === 'dump'))
    assert.ok(site.deliveryWorker.states()[0]!.delivered > 0)
  })

  it('signs what it sends to an address that its owner wrote down, with keys that it publishes', async () => {
    const ring = newKeyRing(Buffer.alloc(32, 7), Date.now() - 86_400_000)
    await using both = await pair({ calls: { keys: { ring: () => ring } } }, { watch: { subscriptions: 0 } })
    const { site, watch } = both
    const address = { url: `${watch.doors.url}/push`, scheme: 'differences', base: `${site.origin}/` } as const
    await site.subscribers.put(pushSubscriber({ ...address, begins: site.last }))
    await site.set('/news', page('News 2'))
    await until('the new version', () => watch.holds(`${site.origin}/news`, 'News 2'))
    const event = watch.events.find(({ origin }) => origin === site.origin)
    assert.deepEqual([event?.door, event?.scheme, event?.outcome], ['push', 'differences', 'applied'])
    assert.equal([...site.subscribers.all()].length, 1, 'nobody subscribed')
  })

  it('tells by IndexNow, soon after it was visited too: its key is looked up, and the page fetched', async () => {
    await using both = await pair({ calls: { indexNowKey: 'key-of-this-site' } }, { watch: { subscriptions: 0 } })
    const { site, watch } = both
    await site.subscribers.put(indexNowSubscriber(`${watch.doors.url}/indexnow`, site.last))
    await site.set('/news', page('News 2'))
    const url = `${site.origin}/news`
    await until('the new version', () => watch.holds(url, 'News 2'))
    const event = watch.events.find(({ origin }) => origin === site.origin)
    assert.deepEqual([event?.door, event?.outcome], ['indexnow', 'heard'])
    assert.ok(site.asked.some(({ path, status }) => path === '/key-of-this-site.txt' && status === 200))
    assert.ok((await watch.held(url))!.captures.every(({ source }) => source === 'crawl'))
  })

  it('keeps everything while the crawler is away, and ten edits come as one', async () => {
    await using site = await createCooperatingSite(SITE, { calls: true, schemes: CALLS_ONLY })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { dumps: false })
    let port = 0
    {
      await using watch = new PushWatch(into, scheme('pages'))
      await until('a subscription', subscribed(site))
      port = watch.port
    }
    for (let version = 2; version <= 11; version++) await site.set('/news', page(`News ${version}`))
    const url = `${site.origin}/news`
    assert.ok((await heldOf(into, url))!.text.includes('News 1'))
    await using watch = new PushWatch(into, { ...scheme('pages'), port })
    await until('the last of them', () => watch.holds(url, 'News 11'))
    assert.equal((await watch.held(url))!.captures.filter(({ source }) => source === 'push').length, 1)
  })

  it('and lies is found out: what it sends is a hint for a time, then it may try again', async () => {
    const lies = { isOn: true }
    // It would rather say that nothing has changed than show what it serves.
    const before: CooperatingSiteOptions['before'] = ({ url = '', headers }, response) => {
      if (!lies.isOn || !url.startsWith('/other/')) return false
      const isAsked = headers['if-none-match'] !== undefined
      response.writeHead(isAsked ? 304 : 200, { 'content-type': 'text/html' })
      response.end(isAsked ? undefined : page(`Served ${url}`))
      return true
    }
    const clock = { aheadMs: 0 }
    const now = (): number => Date.now() + clock.aheadMs
    await using both = await pair({ before }, { ...scheme('pages'), world: { now, random: Math.random } })
    const { site, watch } = both
    await until('a subscription', subscribed(site))
    const urlOf = (path: string): string => site.origin + path
    const paths = OTHERS.slice(0, 3)
    await setAll(site, paths, 'Lie')
    for (const path of paths) await until('it is taken', () => watch.outcomes(urlOf(path)).includes('applied'))
    for (const path of paths) await until('what it serves is held', () => watch.holds(urlOf(path), `Served ${path}`))
    // It goes on: so it could have sent what was found.
    await site.set('/other/8', page('Lie of /other/8'))
    await until('it is found out', async () => (await pushRecord(both))?.strikes === 1)
    const { different, restsUntil } = (await pushRecord(both))!
    assert.ok(different >= 2 && restsUntil > Date.now(), `${different} different`)
    // In quarantine: no page of its is taken, and each is visited instead.
    await nextSecond()
    await site.set('/other/9', page('Lie of /other/9'))
    await until('a hint', () => watch.outcomes(urlOf('/other/9')).includes('hint'))
    assert.ok(!(await watch.holds(urlOf('/other/9'), 'Lie')))
    // It mends its ways, and its time passes.
    lies.isOn = false
    clock.aheadMs = restsUntil - Date.now()
    await site.set('/other/20', page('Truth of /other/20'))
    await until('it is believed again', () => watch.outcomes(urlOf('/other/20')).includes('applied'))
    await until('the truth', () => watch.holds(urlOf('/other/20'), 'Truth'))
    assert.equal((await pushRecord(both))!.strikes, 1)
  })

  it('tells whoever listens, by a stream that goes on after a cut: read by a reader that is not ours', async () => {
    const streams: ServerResponse[] = []
    const before: CooperatingSiteOptions['before'] = (request, response) => {
      if (request.url?.startsWith('/push/events') === true) streams.push(response)
      return false
    }
    await using site = await createCooperatingSite(SITE, { calls: true, before })
    const heard: { readonly url: string; readonly change: string; readonly id: string }[] = []
    const source = new EventSource(`${site.origin}/push/events`)
    source.addEventListener('change', (event) => {
      const { data, lastEventId } = event as MessageEvent
      const { url, change } = JSON.parse(String(data)) as { url: string; change: string }
      heard.push({ url, change, id: lastEventId })
    })
    await until('a stream', () => source.readyState === EventSource.OPEN)
    await site.set('/news', page('News 2'))
    await until('the first', () => heard.length === 1)
    streams[0]!.destroy()
    await site.set('/other/1', page('Other 2'))
    await site.set('/other/2', undefined)
    await until('those that it missed', () => heard.length === 3)
    source.close()
    assert.deepEqual(
      heard.map(({ url, change }) => [url.slice(site.origin.length), change]),
      [
        ['/news', 'updated'],
        ['/other/1', 'updated'],
        ['/other/2', 'deleted'],
      ],
    )
    assert.ok(heard.at(-1)!.id.length > 0)
    assert.equal(streams.length, 2)
  })
})
