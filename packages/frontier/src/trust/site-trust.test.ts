import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalChannel } from '@comity/protocol'
import { createRandom } from '@comity/testbed'
import { SiteTrust } from './site-trust.ts'

const DAY = 86_400_000
const SITE_PAGES = 1000
/** Changes per day of every page here. */
const RATE = 0.02

/**
 * A channel announces pages one by one: each was found unchanged after 45 days, is announced five days later, visited
 * within the hour, and this share of them has changed.
 */
function announced(trust: SiteTrust, channel: SignalChannel, count: number, share: number, from: number): number {
  const random = createRandom(count + from)
  const common = { rate: RATE, isAudit: false }
  let now = from
  for (let i = 0; i < count; i++) {
    now += DAY / 50
    trust.visited({ ...common, at: now, days: 45, changed: false, events: [], announcedBy: [] })
    trust.signalled(channel, SITE_PAGES, now, 0.5)
    const changed = random.next() < share
    const events = [[channel, 1]] as const
    trust.visited({ ...common, at: now + DAY / 24, days: 5, changed, events, announcedBy: [channel] })
  }
  return now + DAY / 24
}

function audited(trust: SiteTrust, visits: number, changed: number, from: number): number {
  for (let i = 0; i < visits; i++) {
    const hidden = Math.floor(((i + 1) * changed) / visits) > Math.floor((i * changed) / visits)
    const at = from + i * 1000
    trust.visited({ at, days: 1, rate: RATE, changed: hidden, events: [], announcedBy: [], isAudit: true })
  }
  return from + visits * 1000
}

test('a channel nobody has tried is right every other time', () => {
  const trust = new SiteTrust(0, DAY)
  assert.ok(Math.abs(trust.precisionOf('sitemap', RATE) - 0.5) < 1e-9)
  assert.ok(Math.abs(trust.weightOf('sitemap', RATE, 0) - Math.LN2) < 1e-9)
  assert.match(trust.why(0).join(' '), /No channel has been heard from/)
})

test('an honest channel gains weight until its digests are as good as a visit', () => {
  const trust = new SiteTrust(0, DAY)
  const now = announced(trust, 'change-list', 60, 0.97, 0)
  assert.ok(trust.precisionOf('change-list', RATE) > 0.9)
  assert.ok(trust.weightOf('change-list', RATE, now) > 2)
  assert.ok(trust.isCertain('change-list', now))
  assert.match(
    trust.why(now)[0]!,
    /^change-list: \d+ of \d+ announced pages had changed; it had told of \d+ of \d+ changes found; believed\.$/,
  )
})

test('false alarms lead to quarantine: heard, not believed, and sampled two times in a hundred', () => {
  const trust = new SiteTrust(0, DAY)
  const now = announced(trust, 'sitemap', 21, 0.02, 0)
  assert.equal(trust.weightOf('sitemap', RATE, now), 0)
  assert.match(trust.why(now)[0]!, /not believed for \d+ hours because of false alarms/)
  assert.equal(trust.signalled('sitemap', SITE_PAGES, now, 0.019), true)
  assert.equal(trust.signalled('sitemap', SITE_PAGES, now, 0.021), false)
  assert.ok(!trust.isCertain('sitemap', now) && !trust.believesContent('sitemap', now))
})

test('quarantine ends, doubles with every strike up to thirty days, and a channel that mends is believed again', () => {
  const trust = new SiteTrust(0, DAY)
  let now = 0
  const lengths: number[] = []
  for (let strike = 0; strike < 8; strike++) {
    now = announced(trust, 'feed', 24, 0, now)
    const { quarantine } = trust.state().channels[0]!
    lengths.push(Math.round((quarantine!.until - trust.state().channels[0]!.struckAt) / DAY))
    assert.ok(
      trust.weightOf('feed', RATE, quarantine!.until - 1) === 0 && trust.weightOf('feed', RATE, quarantine!.until) > 0,
    )
    now = quarantine!.until
  }
  assert.deepEqual(lengths.slice(0, 5), [1, 2, 4, 8, 16])
  assert.equal(Math.max(...lengths), 30)
  now = announced(trust, 'feed', 60, 1, now)
  assert.ok(trust.weightOf('feed', RATE, now) > 1, `${trust.weightOf('feed', RATE, now)}`)
})

