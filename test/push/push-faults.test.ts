/**
 * Everything that can go wrong between a site that pushes and a collection that hears: each fault has its name, as an outcome
 * of the intake, a refusal at the endpoints or the reason of a dead letter, and leaves the collection with what the site serves.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  encodeVcdiff,
  newKeyRing,
  rotateKeyRing,
  signingKeyOf,
  writeDigestField,
  writeUploadFields,
} from '@comity/protocol'
import type { HeaderList, KeyRing } from '@comity/protocol'
import type { IntakeOutcome } from '@comity/ingest'
import type { World } from '@comity/crawler'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { locationOf, PushSender, warcOf } from './push-sender.ts'
import type { SentReply } from './push-sender.ts'
import { CALLS_ONLY, page, pushRecord, until, watchedSite } from './push-watch.ts'
import type { PushWatch, WatchedSite } from './push-watch.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const RING = newKeyRing(Buffer.alloc(32, 11), Date.now() - DAY_MS)
const STRANGER = newKeyRing(Buffer.alloc(32, 12), Date.now() - DAY_MS)

const PATHS = Array.from({ length: 40 }, (_, n) => `/p/${n}`)
const SITE: Readonly<Record<string, string>> = {
  '/': page('Home', ...PATHS),
  ...Object.fromEntries(PATHS.map((path) => [path, page(`First of ${path}`)])),
}

/** Of what is sent, nothing more is drawn to be fetched too. */
const UNCHECKED: World = { now: () => Date.now(), random: () => 0.5 }

const isGone = async (watch: PushWatch, url: string): Promise<boolean> => ((await watch.held(url))?.status ?? 0) >= 400

