import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyNamed } from '@comity/frontier'
import { measureWorkload } from './outcome.ts'
import { byLimit, byPolicy, poll } from './polling.ts'
import { cooperationSettings } from './settings.ts'
import { FEW_SELDOM, historyWorkload, madeWorkloads, MANY_MIXED } from './workloads.ts'
import { historyOf } from '../../webs/history-file.ts'

const daily = byPolicy(policyNamed('uniform'), 1)

test('a fixed period leaves outdated what changed since the last poll, and counts polls that found nothing', () => {
  // Polled at 1, 2, … 9: the change at 2.25 is found at 3, that at 9.5 never.
  const { pollsADay, needless, outdated, worst } = poll([[2.25, 9.5], []], daily, { days: 10, warmUpDays: 0 })
  assert.equal(pollsADay, 18 / 10)
  assert.equal(needless, 17 / 18)
  assert.equal(outdated, (0.75 + 0.5) / 20)
  assert.equal(worst, 1.25 / 10)
})

test('what is before the end of the warm-up is not counted', () => {
  const { pollsADay, outdated } = poll([[0.5, 4.75]], daily, { days: 10, warmUpDays: 4.5 })
  assert.equal(pollsADay, 5 / 5.5)
  assert.ok(Math.abs(outdated - 0.25 / 5.5) < 1e-12)
})

test('a limit keeps the outdated share below it, however often sites change; a period does not', () => {
  const settings = cooperationSettings({ seeds: [1], manySites: 30, maxOutdated: [0.2] })
  const outcomes = madeWorkloads(settings).map((workload) => measureWorkload(workload, settings))
  for (const { name, limits } of outcomes) {
    const { limited, fixed } = limits[0]!
    assert.ok(limited.outdated.mean < 0.2, `${name}: ${limited.outdated.mean}`)
    assert.ok(Math.abs(limited.polls / fixed.polls - 1) < 0.1, `${name} is compared at other polls`)
  }
  const byPeriod = outcomes.map(({ period }) => period.outdated.mean)
  assert.ok(Math.min(...byPeriod) < 0.02 && Math.max(...byPeriod) > 0.4)
  const seldom = outcomes.find(({ name }) => name === FEW_SELDOM)!
  assert.ok(seldom.period.needless > 0.95)
  const { limited, fixed } = outcomes.find(({ name }) => name === MANY_MIXED)!.limits[0]!
  assert.ok(limited.worst < fixed.worst && limited.needless < fixed.needless)
})

test('the years of a history are sites whose file changes with any of its pages', () => {
  const day = 86_400_000
  const at = (days: number, change: 'created' | 'updated' = 'updated'): object => ({
    at: days * day,
    change,
    content: 'x',
    bytes: 1,
  })
  const history = historyOf(
    'two',
    new Map([
      ['a.html', [at(0, 'created'), at(25), at(55)]],
      ['b.html', [at(0, 'created'), at(22.5), at(60)]],
    ]) as never,
  )
  const { runs } = historyWorkload(history, cooperationSettings({ pollDays: 30, warmUpDays: 1 }))
  assert.deepEqual(
    runs[0]!.map((changes) => Array.from(changes)),
    [[7.5, 10], [25]],
  )
})

test('a limit asks at the longest period while nothing changes, and sooner where something does', () => {
  const rule = byLimit(0.2, 5)
  const often = Array.from({ length: 2_000 }, (_, at) => at / 20)
  const [quiet, busy] = [[], often].map((changes) => poll([changes], rule, { days: 100, warmUpDays: 50 }))
  assert.ok(Math.abs(quiet!.pollsADay - 1 / 5) < 0.03, `${quiet!.pollsADay}`)
  assert.ok(busy!.pollsADay > 10, `${busy!.pollsADay}`)
})
