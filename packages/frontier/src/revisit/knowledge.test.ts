import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Signal } from '@comity/protocol'
import { RevisitKnowledge } from './knowledge.ts'
import { VisitBudget } from '../queue/visit-budget.ts'

const DAY = 86_400_000
const signal: Signal = { url: 'https://a.example/', change: 'updated', channel: 'sitemap' }

const knowledge = (pages: number, visitsPerDay = 86_400): RevisitKnowledge => {
  const known = new RevisitKnowledge(new VisitBudget({ requestsPerSecond: visitsPerDay / 86_400 }), DAY)
  for (let page = 0; page < pages; page++) known.add(page, { site: 0, visitedAt: 0 })
  return known
}

/** A site whose signals are right on each of so many days. */
function honestSite(days: number, visitsPerDay?: number): RevisitKnowledge {
  const known = knowledge(20, visitsPerDay)
  for (let day = 1; day <= days; day++)
    for (let page = 0; page < 20; page++) {
      const isChanged = (page + day) % 5 === 0
      if (isChanged) known.heard(page, signal, day * DAY - 3_600_000, 1)
      known.learn(page, { at: day * DAY, changed: isChanged, bytes: 500 })
    }
  return known
}

test('a page nobody has visited twice is thought to change once in twenty days, and not twice a day', () => {
  assert.ok(Math.abs(knowledge(1).factsOf(0, DAY).changeRate - 1 / 20) < 0.001)
})

test('where most changes are announced, silence makes a busy page a quiet one; a signal ends that', () => {
  const known = honestSite(60)
  const busy = known.factsOf(0, 60 * DAY).changeRate
  const quiet = known.factsOf(0, 160 * DAY).changeRate
  assert.ok(quiet < busy / 3, `${quiet} of ${busy}`)
  known.heard(0, signal, 160 * DAY, 1)
  assert.ok(known.factsOf(0, 160 * DAY).changeRate > quiet * 2)
})

test('where nobody announces anything, silence says nothing', () => {
  const known = knowledge(3)
  for (let page = 0; page < 3; page++) known.learn(page, { at: DAY, changed: true, bytes: 500 })
  assert.equal(known.factsOf(0, 2 * DAY).changeRate, known.factsOf(0, 200 * DAY).changeRate)
})

test('signals beyond the most that are counted do not make a page seem fresher than no signals would', () => {
  const known = knowledge(20)
  // Nine signals of ten are false.
  for (let day = 1; day <= 40; day++)
    for (let page = 0; page < 20; page++) {
      known.heard(page, signal, day * DAY - 3_600_000, 1)
      known.learn(page, { at: day * DAY, changed: (page + day) % 10 === 0, bytes: 500 })
    }
  for (let hour = 1; hour <= 24 * 30; hour++) known.heard(0, signal, 40 * DAY + hour * 3_600_000, 1)
  const now = 70 * DAY
  const { hiddenRate, suspicion, changeRate } = known.factsOf(0, now)
  assert.ok(hiddenRate * 30 + suspicion >= changeRate * 30 * 0.999, `${hiddenRate} ${suspicion} ${changeRate}`)
})

// Twenty pages that change every five days.
for (const [visitsPerDay, ample] of [
  [8, 0],
  [40, 1],
] as const) {
  test(`${visitsPerDay} visits a day to four changes are ${ample === 1 ? 'ample' : 'scarce'}, and ample once all pages but one are gone`, () => {
    const known = honestSite(60, visitsPerDay)
    assert.equal(known.factsOf(0, 60 * DAY).ample, ample)
    for (let page = 1; page < 20; page++) known.remove(page)
    assert.equal(known.factsOf(0, 60 * DAY).ample, 1)
  })
}
