import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currentPosition, isBehind, planDelivery, positionAfter, walkOf } from './delivery-plan.ts'
import type { DeliveryPlan, PlanLimits, Position } from './delivery-plan.ts'
import { AT, gone, pageOf } from '../testing/journal-sample.ts'
import type { Observation } from '../journal/journal.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { PublicView } from '../privacy/public-view.ts'
import { siteSetting } from '../site-options.ts'

const ALL: PlanLimits = { pages: Infinity, bytes: Infinity, lookedAt: 50_000 }

function viewOf(journal: MemoryJournal, robots = ''): PublicView {
  return new PublicView(
    siteSetting({ journal, base: 'https://a.example/', now: () => AT, read: async () => undefined, robots }),
  )
}

async function recorded(observations: readonly Observation[], changes = 1_000): Promise<MemoryJournal> {
  const journal = new MemoryJournal({ id: 'plan', limits: { changes } })
  for (const [i, observation] of observations.entries()) await journal.record([observation], AT + i)
  return journal
}

const told = ({ changes }: DeliveryPlan): string[] =>
  changes.map(({ path, change, number }) => `${number} ${change} ${path}`)

test('of each page the newest change is told, in the order of those', async () => {
  const view = viewOf(await recorded([pageOf('/a'), pageOf('/b'), pageOf('/a', 2), gone('/b'), pageOf('/c')]))
  const plan = planDelivery(positionAfter(view, 0), view, ALL)
  assert.deepEqual(told(plan), ['3 updated /a', '4 deleted /b', '5 created /c'])
  assert.deepEqual(plan.next, positionAfter(view, 5))
  assert.deepEqual([...plan.repeated], ['/a', '/b'])
})

test('a delivery that is full ends where the next one goes on', async () => {
  const view = viewOf(await recorded([pageOf('/a'), pageOf('/b'), pageOf('/c'), pageOf('/a', 2)]))
  const first = planDelivery(positionAfter(view, 0), view, { ...ALL, pages: 2 })
  assert.deepEqual(told(first), ['2 created /b', '3 created /c'])
  const second = planDelivery(first.next, view, { ...ALL, pages: 2 })
  assert.deepEqual(told(second), ['4 updated /a'])
  assert.ok(isBehind(first.next, view) && !isBehind(second.next, view))
})

test('a page with a newer change beyond those that were looked at is told with that', async () => {
  const view = viewOf(await recorded([pageOf('/a'), pageOf('/b'), pageOf('/a', 2)]))
  const first = planDelivery(positionAfter(view, 0), view, { ...ALL, lookedAt: 2 })
  assert.deepEqual(told(first), ['2 created /b'])
  assert.deepEqual(told(planDelivery(first.next, view, ALL)), ['3 updated /a'])
})

test('what is not public is passed over, and counts as told', async () => {
  const view = viewOf(
    await recorded([pageOf('/private/a'), pageOf('/private/b')]),
    'User-agent: *\nDisallow: /private/\n',
  )
  const plan = planDelivery(positionAfter(view, 0), view, ALL)
  assert.deepEqual([plan.changes, plan.next.cursor], [[], 2])
})

test('one page is told however large it is', async () => {
  const view = viewOf(await recorded([pageOf('/a'), pageOf('/b')]))
  assert.equal(planDelivery(positionAfter(view, 0), view, { ...ALL, bytes: 1 }).changes.length, 1)
})

test('whoever is behind what is remembered walks over all pages and then over those that are gone', async () => {
  const journal = await recorded([pageOf('/a'), pageOf('/b'), gone('/a'), pageOf('/c'), pageOf('/d')], 1)
  journal.compact(AT)
  const view = viewOf(journal)
  let position = currentPosition(positionAfter(view, 1), view, AT)
  const steps: string[][] = []
  while (isBehind(position, view)) {
    const plan = planDelivery(position, view, { ...ALL, pages: 2 })
    steps.push(plan.changes.map(({ path, change }) => `${change} ${path}`))
    position = plan.next
  }
  assert.deepEqual(steps, [['updated /b', 'updated /c'], ['updated /d'], ['deleted /a']])
  assert.deepEqual(position, positionAfter(view, 5))
})

// oxfmt-ignore
const positions: [sentence: string, change: (position: Position) => Position, walks: boolean, cursor: number][] = [
  ['a position that is known stays',                    (position) => position,                                  false, 2],
  ['another journal begins anew from nothing',          (position) => ({ ...position, journal: 'other' }),       true,  0],
  ['other rules begin anew',                            (position) => ({ ...position, edition: 'other' }),          true,  0],
  ['a number that was never given begins anew',         (position) => ({ ...position, cursor: 99 }),             true,  99],
]
for (const [sentence, change, walks, cursor] of positions) {
  test(sentence, async () => {
    const view = viewOf(await recorded([pageOf('/a'), pageOf('/b'), pageOf('/c')]))
    const position = currentPosition(change(positionAfter(view, 2)), view, AT)
    assert.deepEqual([position.walk !== undefined, position.cursor], [walks, cursor])
    assert.ok(isBehind(change(positionAfter(view, 2)), view))
  })
}

test('whatever happened and however deliveries are cut, the last word on every page is told after all others', async () => {
  const edit = fc
    .tuple(fc.nat(6), fc.nat(4))
    .map(([n, version]) => (version === 0 ? gone(`/${n}`) : pageOf(`/${n}`, version)))
  const cuts = fc.record({
    pages: fc.integer({ min: 1, max: 4 }),
    bytes: fc.integer({ min: 1, max: 400 }),
    lookedAt: fc.integer({ min: 1, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 30 }), cuts, fc.boolean(), async (edits, limits, isWalk) => {
      const journal = await recorded(edits)
      const view = viewOf(journal)
      const last = new Map<string, string>()
      let position = isWalk ? walkOf(view, 0, AT) : positionAfter(view, 0)
      for (let steps = 0; isBehind(position, view); steps++) {
        assert.ok(steps < 200, 'a walk without end')
        const plan = planDelivery(position, view, limits)
        for (const { path, change, digest } of plan.changes) last.set(path, change === 'deleted' ? 'gone' : digest)
        position = plan.next
      }
      for (const page of journal.pages()) assert.equal(last.get(page.path), page.digest)
      for (const { path } of journal.tombstones()) assert.equal(last.get(path), 'gone')
    }),
    { numRuns: 200 },
  )
})
