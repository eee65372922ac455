import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import { ANNOUNCERS, rehearseFreshness, rehearsedWeb } from './freshness-rehearsal.ts'
import type { Announcer, RehearsedWeb } from './freshness-rehearsal.ts'
import { policyNamed } from '../revisit/policies.ts'
import { calendarFreshness, calendarRates } from './visit-rates.ts'

const SETTINGS = { sites: 8, pagesPerSite: 40, days: 110 }
/** A visit per page every ten days, on average. */
const VISITS_PER_DAY = 32

const chances = (seed: number): (() => number) => {
  const random = createRandom(seed)
  return () => random.next()
}

const webOf = (seed: number, announcers: readonly Announcer[]): RehearsedWeb =>
  rehearsedWeb(chances(seed), SETTINGS, announcers)

function freshnessOf(web: RehearsedWeb, policy: string, heard = true): number {
  const random = chances(99)
  const settings = { visitsPerDay: VISITS_PER_DAY, warmUpDays: 40, random, heard }
  return rehearseFreshness(web, policyNamed(policy), settings).freshness
}

for (const seed of [1, 2]) {
  test(`web ${seed}, sites of all kinds: value is freshest, then optimal without signals, then uniform`, () => {
    const web = webOf(seed, Object.values(ANNOUNCERS))
    const [value, optimal, uniform] = [
      freshnessOf(web, 'value'),
      freshnessOf(web, 'optimal', false),
      freshnessOf(web, 'uniform', false),
    ]
    const trusting = freshnessOf(web, 'trusting')
    const words = `value ${value}, optimal ${optimal}, uniform ${uniform}, trusting ${trusting}`
    assert.ok(value > optimal + 0.01 && optimal > uniform + 0.03, words)
    assert.ok(trusting < optimal - 0.05, words)
  })
}

test('where sites are honest, value wins much and even trusting wins', () => {
  const web = webOf(3, [ANNOUNCERS.honest])
  const optimal = freshnessOf(web, 'optimal', false)
  const [value, trusting] = [freshnessOf(web, 'value'), freshnessOf(web, 'trusting')]
  assert.ok(value > optimal + 0.06 && value > trusting && trusting > optimal, `${value} ${trusting} ${optimal}`)
})

test('where sites lie, value loses next to nothing and trusting loses much', () => {
  const web = webOf(4, [ANNOUNCERS.lying])
  const optimal = freshnessOf(web, 'optimal', false)
  const [value, trusting] = [freshnessOf(web, 'value'), freshnessOf(web, 'trusting')]
  assert.ok(value > optimal - 0.015 && trusting < optimal - 0.1, `${value} ${trusting} ${optimal}`)
})

test('where sites are silent, learnt rates come near the best calendar for the true ones', () => {
  const web = webOf(5, [ANNOUNCERS.silent])
  const best = calendarFreshness(web.pages, calendarRates(web.pages, VISITS_PER_DAY))
  const value = freshnessOf(web, 'value')
  assert.ok(value > best - 0.06 && value < best + 0.03, `${value} ${best}`)
})