describe('what a site sends, when', () => {
  let ring: KeyRing = RING
  let both: WatchedSite
  let sender: PushSender
  let pages = 0

  before(async () => {
    const robots = 'User-agent: *\nDisallow: /private/\n'
    const schemes = [...CALLS_ONLY, 'robots'] as const
    const calls = { keys: { ring: () => ring } }
    both = await watchedSite(SITE, { robots, schemes, calls }, { watch: { subscriptions: 0 }, world: UNCHECKED })
    sender = new PushSender(both.watch.doors.url, both.site.origin, () => ring)
    // The first few are fetched too, to see whether they are right; not those that a visit of its own found before.
    for (let applied = 0; applied < 3;) {
      const { path, url } = nextPage()
      await sender.pages({ url, ...(await set(path, 'Second')) })
      await until(`an outcome of ${url}`, () => both.watch.outcomes(url).length > 0)
      if (both.watch.outcomes(url)[0] === 'applied') applied++
    }
    await until('three checks', async () => ((await pushRecord(both))?.checked ?? 0) >= 3)
  })
  after(async () => await both[Symbol.asyncDispose]())

  /** One that no other case has to do with. */
  const nextPage = (): { readonly path: string; readonly url: string } => {
    const path = PATHS[pages++]!
    return { path, url: both.site.origin + path }
  }
  /** The site's page is another one now. */
  const set = async (path: string, title: string): Promise<{ readonly body: string; readonly at: number }> => {
    const body = page(`${title} of ${path}`)
    await both.site.set(path, body)
    return { body, at: Date.now() }
  }
  const outcomes = async (url: string, expected: readonly IntakeOutcome[]): Promise<void> => {
    await until(`${expected.join(', ')} of ${url}`, () => both.watch.outcomes(url).length >= expected.length)
    assert.deepEqual(both.watch.outcomes(url), expected)
  }
  const ends = async (url: string, text: string): Promise<void> => {
    await until(`${text} of ${url}`, () => both.watch.holds(url, text))
  }
  const pushesOf = async (url: string): Promise<number> =>
    (await both.watch.held(url))!.captures.filter(({ source }) => source === 'push').length

  it('it comes twice, is applied once', async () => {
    const { path, url } = nextPage()
    const version = { url, ...(await set(path, 'Second')) }
    await sender.pages(version)
    await sender.pages(version)
    await outcomes(url, ['applied', 'same'])
    await ends(url, 'Second')
    assert.equal(await pushesOf(url), 1)
  })

  it('it comes in another order, ends with the last', async () => {
    const { path, url } = nextPage()
    const second = { url, ...(await set(path, 'Second')) }
    const third = { url, ...(await set(path, 'Third')), at: second.at + 1_000 }
    await sender.pages(third)
    await sender.pages(second)
    await outcomes(url, ['applied', 'older'])
    await ends(url, 'Third')
  })

  it('a page is put back, and the version between comes last, ends with the page that was put back', async () => {
    const { path, url } = nextPage()
    const between = { url, body: page(`Between of ${path}`), at: Date.now() }
    const again = { url, body: SITE[path]!, at: between.at + 1_000 }
    await sender.pages(again)
    await sender.pages(between)
    await outcomes(url, ['same', 'older'])
    await ends(url, 'First')
  })

  it('it comes a day late, is older than what was fetched since', async () => {
    const { path, url } = nextPage()
    const late = { url, body: page(`Yesterday of ${path}`), at: Date.now() - DAY_MS }
    await sender.pages(late)
    await outcomes(url, ['older'])
    await ends(url, 'First')
    assert.equal(await pushesOf(url), 0)
  })

  it('it was signed an hour ago, or will be, is stale: the clock has to be set right', async () => {
    const { path, url } = nextPage()
    const version = { url, ...(await set(path, 'Second')) }
    for (const skew of [-HOUR_MS, HOUR_MS])
      isRefused(await sender.push({ body: warcOf([version]), sign: { at: Date.now() + skew } }), [403, 'stale'])
    await sender.pages(version)
    await outcomes(url, ['applied'])
    await ends(url, 'Second')
  })

  it('the site’s clock is put back after it sent something, is asked for when it seems old', async () => {
    const { path, url } = nextPage()
    await sender.pages({ url, ...(await set(path, 'Second')), at: Date.now() + HOUR_MS })
    await outcomes(url, ['applied'])
    await sender.pages({ url, ...(await set(path, 'Third')) })
    await outcomes(url, ['applied', 'older'])
    await ends(url, 'Third')
    assert.equal(await pushesOf(url), 1)
  })

  it('its keys are rotated, is believed by the old one and the new, and by no other', async () => {
    const rotated = rotateKeyRing(ring, Buffer.alloc(32, 13), Date.now(), { leadMs: 0, overlapMs: DAY_MS })
    const { path, url } = nextPage()
    const version = { url, ...(await set(path, 'Second')) }
    // Whoever signs with a key that was not published beforehand waits until the keys are looked up again.
    isRefused(await sender.push({ body: warcOf([version]), sign: { key: signingKeyOf(rotated, Date.now()) } }), [
      403,
      'key-unknown',
    ])
    isRefused(await sender.push({ body: warcOf([version]), sign: { key: signingKeyOf(STRANGER, Date.now()) } }), [
      403,
      'key-unknown',
    ])
    ring = rotated
    assert.equal(
      (await sender.push({ body: warcOf([version]), sign: { key: signingKeyOf(RING, Date.now()) } })).status,
      202,
    )
    await outcomes(url, ['applied'])
    await ends(url, 'Second')
    ring = RING
  })

  it('half of it comes, is nothing; and the other half makes it whole', async () => {
    const { path, url } = nextPage()
    const body = warcOf([{ url, ...(await set(path, 'Second')) }])
    const half = body.subarray(0, body.length >> 1)
    const fields: HeaderList = [...writeUploadFields({ isComplete: false, length: body.length })]
    const begun = await sender.push({ body: half, headers: fields })
    assert.equal(begun.status, 201)
    assert.deepEqual(both.watch.outcomes(url), [])
    const rest = writeUploadFields({ isComplete: true, offset: half.length })
    const ended = await sender.push({
      path: locationOf(begun),
      method: 'PATCH',
      type: 'application/partial-upload',
      body: body.subarray(half.length),
      headers: rest,
    })
    assert.equal(ended.status, 202)
    await outcomes(url, ['applied'])
    await ends(url, 'Second')
  })

  it('it breaks off, is taken as far as it came, and told', async () => {
    const { path, url } = nextPage()
    const events = both.watch.events.length
    await sender.push({ body: warcOf([{ url, ...(await set(path, 'Second')) }], false) })
    await ends(url, 'Second')
    const told = both.watch.events.slice(events).map(({ outcome }) => outcome)
    assert.deepEqual(told, ['applied', 'unreadable'])
  })

  it('it speaks of another site, is refused, all of it', async () => {
    const { path, url } = nextPage()
    const foreign = { url: 'https://b.example/', body: 'x', at: Date.now() }
    isRefused(await sender.pages({ url, ...(await set(path, 'Second')) }, foreign), [422, 'foreign'])
    assert.deepEqual(both.watch.outcomes(url), [])
    assert.ok(await both.watch.holds(url, 'First'))
  })

  it('its signature is of another request, is forged', async () => {
    const { path, url } = nextPage()
    const body = warcOf([{ url, ...(await set(path, 'Second')) }])
    isRefused(await sender.ask('/push', sender.signed({ body, path: '/elsewhere' })), [403, 'forged'])
    const other = warcOf([{ url, body: 'another', at: Date.now() }])
    isRefused(await sender.ask('/push', { ...sender.signed({ body }), body: other }), [403, 'wrong-digest'])
    assert.ok(await both.watch.holds(url, 'First'))
  })

  it('somebody sends it again as it was, is a replay', async () => {
    const { path, url } = nextPage()
    const once = sender.signed({ body: warcOf([{ url, ...(await set(path, 'Second')) }]) })
    assert.equal((await sender.ask('/push', once)).status, 202)
    isRefused(await sender.ask('/push', once), [429, 'replayed'])
    await outcomes(url, ['applied'])
    await ends(url, 'Second')
  })

  it('the page is deleted meanwhile, is gone', async () => {
    const { path, url } = nextPage()
    const version = { url, ...(await set(path, 'Second')) }
    await both.site.set(path, undefined)
    const gone = { url, status: 410, headers: [], at: Date.now() + 1_000 }
    await sender.pages(version)
    await sender.pages(gone)
    await outcomes(url, ['applied', 'applied'])
    await until('it is gone', () => isGone(both.watch, url))
  })

  it('it is a difference from what is held, is applied', async () => {
    const { path, url } = nextPage()
    const { body, at } = await set(path, 'Second')
    await sender.pages({ url, at, ...difference(SITE[path]!, body) })
    await outcomes(url, ['applied'])
    await ends(url, 'Second')
  })

  it('it is a difference from something else, is visited', async () => {
    const { path, url } = nextPage()
    const { body, at } = await set(path, 'Second')
    await sender.pages({ url, at, ...difference(page('never held'), body) })
    await outcomes(url, ['visited'])
    await ends(url, 'Second')
  })

  it('it is a difference that was damaged, is visited', async () => {
    const { path, url } = nextPage()
    const { body, at } = await set(path, 'Second')
    await sender.pages({ url, at, ...difference(SITE[path]!, body, cut) })
    await outcomes(url, ['visited'])
    await ends(url, 'Second')
  })

  it('robots.txt keeps us from the page, stays outside', async () => {
    const url = `${both.site.origin}/private/diary`
    await sender.pages({ url, body: page('Secret'), at: Date.now() })
    await outcomes(url, ['outside'])
    assert.equal(await both.watch.held(url), undefined)
  })

  it('it is an answer that says nothing of the page, cannot be read', async () => {
    const { url } = nextPage()
    await sender.pages({ url, status: 500, body: 'out of order', at: Date.now() })
    await outcomes(url, ['unreadable'])
    assert.ok(await both.watch.holds(url, 'First'))
  })

  it('it comes packed, is the same page as unpacked', async () => {
    const { url, path } = nextPage()
    const { gzipSync } = await import('node:zlib')
    const headers: HeaderList = [
      ['Content-Type', 'text/html'],
      ['Content-Encoding', 'gzip'],
    ]
    await sender.pages({ url, headers, body: gzipSync(SITE[path]!), at: Date.now() })
    await outcomes(url, ['same'])
  })

  it('its site is proven, and none that this crawl is about, stays outside', async () => {
    const keys = { ring: () => STRANGER }
    await using other = await createCooperatingSite(
      { '/': page('Elsewhere') },
      { address: '127.0.51.3', calls: { keys } },
    )
    const elsewhere = new PushSender(both.watch.doors.url, other.origin, keys.ring)
    const url = `${other.origin}/`
    const { status } = await elsewhere.pages({ url, body: page('Elsewhere'), at: Date.now() })
    assert.equal(status, 202)
    await outcomes(url, ['outside'])
    assert.equal(await both.watch.held(url), undefined)
  })

  it('all this is over, nobody was taken for a liar', async () => {
    const figures = await both.watch.doors.figures()
    const refused = Object.keys(figures?.totals.refused ?? {})
    assert.deepEqual(
      refused.toSorted(),
      ['forged', 'foreign', 'key-unknown', 'replayed', 'stale', 'wrong-digest'].toSorted(),
    )
    const { path, url } = nextPage()
    await sender.pages({ url, ...(await set(path, 'Second')) })
    await outcomes(url, ['applied'])
  })
})

const isRefused = ({ status, kind }: SentReply, expected: readonly [number, string]): void =>
  assert.deepEqual([status, kind], expected)

const difference = (from: string, to: string, damage: (delta: Uint8Array) => Uint8Array = (delta) => delta) => ({
  status: 226,
  headers: [
    ['Content-Type', 'text/html'],
    ['IM', 'vcdiff'],
    ['Delta-Base', '"base"'],
    ['ETag', '"next"'],
    ['Repr-Digest', writeDigestField(Buffer.from(to))],
  ] as HeaderList,
  body: damage(encodeVcdiff(Buffer.from(from), Buffer.from(to))),
})

const cut = (delta: Uint8Array): Uint8Array => delta.map((byte, i) => (i > 8 ? byte ^ 0x55 : byte))
