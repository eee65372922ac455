// Runs alone: it is long.
/**
 * One of the two is away, full, or wrong about the time: what a site has to send waits for its moment, and in the end the
 * collection has what the site serves. The other faults, of what is sent itself, are in `push-faults.test.ts`.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FileInbox } from '@comity/collection'
import type { World } from '@comity/crawler'
import { newKeyRing, writeUploadFields } from '@comity/protocol'
import { pushSubscriber } from '@comity/site'
import type { PushScheme, Subscriber } from '@comity/site'
import { comity } from '../../packages/cli/src/testing/spawned-comity.ts'
import { ran } from '../../packages/agent/src/testing/agent-sample.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from '../watch/cooperating-site.ts'
import { tracesIn } from '../forget/forgotten-traces.ts'
import { locationOf, PushSender, warcOf } from './push-sender.ts'
import { CALLS_ONLY, heldOf, nextSecond, page, PushWatch, subscribed, until, watchedSite } from './push-watch.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'

const HOUR_MS = 3_600_000
const RING = newKeyRing(Buffer.alloc(32, 21), Date.now() - 24 * HOUR_MS)
const KEYS = { ring: () => RING }
const PATHS = Array.from({ length: 8 }, (_, n) => `/p/${n}`)
const SITE: Readonly<Record<string, string>> = {
  '/': page('Home', ...PATHS),
  ...Object.fromEntries(PATHS.map((path) => [path, page(`First of ${path}`)])),
}

/** A clock that can be put forward and back. */
class Clock {
  aheadMs = 0
  readonly now = (): number => Date.now() + this.aheadMs
}

const pushTo = (doors: string, site: CooperatingSite, scheme: PushScheme): Subscriber =>
  pushSubscriber({ url: `${doors}/push`, scheme, base: `${site.origin}/`, begins: site.last })

/** A site that was crawled, and nobody watches yet. */
async function crawled(options: CooperatingSiteOptions): Promise<{ site: CooperatingSite; into: string }> {
  const site = await createCooperatingSite(SITE, { schemes: CALLS_ONLY, ...options })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { dumps: false })
  return { site, into }
}

/** One that was free a moment ago. */
async function freePort(): Promise<number> {
  await using watch = new PushWatch(newDirectory(), { watch: { subscriptions: 0 } })
  await watch.opened
  return watch.port
}