test('strikes are forgiven after two months each', () => {
  const trust = new SiteTrust(0, DAY)
  announced(trust, 'feed', 24, 0, 0)
  announced(trust, 'feed', 24, 0, 200 * DAY)
  assert.equal(trust.state().channels[0]!.strikes, 1)
})

/** A channel announces most of a site of a thousand pages within an hour. Returns how many samples were asked for. */
function announceAll(trust: SiteTrust, now: number): number {
  const random = createRandom(6)
  let samples = 0
  for (let page = 0; page < 700; page++)
    if (trust.signalled('sitemap', SITE_PAGES, now + page, random.next())) samples++
  return samples
}

for (const [sentence, changed, believed] of [
  ['a mass announcement that samples bear out is believed', 12, true],
  ['a mass announcement that samples deny brings quarantine', 1, false],
] as const) {
  test(sentence, () => {
    const trust = new SiteTrust(0, DAY)
    const now = 10 * DAY
    const samples = announceAll(trust, now)
    assert.ok(samples >= 15 && samples < 80, `${samples}`)
    assert.equal(trust.weightOf('sitemap', RATE, now + 800), 0, 'nothing is believed before the samples are in')
    for (let i = 0; i < 20; i++) {
      trust.visited({
        at: now + 1000 + i,
        days: 3,
        rate: RATE,
        changed: i < changed,
        events: [['sitemap', 1]],
        announcedBy: ['sitemap'],
        isAudit: false,
      })
    }
    assert.equal(trust.weightOf('sitemap', RATE, now + 2000) > 0, believed)
    if (!believed) assert.match(trust.why(now + 2000)[0]!, /because of mass announcement/)
  })
}

test('a mass announcement whose samples never come is let go after a day', () => {
  const trust = new SiteTrust(0, DAY)
  announceAll(trust, DAY)
  assert.equal(trust.weightOf('sitemap', RATE, DAY + 1000), 0)
  assert.ok(trust.weightOf('sitemap', RATE, 2 * DAY + 1000) > 0)
})

test('on a small site a handful of signals is no mass announcement', () => {
  const trust = new SiteTrust(0, DAY)
  for (let page = 0; page < 15; page++) trust.signalled('sitemap', 15, page, 0.5)
  assert.ok(trust.weightOf('sitemap', RATE, 100) > 0)
})

test('changes that audits find and nobody announced end the belief in silence, for a while', () => {
  const trust = new SiteTrust(0, DAY)
  let now = announced(trust, 'sitemap', 40, 0.95, 0)
  assert.ok(trust.isSilenceBelieved(now))
  now = audited(trust, 30, 12, now)
  assert.ok(!trust.isSilenceBelieved(now))
  assert.match(trust.why(now).at(-1)!, /Audits found changes that nobody announced/)
  assert.equal(trust.hiddenRateOf(RATE, now), RATE)
  assert.ok(trust.isSilenceBelieved(now + 2 * DAY))
})

test('as many hidden changes as were expected are no lie', () => {
  const trust = new SiteTrust(0, DAY)
  const now = audited(trust, 3000, 6, announced(trust, 'sitemap', 40, 0.95, 0))
  assert.ok(trust.isSilenceBelieved(now))
})

test('silence lengthens the wait by the share of changes that are announced for sure', () => {
  const open = new SiteTrust(0, DAY)
  const now = audited(open, 200, 0, announced(open, 'sitemap', 80, 0.95, 0))
  assert.ok(open.recall().atLeast > 0.8, JSON.stringify(open.recall()))
  assert.ok(open.hiddenRateOf(RATE, now) < 0.25 * RATE && open.hiddenRateOf(RATE, now) >= 0.02 * RATE)
  const shy = new SiteTrust(0, DAY)
  audited(shy, 2000, 120, announced(shy, 'sitemap', 40, 0.95, 0))
  assert.ok(shy.recall().atLeast < 0.45, JSON.stringify(shy.recall()))
  assert.equal(new SiteTrust(0, DAY).hiddenRateOf(RATE, 0), RATE)
})

