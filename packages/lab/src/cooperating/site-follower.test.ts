import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newOffer } from '@comity/follow'
import { SiteCopy } from './copy.ts'
import type { Answered, Asked } from './http.ts'
import { SiteFollower } from './site-follower.ts'

const BASE = 'https://a.example/'
const NOW = Date.UTC(2026, 0, 2)
const MINUTE = 60_000

/** A line to a site that has these pages, and a JSON Feed of some of them. */
function lineTo(pages: ReadonlyMap<string, string>, feed: () => readonly (readonly [url: string, at: number])[]) {
  const asked: string[] = []
  const ask = ({ path }: Asked): Promise<Answered> => {
    asked.push(path)
    const items = feed().map(([url, at]) => ({ id: url, url, date_modified: new Date(at).toISOString() }))
    const listed = JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items })
    const body = path === '/feed.json' ? listed : pages.get(path)
    return Promise.resolve({ status: body === undefined ? 404 : 200, headers: [], body: Buffer.from(body ?? '') })
  }
  return { ask, asked }
}

test('a copy follows a feed as a crawl does: what it names is fetched, and what it names no more is kept', async () => {
  const pages = new Map(['/1', '/2', '/3', '/4'].map((path) => [path, `<p>${path}`]))
  let window: (readonly [string, number])[] = ['1', '2', '3'].map((path) => [BASE + path, NOW - MINUTE])
  const line = lineTo(pages, () => window)
  const follower = new SiteFollower({
    base: BASE,
    copy: new SiteCopy(),
    offers: [newOffer('feed', `${BASE}feed.json`)],
  })
  await follower.follow(line, 'feed', NOW)
  assert.deepEqual([...follower.copy.pages.keys()], ['/1', '/2', '/3'])
  pages.set('/2', '<p>two')
  window = [
    [`${BASE}4`, NOW + MINUTE],
    ['https://b.example/5', NOW + MINUTE],
    [`${BASE}2`, NOW + MINUTE],
    [`${BASE}3`, NOW - MINUTE],
  ]
  line.asked.splice(0)
  for (let polls = 1; polls <= 3; polls++) await follower.follow(line, 'feed', NOW + polls * 10 * MINUTE)
  assert.deepEqual(line.asked, ['/feed.json', '/4', '/2', '/feed.json', '/feed.json'])
  assert.deepEqual([...follower.copy.pages.keys()].toSorted(), ['/1', '/2', '/3', '/4'])
  assert.equal(Buffer.from(follower.copy.pages.get('/2')!.body).toString(), '<p>two')
})
