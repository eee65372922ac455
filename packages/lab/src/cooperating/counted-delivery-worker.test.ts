// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountedDeliveryWorker, PUSH_KINDS } from './counted-delivery-worker.ts'
import type { PushKind, SentCost } from './counted-delivery-worker.ts'
import { CountedSite } from './counted-site.ts'
import { editedBody, madePages } from '../webs/made-pages.ts'
import { SITE_BASE } from './server.ts'
import { createRandom } from '@comity/testbed'

const AT = Date.UTC(2026, 0, 2)
const HOUR = 3_600_000
const pages = madePages({ pages: 10, meanBytes: 6_000, seed: 1, isEven: true })

/** What is sent for two edits of one page and one of another. */
async function sent(kind: PushKind, isOneByOne: boolean): Promise<SentCost> {
  const site = await CountedSite.open(pages, { base: SITE_BASE, at: AT })
  const random = createRandom(1)
  const deliveryWorker = await CountedDeliveryWorker.open(site, kind)
  const costs: SentCost[] = []
  for (const [order, page] of [0, 1, 0].entries()) {
    const { path } = pages[page]!
    const at = AT + HOUR / 2 + order
    await site.put([{ path, body: editedBody(site.body(path)!, 0.05, 'place', random), modifiedAt: at }], at)
    if (isOneByOne) costs.push(await deliveryWorker.send())
  }
  site.moveTo(AT + 3 * HOUR)
  costs.push(await deliveryWorker.send())
  const sum = (key: keyof SentCost): number => costs.reduce((total, cost) => total + cost[key], 0)
  return { requests: sum('requests'), bytes: sum('bytes'), bodyBytes: sum('bodyBytes'), siteMs: sum('siteMs') }
}

test('each change is a post of its own when it is sent at once', async () => {
  for (const kind of ['changes', 'differences', 'pages'] as const)
    assert.equal((await sent(kind, true)).requests, 3, kind)
})

test('two edits of a page are told once when they are sent together', async () => {
  const [alone, together] = [await sent('pages', true), await sent('pages', false)]
  assert.equal(together.requests, 1)
  assert.ok(together.bodyBytes < 0.8 * alone.bodyBytes)
})

test('a batch waits for its time', async () => {
  const { requests, bytes } = await sent('batches', true)
  assert.equal(requests, 1)
  assert.ok(bytes > 2_000)
})

test('notices are shorter than differences of pages, and those than pages', async () => {
  const [differences, whole] = [await sent('differences', true), await sent('pages', true)]
  assert.ok(differences.bodyBytes < whole.bodyBytes / 2, `${differences.bodyBytes} ${whole.bodyBytes}`)
  const notices = await sent('changes', true)
  assert.ok(notices.bodyBytes < whole.bodyBytes)
})

test('a post weighs its body, its signed head and the answer, the same each time', async () => {
  for (const kind of PUSH_KINDS) {
    const [one, other] = [await sent(kind, true), await sent(kind, true)]
    assert.deepEqual([one.requests, one.bytes, one.bodyBytes], [other.requests, other.bytes, other.bodyBytes], kind)
    const heads = (one.bytes - one.bodyBytes) / one.requests
    assert.ok(heads > 700 && heads < 1_600, `${kind}: ${heads}`)
  }
})

test('nothing changed, nothing is sent', async () => {
  const site = await CountedSite.open(pages, { base: SITE_BASE, at: AT })
  const deliveryWorker = await CountedDeliveryWorker.open(site, 'pages')
  site.moveTo(AT + HOUR)
  assert.equal((await deliveryWorker.send()).requests, 0)
})
