import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalChannel } from '@comity/protocol'
import { SIGNAL_CHANNELS } from '@comity/protocol'
import fc from 'fast-check'
import { ChannelRecall } from './channel-recall.ts'
import { SiteTrust } from './site-trust.ts'

const DAY = 86_400_000

/** So many changes, each found a day after the visit before. */
function found(recall: ChannelRecall, count: number, announcedBy: readonly SignalChannel[], from = DAY): void {
  for (let i = 0; i < count; i++) recall.found({ at: from + i, since: from + i - DAY, announcedBy })
}

test('a channel nobody has tried tells of every third change', () => {
  assert.equal(new ChannelRecall().recallOf('sitemap'), 1 / 3)
})

test('each channel is judged by its own word', () => {
  const recall = new ChannelRecall()
  found(recall, 20, ['filter', 'sitemap'])
  found(recall, 60, ['filter'])
  found(recall, 20, [])
  assert.deepEqual(recall.countsOf('filter'), { told: 80, missed: 20 })
  assert.deepEqual(recall.countsOf('sitemap'), { told: 20, missed: 80 })
  assert.ok(Math.abs(recall.recallOf('filter') - 0.8) < 0.02)
  assert.ok(Math.abs(recall.recallOf('sitemap') - 0.2) < 0.02)
})

const chances: [sentence: string, listenedAt: number | undefined, missed: number][] = [
  ['a channel that speaks up by itself could have', undefined, 1],
  ['one that was asked at the moment of the visit could have', 2 * DAY, 1],
  ['one that was asked half way could have told half of the time', 1.5 * DAY, 0.5],
  ['one that was last asked before the visit before could not', 0.5 * DAY, 0],
  ['one that was asked only after it was found could have', 3 * DAY, 1],
]
for (const [sentence, listenedAt, missed] of chances) {
  test(`of a change that it did not tell, ${sentence}`, () => {
    const recall = new ChannelRecall([{ channel: 'sitemap', told: 0, missed: 0 }])
    if (listenedAt !== undefined) recall.listened('sitemap', listenedAt)
    recall.found({ at: 2 * DAY, since: DAY, announcedBy: [] })
    assert.equal(recall.countsOf('sitemap').missed, missed)
  })
}

test('a channel that is asked and never says anything loses what was thought of it', () => {
  const recall = new ChannelRecall()
  recall.listened('sitemap', 100 * DAY)
  found(recall, 50, ['filter'])
  assert.ok(recall.recallOf('sitemap') < 0.02)
})

test('shares stay shares, counts only grow but for fading, and what is stored comes back', () => {
  const visit = fc.record({
    at: fc.nat(1e9),
    since: fc.nat(1e9),
    announcedBy: fc.uniqueArray(fc.constantFrom(...SIGNAL_CHANNELS), { maxLength: 3 }),
    listened: fc.option(fc.constantFrom(...SIGNAL_CHANNELS)),
  })
  fc.assert(
    fc.property(fc.array(visit), (visits) => {
      const recall = new ChannelRecall()
      for (const { listened, ...one } of visits) {
        if (listened !== null) recall.listened(listened, one.at)
        recall.found(one)
      }
      recall.fade(0.5)
      const again = new ChannelRecall(recall.state)
      for (const channel of SIGNAL_CHANNELS) {
        const share = recall.recallOf(channel)
        assert.ok(share >= 0 && share <= 1)
        assert.equal(again.recallOf(channel), share)
      }
    }),
  )
})

test('trust that was stored before channels were told apart begins to count, and forgets nothing else', () => {
  const trust = new SiteTrust(0, DAY)
  const events = [['sitemap', 1]] as const
  const visit = { rate: 0.1, days: 1, changed: true, isAudit: false } as const
  trust.visited({ ...visit, at: DAY, events, announcedBy: ['sitemap'] })
  const { recall: _, ...old } = trust.state()
  const again = new SiteTrust(DAY, DAY, old)
  assert.equal(again.recallOf('sitemap'), 1 / 3)
  assert.deepEqual(again.recall(), trust.recall())
  again.visited({ ...visit, at: 2 * DAY, events, announcedBy: ['sitemap'] })
  assert.ok(again.recallOf('sitemap') > 1 / 3)
  assert.match(again.why(2 * DAY)[0]!, /told of 1 of 1 changes found/)
})

test('the channel of a site that repeats what another says first has its own recall, and so has the other', () => {
  const trust = new SiteTrust(0, DAY)
  for (let i = 1; i <= 40; i++) {
    const announcedBy: SignalChannel[] = i % 4 === 0 ? ['filter', 'sitemap'] : ['filter']
    const visit = { at: i * DAY, rate: 0.1, days: 1, changed: true, isAudit: false }
    trust.visited({ ...visit, events: [['filter', 1]], announcedBy })
  }
  assert.ok(trust.recallOf('filter') > 0.9)
  assert.ok(trust.recallOf('sitemap') > 0.15 && trust.recallOf('sitemap') < 0.4, `${trust.recallOf('sitemap')}`)
})