describe('when', { concurrency: 4 }, () => {
  it('the hub is down, the subscription waits, and is asked for again a minute later', async () => {
    const hub = { isDown: true, asked: 0 }
    const before: CooperatingSiteOptions['before'] = ({ url }, response) => {
      if (url !== '/push/hub') return false
      hub.asked++
      if (hub.isDown) response.writeHead(503).end()
      return hub.isDown
    }
    const clock = new Clock()
    const world: World = { now: clock.now, random: Math.random }
    await using both = await watchedSite(SITE, { before }, { watch: { subscribeTo: ['pages'] }, world })
    const { site, watch } = both
    await until('the hub is asked', () => hub.asked === 1)
    await site.set('/p/0', page('Second of /p/0'))
    assert.deepEqual([(await watch.doors.subscriptions())[0]?.state, subscribed(site)()], ['asked', false])
    hub.isDown = false
    // Time passes twenty times as fast: what the hub said may be heard only now.
    await until('a subscription', () => {
      clock.aheadMs += 1_000
      return subscribed(site)()
    })
    assert.ok(clock.aheadMs > 30_000, `${clock.aheadMs} ms`)
    assert.equal((await watch.doors.subscriptions())[0]?.state, 'active')
    await nextSecond()
    await site.set('/p/1', page('Second of /p/1'))
    await until('what is sent', () => watch.holds(`${site.origin}/p/1`, 'Second'))
  })

  it('a site was forgotten, what waits of it is dropped, its hub is told that nobody listens any more', async () => {
    const { site, into } = await crawled({ calls: true })
    await using _ = site
    let port = 0
    {
      await using watch = new PushWatch(into, { watch: { subscribeTo: ['pages'] } })
      await until('a subscription', subscribed(site))
      port = watch.port
    }
    const url = `${site.origin}/p/0`
    const send = async (): Promise<void> => {
      await using inbox = await FileInbox.open(into, 0)
      const body = warcOf([{ url, body: page('Second'), at: Date.now() }])
      const item = {
        at: Date.now(),
        origin: site.origin,
        door: 'websub',
        scheme: 'pages',
        proof: 'subscription',
      } as const
      await inbox.append({ ...item, type: 'application/warc', body })
    }
    await send()
    assert.equal((await comity(['forget', into, site.origin])).code, 0)
    assert.deepEqual(tracesIn(into, [url]), [])
    // As if it had been on its way.
    await send()
    await using watch = new PushWatch(into, { watch: { subscribeTo: ['pages'] }, port })
    // Others are heard in this process, too.
    const outcomes = (): string[] =>
      watch.events.filter(({ origin }) => origin === site.origin).map(({ outcome }) => outcome)
    await until('it is dropped', () => outcomes().length > 0)
    assert.deepEqual(outcomes(), ['forgotten'])
    await site.set('/p/1', page('Second of /p/1'))
    await until('410', () => !subscribed(site)())
    assert.equal(await heldOf(into, url), undefined)
    assert.equal((await watch.doors.figures())?.totals.refused.ended, 1)
  })

  for (const [sentence, aheadMs] of [
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ] as const) {
    it(`a site’s clock is ${sentence}, what a subscription brings is right all the same`, async () => {
      const now = clockAhead(aheadMs)
      const schemes = [...CALLS_ONLY, 'resourcesync'] as const
      await using both = await watchedSite(SITE, { now }, { watch: { subscribeTo: ['pages'] } })
      await using told = await watchedSite(SITE, { now, schemes }, { watch: { subscribeTo: ['changes'] } })
      await until('subscriptions', () => subscribed(both.site)() && subscribed(told.site)())
      for (const { site, watch } of [both, told]) {
        await site.set('/p/0', page('Second of /p/0'))
        await site.set('/p/1', undefined)
        await until('the new version', () => watch.holds(`${site.origin}/p/0`, 'Second'))
        await until('it is gone', async () => ((await watch.held(`${site.origin}/p/1`))?.status ?? 0) >= 400)
      }
      assert.deepEqual(both.watch.outcomes(`${both.site.origin}/p/0`), ['applied'])
      assert.deepEqual(told.watch.outcomes(`${told.site.origin}/p/1`), ['heard'])
    })

    it(`a site’s clock is ${sentence}, what it signs is stale, and waits until the clock is right`, async () => {
      const clock = new Clock()
      clock.aheadMs = aheadMs
      await using both = await watchedSite(
        SITE,
        { now: clock.now, calls: { keys: KEYS } },
        { watch: { subscriptions: 0 } },
      )
      const { site, watch } = both
      await site.subscribers.put(pushTo(watch.doors.url, site, 'pages'))
      await site.set('/p/0', page('Second of /p/0'))
      await until('a refusal', async () => ((await watch.doors.figures())?.totals.refused.stale ?? 0) > 0)
      clock.aheadMs = 0
      await until('the new version', () => watch.holds(`${site.origin}/p/0`, 'Second'))
      assert.deepEqual([site.deliveryWorker.deadLetters(), site.deliveryWorker.states()[0]?.failures], [[], 0])
    })
  }

  it('the inbox is full, nothing is lost: it comes when there is room', async () => {
    const clock = new Clock()
    const { site, into } = await crawled({ calls: { keys: KEYS }, now: clock.now })
    await using _ = site
    let port = 0
    {
      await using watch = new PushWatch(into, { watch: { subscriptions: 0 }, doors: { inbox: { maxBytes: 1_000 } } })
      await watch.opened
      port = watch.port
      await site.subscribers.put(pushTo(watch.doors.url, site, 'pages'))
      await site.set('/p/0', page('Second of /p/0'))
      await until('a refusal', async () => ((await watch.doors.figures())?.totals.refused.full ?? 0) > 0)
      await until('it is noted', () => site.deliveryWorker.states()[0]!.failures > 0)
      assert.ok(await watch.holds(`${site.origin}/p/0`, 'First'))
    }
    await using watch = new PushWatch(into, { watch: { subscriptions: 0 }, port })
    await watch.opened
    // What Retry-After asked for.
    clock.aheadMs += 31_000
    await until('the new version', () => watch.holds(`${site.origin}/p/0`, 'Second'))
    assert.deepEqual(site.deliveryWorker.deadLetters(), [])
  })

  it('a page is more than a crawler takes, it is set aside with the reason, and the others come', async () => {
    const doors = { limits: { maxBodyBytes: 20_000 } }
    await using both = await watchedSite(SITE, { calls: { keys: KEYS } }, { watch: { subscriptions: 0 }, doors })
    const { site, watch } = both
    // Numbers that do not pack well.
    const noise = Array.from({ length: 9_000 }, (_, i) => ((i * 7_919) % 99_991).toString(36)).join(' ')
    await site.subscribers.put(pushTo(watch.doors.url, site, 'pages'))
    await site.set('/p/0', page('Second of /p/0'))
    await site.set('/p/1', page(noise))
    await site.set('/p/2', page('Second of /p/2'))
    for (const path of ['/p/0', '/p/2']) await until(path, () => watch.holds(site.origin + path, 'Second'))
    const [letter] = site.deliveryWorker.deadLetters()
    assert.deepEqual([letter?.path, letter?.reason, letter?.status], ['/p/1', 'too-large', 413])
    // Its next version is a new matter.
    await site.set('/p/1', page('Third of /p/1'))
    await until('the next version', () => watch.holds(`${site.origin}/p/1`, 'Third'))
  })

  it('the receiver is started anew in the middle of an upload, the rest is enough', async () => {
    const { site, into } = await crawled({ calls: { keys: KEYS } })
    await using _ = site
    const url = `${site.origin}/p/0`
    await nextSecond()
    await site.set('/p/0', page('Second of /p/0'))
    const body = warcOf([{ url, body: page('Second of /p/0'), at: Date.now() }])
    const half = body.subarray(0, body.length >> 1)
    let [port, place] = [0, '']
    {
      await using watch = new PushWatch(into, { watch: { subscriptions: 0 } })
      await watch.opened
      port = watch.port
      const sender = new PushSender(watch.doors.url, site.origin, KEYS.ring)
      const headers = writeUploadFields({ isComplete: false, length: body.length })
      place = locationOf(await sender.push({ body: half, headers }))
    }
    await using watch = new PushWatch(into, { watch: { subscriptions: 0 }, port })
    await watch.opened
    const sender = new PushSender(watch.doors.url, site.origin, KEYS.ring)
    const headers = writeUploadFields({ isComplete: true, offset: half.length })
    const rest = { path: place, method: 'PATCH', type: 'application/partial-upload', body: body.subarray(half.length) }
    // What was signed within the second that the receiver began in might have been seen by the one before.
    let { status } = await sender.push({ ...rest, headers })
    while (status === 503) {
      await nextSecond()
      status = (await sender.push({ ...rest, headers })).status
    }
    assert.equal(status, 202)
    await until('the new version', () => watch.holds(url, 'Second'))
    assert.deepEqual(watch.outcomes(url), ['applied'])
  })

  it('a site’s clock was a day ahead while nobody answered, it does not wait for a day when it is put back', async () => {
    const clock = new Clock()
    const { site, into } = await crawled({ calls: { keys: KEYS }, now: clock.now })
    await using _ = site
    const port = await freePort()
    clock.aheadMs = 24 * HOUR_MS
    await site.subscribers.put(pushTo(`http://127.0.51.9:${port}`, site, 'pages'))
    await site.set('/p/0', page('Second of /p/0'))
    await until('a failure', () => site.deliveryWorker.states()[0]!.failures > 0)
    assert.match(site.deliveryWorker.states()[0]!.trouble!, /cannot be reached/)
    clock.aheadMs = 0
    await using watch = new PushWatch(into, { watch: { subscriptions: 0 }, port })
    await until('the new version', () => watch.holds(`${site.origin}/p/0`, 'Second'))
  })
})

// oxfmt-ignore
const agents: readonly (readonly [sentence: string, body: string, outcome: string])[] = [
  ['loops',          'for (;;);',                                        'too-slow'],
  ['allocates',      'const a = []; for (;;) a.push(new Uint8Array(1e5))', 'too-large'],
  ['recurses',       'const f = () => f() + 1; f()',                     'too-deep'],
  ['tries to leave', 'fetch("http://127.0.0.1/")',                       'threw'],
]
for (const [sentence, body, outcome] of agents) {
  it(`an agent that ${sentence} comes to ${outcome}, and the site goes on`, async () => {
    const run = await ran(`export function onPage(page, agent) { ${body} }`)
    assert.equal(run.outcome, outcome, run.message)
    assert.deepEqual(run.emitted, [])
  })
}

function clockAhead(ms: number): () => number {
  return () => Date.now() + ms
}