test('a signal is worth more about a page that changes often than about one that hardly does', () => {
  const trust = new SiteTrust(0, DAY)
  const now = announced(trust, 'sitemap', 60, 0.7, 0)
  assert.ok(trust.precisionOf('sitemap', 10 * RATE) > trust.precisionOf('sitemap', RATE) + 0.1)
  assert.ok(trust.weightOf('sitemap', RATE / 10, now) < 0.5 * trust.weightOf('sitemap', RATE, now))
})

test('what a channel is, its recall and its false signals, is found from visits to pages of all kinds', () => {
  const random = createRandom(12)
  const trust = new SiteTrust(0, DAY)
  const poisson = (mean: number): number => {
    let [count, product] = [0, random.next()]
    for (const end = Math.exp(-mean); product > end; count++) product *= random.next()
    return count
  }
  for (let visit = 0; visit < 4000; visit++) {
    const rate = [0.005, 0.05, 0.5][visit % 3]!
    const days = 0.5 + 4 * random.next()
    const [hidden, right, wrong] = [poisson(0.4 * rate * days), poisson(0.6 * rate * days), poisson(0.1 * days)]
    const events = right + wrong > 0 ? ([['feed', right + wrong]] as const) : []
    const announcedBy: SignalChannel[] = events.length > 0 ? ['feed'] : []
    trust.visited({ at: visit * 1000, days, rate, changed: hidden + right > 0, events, announcedBy, isAudit: false })
  }
  assert.ok(Math.abs(trust.recall().guess - 0.6) < 0.06, JSON.stringify(trust.recall()))
  assert.ok(Math.abs(trust.precisionOf('feed', 0.5) - 0.3 / 0.4) < 0.06, `${trust.precisionOf('feed', 0.5)}`)
  assert.ok(Math.abs(trust.precisionOf('feed', 0.05) - 0.03 / 0.13) < 0.06, `${trust.precisionOf('feed', 0.05)}`)
})

test('one lie about content makes pushed content a hint, and the signals stay believed', () => {
  const trust = new SiteTrust(0, DAY)
  const now = announced(trust, 'websub', 40, 0.95, 0)
  assert.ok(trust.believesContent('websub', now))
  trust.contentChecked('websub', true, now)
  assert.ok(trust.believesContent('websub', now))
  trust.contentChecked('websub', false, now)
  assert.ok(!trust.believesContent('websub', now) && trust.weightOf('websub', RATE, now) > 1)
  assert.match(trust.why(now)[0]!, /only a hint/)
  assert.ok(trust.believesContent('websub', now + DAY))
})

test('what was learnt fades: after a year a channel counts as hardly known', () => {
  const trust = new SiteTrust(0, DAY)
  const now = announced(trust, 'feed', 60, 1, 0)
  const before = trust.weightOf('feed', RATE, now)
  announced(trust, 'feed', 1, 1, now + 365 * DAY)
  assert.ok(trust.weightOf('feed', RATE, now + 366 * DAY) < before - 0.5)
})

test('its state is plain data and goes on where it was', () => {
  const trust = new SiteTrust(0, DAY)
  const now = announced(trust, 'sitemap', 24, 0.05, announced(trust, 'feed', 30, 0.9, 0))
  const copy = new SiteTrust(0, DAY, JSON.parse(JSON.stringify(trust.state())))
  assert.deepEqual(copy.state(), JSON.parse(JSON.stringify(trust.state())))
  assert.deepEqual(copy.why(now), trust.why(now))
  announced(trust, 'feed', 5, 0.5, now)
  announced(copy, 'feed', 5, 0.5, now)
  assert.deepEqual(copy.why(now), trust.why(now))
})
